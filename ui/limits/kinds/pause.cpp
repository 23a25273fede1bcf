#include "ui/limits/kinds/kindview.h"

#include "ui/base/text.h"

#include <QCheckBox>
#include <QDateTimeEdit>
#include <QFormLayout>
#include <QLineEdit>

namespace junban::ui {

namespace {

class PauseForm : public ParameterForm
{
public:
    explicit PauseForm(QWidget *parent)
        : ParameterForm(parent)
        , m_ends(check(ParameterForm::tr("at (UTC)")))
        , m_until(new QDateTimeEdit(this))
        , m_reason(line(ParameterForm::tr("What others should know")))
    {
        m_until->setTimeSpec(Qt::UTC);
        m_until->setDisplayFormat(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
        m_until->setCalendarPopup(true);
        m_until->setDateTime(QDateTime::currentDateTimeUtc().addSecs(3'600));
        connect(m_until, &QDateTimeEdit::dateTimeChanged, this, &ParameterForm::changed);
        m_rows->addRow(ParameterForm::tr("Ends by itself"), optional(m_ends, m_until));
        m_rows->addRow(ParameterForm::tr("Reason"), m_reason);
    }
    void set(const Parameters &parameters) override
    {
        const auto &pause = std::get<PauseParameters>(parameters);
        m_ends->setChecked(pause.until_ms.has_value());
        if (pause.until_ms)
            m_until->setDateTime(QDateTime::fromMSecsSinceEpoch(*pause.until_ms, Qt::UTC));
        m_reason->setText(QString::fromUtf8(pause.reason));
    }
    Parameters read() const override
    {
        PauseParameters pause;
        if (m_ends->isChecked())
            pause.until_ms = m_until->dateTime().toMSecsSinceEpoch();
        pause.reason = m_reason->text().trimmed().toUtf8();
        return pause;
    }

private:
    QCheckBox *m_ends;
    QDateTimeEdit *m_until;
    QLineEdit *m_reason;
};

} // namespace

template<>
KindView viewOf<PauseParameters>()
{
    return {ConstraintTexts::tr("Pause"), ConstraintTexts::tr("No job starts until the pause ends."), makeForm<PauseForm>};
}

template<>
QString textOf(const PauseParameters &pause, const Format &format)
{
    QString text = pause.until_ms ? ConstraintTexts::tr("paused until %1").arg(format.dateTime(*pause.until_ms))
                                  : ConstraintTexts::tr("paused");
    return pause.reason.isEmpty() ? text : ConstraintTexts::tr("%1: %2", "paused, and why").arg(text, shown(pause.reason));
}

} // namespace junban::ui
