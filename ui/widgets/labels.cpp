#include "ui/widgets/labels.h"

#include "ui/base/text.h"

namespace junban::ui {

QLabel *plainLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    return label;
}

LineLabel::LineLabel(QWidget *parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void LineLabel::setLine(const QString &line)
{
    m_line = line;
    setAccessibleName(line);
    cut();
}

void LineLabel::resizeEvent(QResizeEvent *event)
{
    QLabel::resizeEvent(event);
    cut();
}

void LineLabel::cut()
{
    setText(fontMetrics().elidedText(m_line, Qt::ElideRight, contentsRect().width()));
    setToolTip(plainTip(m_line));
}

} // namespace junban::ui
