#pragma once

#include <QLabel>

namespace junban::ui {

// A label for text from outside the program: it is never shown as rich text.
QLabel *plainLabel(const QString &text = {}, QWidget *parent = nullptr);

// A line of such text. It does not widen its window: what has no room is cut at the end, and the tip has all of it.
class LineLabel : public QLabel
{
    Q_OBJECT

public:
    explicit LineLabel(QWidget *parent = nullptr);

    void setLine(const QString &line);
    QString line() const { return m_line; }

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void cut();

    QString m_line;
};

} // namespace junban::ui
