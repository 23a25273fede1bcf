#pragma once

#include <QScrollArea>

namespace junban::ui {

// Shows a widget that may need more height than there is: then it scrolls, instead of making the window higher than the screen. Its width
// is at least the widget's.
class VerticalRoom : public QScrollArea
{
    Q_OBJECT

public:
    explicit VerticalRoom(QWidget *inner, QWidget *parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace junban::ui
