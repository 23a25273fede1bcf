#include "ui/widgets/endfield.h"

#include "core/base/durations.h"

#include <QComboBox>
#include <QDateTimeEdit>
#include <QHBoxLayout>
#include <QSpinBox>

namespace junban::ui {

namespace {

constexpr int amount_max = 9'999, amountAtFirst = 15;

} // namespace

EndField::EndField(const QString &never, QWidget *parent)
    : QWidget(parent)
    , m_choice(new QComboBox(this))
    , m_amount(new QSpinBox(this))
    , m_unit(new QComboBox(this))
    , m_at(new QDateTimeEdit(this))
{
    setFocusPolicy(Qt::StrongFocus); // for the letter of its label
    setFocusProxy(m_choice);
    m_choice->addItem(never);
    m_choice->addItem(tr("after", "so long after now"));
    m_choice->addItem(tr("at (UTC)"));
    m_choice->setAccessibleName(tr("End"));
    m_amount->setRange(1, amount_max);
    m_amount->setAccessibleName(tr("How long"));
    m_unit->addItem(tr("minutes"), minute_ms);
    m_unit->addItem(tr("hours"), hour_ms);
    m_unit->addItem(tr("days"), day_ms);
    m_unit->setAccessibleName(tr("Unit"));
    m_at->setTimeSpec(Qt::UTC);
    m_at->setDisplayFormat(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    m_at->setCalendarPopup(true);
    m_at->setDateTime(QDateTime::currentDateTimeUtc().addDays(1)); // only what the field begins with
    m_at->setAccessibleName(tr("Time"));
    connect(m_choice, &QComboBox::currentIndexChanged, this, [this] {
        showFields(kind());
        Q_EMIT changed();
    });
    connect(m_amount, &QSpinBox::valueChanged, this, &EndField::changed);
    connect(m_unit, &QComboBox::currentIndexChanged, this, &EndField::changed);
    connect(m_at, &QDateTimeEdit::dateTimeChanged, this, &EndField::changed);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    for (QWidget *field : {static_cast<QWidget *>(m_choice), static_cast<QWidget *>(m_amount), static_cast<QWidget *>(m_unit),
                           static_cast<QWidget *>(m_at)})
        layout->addWidget(field);
    layout->addStretch();
    m_amount->setValue(amountAtFirst);
    showFields(Kind::Never);
}

EndField::Kind EndField::kind() const
{
    return Kind(m_choice->currentIndex());
}

void EndField::showFields(Kind kind)
{
    m_amount->setVisible(kind == Kind::After);
    m_unit->setVisible(kind == Kind::After);
    m_at->setVisible(kind == Kind::At);
}

void EndField::setAt(std::optional<qint64> at_ms)
{
    if (at_ms)
        m_at->setDateTime(QDateTime::fromMSecsSinceEpoch(*at_ms, Qt::UTC));
    m_choice->setCurrentIndex(int(at_ms ? Kind::At : Kind::Never));
}

void EndField::setAfter(int amount, qint64 unit_ms)
{
    m_amount->setValue(amount);
    m_unit->setCurrentIndex(m_unit->findData(unit_ms));
    m_choice->setCurrentIndex(int(Kind::After));
}

std::optional<qint64> EndField::at_ms() const
{
    return kind() == Kind::At ? std::optional(m_at->dateTime().toMSecsSinceEpoch()) : std::nullopt;
}

std::optional<qint64> EndField::after_ms() const
{
    return kind() == Kind::After ? std::optional(m_amount->value() * m_unit->currentData().toLongLong()) : std::nullopt;
}

} // namespace junban::ui
