#include "ui/overview/rangedialog.h"

#include <QDateTimeEdit>
#include <QFormLayout>
#include <QVBoxLayout>

namespace junban::ui {

RangeDialog::RangeDialog(qint64 from_s, qint64 to_s, TimesIn timesIn, QWidget *window)
    : FormDialog(window)
    , m_from(makeField(from_s, timesIn))
    , m_to(makeField(to_s, timesIn))
{
    setObjectName(QStringLiteral("range"));
    setWindowTitle(tr("Range of the chart"));
    auto *form = new QFormLayout;
    form->addRow(timesIn == TimesIn::Utc ? tr("&From (UTC)") : tr("&From"), m_from);
    form->addRow(timesIn == TimesIn::Utc ? tr("&To (UTC)") : tr("&To"), m_to);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(makeEnd(tr("&Show")));
    m_from->setFocus();
}

QDateTimeEdit *RangeDialog::makeField(qint64 at_s, TimesIn timesIn)
{
    auto *field = new QDateTimeEdit(this);
    field->setTimeSpec(timesIn == TimesIn::Utc ? Qt::UTC : Qt::LocalTime);
    field->setDisplayFormat(QStringLiteral("yyyy-MM-dd HH:mm"));
    field->setCalendarPopup(true);
    field->setDateTime(QDateTime::fromSecsSinceEpoch(at_s, timesIn == TimesIn::Utc ? Qt::UTC : Qt::LocalTime));
    return field;
}

void RangeDialog::send()
{
    const qint64 from_s = m_from->dateTime().toSecsSinceEpoch(), to_s = m_to->dateTime().toSecsSinceEpoch();
    if (to_s - from_s < 60) {
        say(tr("The end must be at least a minute after the beginning."));
        m_to->setFocus();
    } else if (to_s - from_s > range_s_max) {
        say(tr("A chart spans at most 8 days."));
        m_from->setFocus();
    } else {
        Q_EMIT chosen(from_s, to_s);
        accept();
    }
}

} // namespace junban::ui
