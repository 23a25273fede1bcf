#include "ui/widgets/labels.h"

#include <QLabel>

namespace junban::ui {

QLabel *plainLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    return label;
}

} // namespace junban::ui
