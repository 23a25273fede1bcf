#include "ui/widgets/morerows.h"

#include <QFormLayout>
#include <QMetaProperty>
#include <algorithm>

namespace junban::ui {

namespace {

// The widgets of a row that take the keyboard, in the order in which they were made.
void addFields(QWidget *widget, QList<QWidget *> &fields)
{
    if (widget->focusPolicy() & Qt::TabFocus) {
        fields.append(widget);
        return;
    }
    for (QObject *child : widget->children()) {
        if (child->isWidgetType())
            addFields(static_cast<QWidget *>(child), fields);
    }
}

void addFields(QLayoutItem *item, QList<QWidget *> &fields)
{
    if (QWidget *widget = item ? item->widget() : nullptr)
        addFields(widget, fields);
    else if (QLayout *layout = item ? item->layout() : nullptr) {
        for (int i = 0; i < layout->count(); ++i)
            addFields(layout->itemAt(i), fields);
    }
}

QList<QWidget *> fieldsOf(const QFormLayout &form, int firstRow)
{
    QList<QWidget *> fields;
    for (int row = firstRow; row < form.rowCount(); ++row) {
        for (const QFormLayout::ItemRole role : {QFormLayout::FieldRole, QFormLayout::SpanningRole})
            addFields(form.itemAt(row, role), fields);
    }
    return fields;
}

QVariant valueOf(const QWidget *field)
{
    return field->metaObject()->userProperty().read(field);
}

} // namespace

MoreRows::MoreRows(QFormLayout *form)
    : QToolButton(form->parentWidget())
    , m_form(form)
    , m_row(form->rowCount())
{
    setText(tr("More"));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setAutoRaise(true);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    form->addRow(QString(), this);
    connect(this, &QToolButton::toggled, this, &MoreRows::setOpen);
}

void MoreRows::fold()
{
    for (QWidget *field : fieldsOf(*m_form, m_row + 1))
        m_defaults.insert(field, valueOf(field));
    // Tab follows the rows, not the order in which their fields were made.
    const QList<QWidget *> fields = fieldsOf(*m_form, 0);
    for (qsizetype i = 1; i < fields.size(); ++i)
        QWidget::setTabOrder(fields[i - 1], fields[i]);
    setOpen(false);
    m_form->setRowVisible(m_row, m_form->rowCount() > m_row + 1);
}

void MoreRows::showFilled()
{
    const auto isFilled = [this](QWidget *field) { return m_defaults.value(field) != valueOf(field); };
    const QList<QWidget *> fields = m_defaults.keys();
    if (std::any_of(fields.begin(), fields.end(), isFilled))
        setChecked(true);
}

void MoreRows::setOpen(bool open)
{
    setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    for (int row = m_row + 1; row < m_form->rowCount(); ++row)
        m_form->setRowVisible(row, open);
}

} // namespace junban::ui
