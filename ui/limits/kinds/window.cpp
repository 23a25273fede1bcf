#include "ui/limits/kinds/kindview.h"

#include "core/base/durations.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/base/windowtexts.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimeEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

constexpr quint8 everyDay = 0x7f;

int minutesOf(const QTimeEdit &field)
{
    return field.time().hour() * hour_min + field.time().minute();
}

// A time field has no 24:00, so midnight at the end of a day is shown as 00:00.
QTime timeOf(int minutes)
{
    return QTime(minutes % day_min / hour_min, minutes % hour_min);
}

// One window as a row of the form: whether jobs start only in it or never in it, its days, its times, and the dates that it is limited to.
class WindowRow : public QWidget
{
public:
    enum class Rule { Only, Never };

    WindowRow(Rule rule, const ConstraintWindow &window, ParameterForm *form)
        : QWidget(form)
        , m_rule(new QComboBox(this))
        , m_from(new QTimeEdit(timeOf(window.window.from_min), this))
        , m_to(new QTimeEdit(timeOf(window.window.to_min), this))
        , m_dates(new QLineEdit(QString::fromUtf8(window.dates.join(", ")), this))
        , m_remove(new QToolButton(this))
    {
        m_rule->addItems({ParameterForm::tr("only"), ParameterForm::tr("never")});
        m_rule->setCurrentIndex(int(rule));
        m_rule->setAccessibleName(ParameterForm::tr("Rule"));
        m_from->setDisplayFormat(QStringLiteral("HH:mm"));
        m_to->setDisplayFormat(QStringLiteral("HH:mm"));
        m_from->setAccessibleName(ParameterForm::tr("From"));
        m_to->setAccessibleName(ParameterForm::tr("To; at or before the beginning: of the next day"));
        m_dates->setPlaceholderText(ParameterForm::tr("any date, or 2026-12-24, …"));
        m_dates->setAccessibleName(ParameterForm::tr("Dates"));
        auto *layout = new QHBoxLayout;
        layout->setSpacing(2);
        layout->addWidget(m_rule);
        const QStringList names = dayNames();
        for (int day = 0; day < names.size(); ++day) {
            auto *button = new QToolButton(this);
            button->setText(names[day]);
            button->setCheckable(true);
            button->setChecked(window.window.days >> day & 1);
            connect(button, &QToolButton::toggled, form, &ParameterForm::changed);
            layout->addWidget(button);
            m_days.append(button);
        }
        layout->addWidget(m_from);
        layout->addWidget(new QLabel(QStringLiteral("–"), this));
        layout->addWidget(m_to);
        layout->addStretch();
        m_remove->setIcon(Look::icon(Icon::Close));
        m_remove->setAutoRaise(true);
        m_remove->setAccessibleName(ParameterForm::tr("Remove this window"));
        layout->addWidget(m_remove);
        auto *dates = new QHBoxLayout;
        dates->addWidget(new QLabel(ParameterForm::tr("on"), this));
        dates->addWidget(m_dates, 1);
        auto *lines = new QVBoxLayout(this);
        lines->setContentsMargins({});
        lines->setSpacing(2);
        lines->addLayout(layout);
        lines->addLayout(dates);
        connect(m_rule, &QComboBox::currentIndexChanged, form, &ParameterForm::changed);
        connect(m_from, &QTimeEdit::timeChanged, form, &ParameterForm::changed);
        connect(m_to, &QTimeEdit::timeChanged, form, &ParameterForm::changed);
        connect(m_dates, &QLineEdit::textChanged, form, &ParameterForm::changed);
    }

