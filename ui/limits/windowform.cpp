#include "ui/limits/windowform.h"

#include "ui/base/look.h"
#include "ui/limits/windowtexts.h"

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

constexpr int dayMinutes = 1'440, hourMinutes = 60;
constexpr quint8 everyDay = 0x7f;

int minutesOf(const QTimeEdit &field)
{
    return field.time().hour() * hourMinutes + field.time().minute();
}

// A time field has no 24:00, so midnight at the end of a day is shown as 00:00.
QTime timeOf(int minutes)
{
    return QTime(minutes % dayMinutes / hourMinutes, minutes % hourMinutes);
}

} // namespace

WindowRow::WindowRow(Rule rule, const ConstraintWindow &window, QWidget *parent)
    : QWidget(parent)
    , m_rule(new QComboBox(this))
    , m_from(new QTimeEdit(timeOf(window.window.from_min), this))
    , m_to(new QTimeEdit(timeOf(window.window.to_min), this))
    , m_dates(new QLineEdit(QString::fromUtf8(window.dates.join(", ")), this))
{
    m_rule->addItems({tr("only"), tr("never")});
    m_rule->setCurrentIndex(int(rule));
    m_rule->setAccessibleName(tr("Only or never"));
    m_from->setDisplayFormat(QStringLiteral("HH:mm"));
    m_to->setDisplayFormat(QStringLiteral("HH:mm"));
    m_from->setAccessibleName(tr("From"));
    m_to->setAccessibleName(tr("To; at or before the beginning: of the next day"));
    m_dates->setPlaceholderText(tr("any date, or 2026-12-24, …"));
    m_dates->setAccessibleName(tr("Dates"));
    auto *layout = new QHBoxLayout;
    layout->setSpacing(2);
    layout->addWidget(m_rule);
    const QStringList names = dayNames();
    for (int day = 0; day < names.size(); ++day) {
        auto *button = new QToolButton(this);
        button->setText(names[day]);
        button->setCheckable(true);
        button->setChecked(window.window.days >> day & 1);
        connect(button, &QToolButton::toggled, this, &WindowRow::changed);
        layout->addWidget(button);
        m_days.append(button);
    }
    layout->addWidget(m_from);
    layout->addWidget(new QLabel(QStringLiteral("–"), this));
    layout->addWidget(m_to);
    layout->addStretch();
    auto *remove = new QToolButton(this);
    remove->setIcon(Look::icon(Icon::Close));
    remove->setAutoRaise(true);
    remove->setAccessibleName(tr("Remove this window"));
    layout->addWidget(remove);
    auto *dates = new QHBoxLayout;
    dates->addWidget(new QLabel(tr("on"), this));
    dates->addWidget(m_dates, 1);
    auto *lines = new QVBoxLayout(this);
    lines->setContentsMargins({});
    lines->setSpacing(2);
    lines->addLayout(layout);
    lines->addLayout(dates);
    connect(remove, &QToolButton::clicked, this, &WindowRow::removeRequested);
    connect(m_rule, &QComboBox::currentIndexChanged, this, &WindowRow::changed);
    connect(m_from, &QTimeEdit::timeChanged, this, &WindowRow::changed);
    connect(m_to, &QTimeEdit::timeChanged, this, &WindowRow::changed);
    connect(m_dates, &QLineEdit::textChanged, this, &WindowRow::changed);
}

WindowRow::Rule WindowRow::rule() const
{
    return Rule(m_rule->currentIndex());
}

ConstraintWindow WindowRow::window(const QByteArray &tz) const
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

WindowForm::WindowForm(QWidget *parent)
    : ParameterForm(parent)
    , m_list(new QVBoxLayout)
    , m_zone(zone())
    , m_close(choice({tr("may finish"), tr("is cancelled")}))
{
    m_list->setSpacing(2);
    auto *add = new QPushButton(tr("Add a window"), this);
    add->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(add, &QPushButton::clicked, this, [this] {
        addRow(WindowRow::Rule::Only, {{9 * hourMinutes, 18 * hourMinutes, "UTC", 0x1f}, {}});
        Q_EMIT changed();
    });
    m_rows->addRow(m_list);
    m_rows->addRow(QString(), add);
    m_rows->addRow(tr("Time zone"), m_zone);
    m_rows->addRow(tr("What runs when it closes"), m_close);
    addRow(WindowRow::Rule::Only, {{9 * hourMinutes, 18 * hourMinutes, "UTC", 0x1f}, {}});
}

void WindowForm::addRow(WindowRow::Rule rule, const ConstraintWindow &window)
{
    auto *row = new WindowRow(rule, window, this);
    m_list->addWidget(row);
    m_windows.append(row);
    connect(row, &WindowRow::changed, this, &ParameterForm::changed);
    connect(row, &WindowRow::removeRequested, this, [this, row] {
        m_windows.removeOne(row);
        row->hide();
        row->deleteLater();
        Q_EMIT changed();
    });
}

void WindowForm::set(const Parameters &parameters)
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

Parameters WindowForm::read() const
{
    WindowParameters window;
    window.tz = m_zone->currentText().trimmed().toUtf8();
    window.onClose = OnClose(m_close->currentIndex());
    for (const WindowRow *row : m_windows)
        (row->rule() == WindowRow::Rule::Only ? window.allow : window.deny).append(row->window(window.tz));
    return window;
}

} // namespace junban::ui
