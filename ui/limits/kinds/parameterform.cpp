#include "ui/limits/kinds/parameterform.h"

#include "ui/widgets/morerows.h"
#include "ui/widgets/secondsfield.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTimeZone>

namespace junban::ui {

Amount amountOf(const QLineEdit &field)
{
    const QString text = field.text().trimmed();
    bool isNumber = false;
    const qint64 number = text.toLongLong(&isNumber);
    if (text.isEmpty())
        return {};
    return isNumber ? Amount{number, {}} : Amount{1, text.toUtf8()};
}

QString amountText(const Amount &amount)
{
    return amount.expression.isEmpty() ? QString::number(amount.number) : QString::fromUtf8(amount.expression);
}

ParameterForm::ParameterForm(QWidget *parent)
    : QWidget(parent)
    , m_rows(new QFormLayout(this))
{
    m_rows->setContentsMargins({});
    m_rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
}

MoreRows *ParameterForm::addMore()
{
    auto *more = new MoreRows(m_rows);
    for (const RareField &rare : std::as_const(m_rareFields))
        m_rows->addRow(rare.label, rare.field);
    return more;
}

QSpinBox *ParameterForm::whole(qint64 least, qint64 most)
{
    auto *field = new QSpinBox(this);
    field->setRange(int(least), int(most));
    field->setGroupSeparatorShown(true);
    field->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    field->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(field, &QSpinBox::valueChanged, this, &ParameterForm::changed);
    return field;
}

QDoubleSpinBox *ParameterForm::seconds(double least_s, double most_s)
{
    QDoubleSpinBox *field = secondsField(least_s, most_s, this);
    connect(field, &QDoubleSpinBox::valueChanged, this, &ParameterForm::changed);
    return field;
}

QComboBox *ParameterForm::choice(const QStringList &texts)
{
    auto *field = new QComboBox(this);
    field->addItems(texts);
    field->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(field, &QComboBox::currentIndexChanged, this, &ParameterForm::changed);
    return field;
}

QLineEdit *ParameterForm::line(const QString &placeholder)
{
    auto *field = new QLineEdit(this);
    field->setPlaceholderText(placeholder);
    connect(field, &QLineEdit::textChanged, this, &ParameterForm::changed);
    return field;
}

QCheckBox *ParameterForm::check(const QString &text)
{
    auto *field = new QCheckBox(text, this);
    connect(field, &QCheckBox::toggled, this, &ParameterForm::changed);
    return field;
}

QComboBox *ParameterForm::zone()
{
    auto *field = new QComboBox(this);
    field->setEditable(true);
    field->addItem(QStringLiteral("UTC"));
    for (const QByteArray &zone : QTimeZone::availableTimeZoneIds()) {
        if (zone.contains('/'))
            field->addItem(QString::fromLatin1(zone));
    }
    field->completer()->setFilterMode(Qt::MatchContains);
    field->completer()->setCompletionMode(QCompleter::PopupCompletion);
    field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    field->setMinimumContentsLength(20);
    connect(field, &QComboBox::currentTextChanged, this, &ParameterForm::changed);
    return field;
}

QWidget *ParameterForm::optional(QCheckBox *box, QWidget *field)
{
    auto *both = new QWidget(this);
    auto *layout = new QHBoxLayout(both);
    layout->setContentsMargins({});
    layout->addWidget(box);
    layout->addWidget(field);
    layout->addStretch();
    field->setEnabled(box->isChecked());
    connect(box, &QCheckBox::toggled, field, &QWidget::setEnabled);
    return both;
}

} // namespace junban::ui