    Rule rule() const { return Rule(m_rule->currentIndex()); }
    ConstraintWindow window(const QByteArray &tz) const
    {
        ConstraintWindow window;
        window.window.from_min = minutesOf(*m_from);
        window.window.to_min = minutesOf(*m_to);
        window.window.tz = tz;
        window.window.days = 0;
        for (int day = 0; day < m_days.size(); ++day)
            window.window.days = quint8(window.window.days | (m_days[day]->isChecked() ? 1 << day : 0));
        if (window.window.days == 0)
            window.window.days = everyDay;
        for (const QString &date : m_dates->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
            window.dates.append(date.trimmed().toUtf8());
        return window;
    }
    QToolButton *removeButton() const { return m_remove; }

private:
    QComboBox *m_rule;
    QList<QToolButton *> m_days;
    QTimeEdit *m_from;
    QTimeEdit *m_to;
    QLineEdit *m_dates;
    QToolButton *m_remove;
};

class WindowForm : public ParameterForm
{
public:
    explicit WindowForm(QWidget *parent)
        : ParameterForm(parent)
        , m_list(new QVBoxLayout)
        , m_zone(zone())
        , m_close(choice({ParameterForm::tr("may finish"), ParameterForm::tr("is cancelled")}))
    {
        m_list->setSpacing(2);
        auto *add = new QPushButton(ParameterForm::tr("Add a window"), this);
        add->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        connect(add, &QPushButton::clicked, this, [this] {
            addRow(WindowRow::Rule::Only, {{9 * hour_min, 18 * hour_min, "UTC", 0x1f}, {}});
            Q_EMIT changed();
        });
        m_rows->addRow(m_list);
        m_rows->addRow(QString(), add);
        m_rows->addRow(ParameterForm::tr("Time zone"), m_zone);
        m_rows->addRow(ParameterForm::tr("Running jobs at closing time"), m_close);
        addRow(WindowRow::Rule::Only, {{9 * hour_min, 18 * hour_min, "UTC", 0x1f}, {}});
    }
    void set(const Parameters &parameters) override
    {
        const auto &window = std::get<WindowParameters>(parameters);
        qDeleteAll(m_windows);
        m_windows.clear();
        for (const ConstraintWindow &each : window.allow)
            addRow(WindowRow::Rule::Only, each);
        for (const ConstraintWindow &each : window.deny)
            addRow(WindowRow::Rule::Never, each);
        m_zone->setCurrentText(QString::fromUtf8(window.tz));
        m_close->setCurrentIndex(int(window.onClose));
    }
    Parameters read() const override
    {
        WindowParameters window;
        window.tz = m_zone->currentText().trimmed().toUtf8();
        window.onClose = OnClose(m_close->currentIndex());
        for (const WindowRow *row : m_windows)
            (row->rule() == WindowRow::Rule::Only ? window.allow : window.deny).append(row->window(window.tz));
        return window;
    }

private:
    void addRow(WindowRow::Rule rule, const ConstraintWindow &window)
    {
        auto *row = new WindowRow(rule, window, this);
        m_list->addWidget(row);
        m_windows.append(row);
        connect(row->removeButton(), &QToolButton::clicked, this, [this, row] {
            m_windows.removeOne(row);
            row->hide();
            row->deleteLater();
            Q_EMIT changed();
        });
    }

    QVBoxLayout *m_list;
    QList<WindowRow *> m_windows;
    QComboBox *m_zone;
    QComboBox *m_close;
};

QString windowsText(const QList<ConstraintWindow> &windows)
{
    QStringList parts;
    for (const ConstraintWindow &window : windows) {
        QString part = QStringLiteral("%1 %2–%3").arg(daysText(window.window.days), minutesText(window.window.from_min),
                                                      minutesText(window.window.to_min));
        if (!window.dates.isEmpty())
            part += ConstraintTexts::tr(" on %1").arg(shown(window.dates.join(", ")));
        parts.append(part);
    }
    return parts.join(QStringLiteral("; "));
}

} // namespace

template<>
KindView viewOf<WindowParameters>()
{
    return {ConstraintTexts::tr("Time windows"), ConstraintTexts::tr("Jobs start only at certain hours."), makeForm<WindowForm>};
}

template<>
QString textOf(const WindowParameters &window, const Format &)
{
    QStringList parts;
    if (!window.allow.isEmpty())
        parts.append(ConstraintTexts::tr("only %1").arg(windowsText(window.allow)));
    if (!window.deny.isEmpty())
        parts.append(ConstraintTexts::tr("closed %1").arg(windowsText(window.deny)));
    parts.append(shown(window.tz));
    if (window.onClose == OnClose::Cancel)
        parts.append(ConstraintTexts::tr("cancels running jobs"));
    return listed(parts);
}

} // namespace junban::ui
