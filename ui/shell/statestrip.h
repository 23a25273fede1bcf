#pragma once

#include "ui/base/icons.h"

#include <QAbstractButton>
#include <QElapsedTimer>
#include <QFrame>
#include <QHash>
#include <QTimer>
#include <functional>

QT_BEGIN_NAMESPACE
class QPushButton;
QT_END_NAMESPACE

namespace junban::ui {

class FlowLayout;

// Something that an operator must know on every screen.
struct StateItem {
    QByteArray key;                  // which of them it is, so that its widget stays when the text changes
    Icon icon = Icon::Warning;
    QString text = {};
    QString tip = {};                // empty: the text
    std::function<void()> open = {}; // shows the place where it can be looked at; nothing: there is none
    QString action = {};             // the text of a button; empty: there is none
    std::function<void()> act = {};
};

// One line of the strip: an icon and a text, which is cut when there is no room. A click opens its place.
class StateLine : public QAbstractButton
{
    Q_OBJECT

public:
    explicit StateLine(QWidget *parent = nullptr);

    void say(const StateItem &item);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Icon m_icon = Icon::Warning;
    bool m_opens = false;
};

// The strip on top of every screen: why jobs do not run, and what is wrong. It always has the room of a line, so what stands below does not
// move when a reason comes. For more lines it becomes higher, but not while somebody is pointing at something, at most for pointing_max_ms.
class StateStrip : public QFrame
{
    Q_OBJECT

public:
    explicit StateStrip(QWidget *parent = nullptr);

    // `otherwise`: what is said while there are no items.
    void say(QList<StateItem> items, const QString &otherwise = {});
    // The texts of all items, a line each.
    QString text() const;
    // The widgets of the item with this key, or null.
    StateLine *line(const QByteArray &key) const;
    QPushButton *action(const QByteArray &key) const;

    // Gives it the height that it needs now: what stands below is another screen.
    void settle();

    static constexpr int settles_ms = 15'000; // how long it stays as high as it was
    static constexpr int still_ms = 1'500; // how long after a move of the pointer nobody points any more
    static constexpr int pointing_max_ms = 6'000;

    bool eventFilter(QObject *watched, QEvent *event) override;

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Shown {
        StateItem item;
        QWidget *box = nullptr;
        StateLine *line = nullptr;
        QPushButton *action = nullptr;
    };
    Shown make(const StateItem &item);
    void color();
    int neededHeight() const;
    void keepHeight();
    bool isPointing() const;
    void grow();

    FlowLayout *m_layout;
    int m_line = 0;            // the height of a line with a button
    QTimer m_settles;
    QTimer m_grows;
    QElapsedTimer m_pointed;   // since the last move of the pointer
    QElapsedTimer m_waiting;   // since it became too low
    QHash<QByteArray, std::shared_ptr<Shown>> m_shown;
    QList<QByteArray> m_order;
};

} // namespace junban::ui
