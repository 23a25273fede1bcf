#pragma once

#include "ui/base/icons.h"

#include <QAbstractButton>
#include <QFrame>
#include <QHash>
#include <functional>
#include <memory>

QT_BEGIN_NAMESPACE
class QPushButton;
class QToolButton;
class QVBoxLayout;
QT_END_NAMESPACE

namespace junban::ui {

// Something that an operator must know on every screen.
struct StateItem {
    // Calm: normal operation, or something of the past. Warning: jobs wait for somebody.
    enum class Level { Calm, Warning };

    QByteArray key;                  // which of them it is, so that its widget stays when the text changes
    Icon icon = Icon::Warning;
    QString text = {};
    QString tip = {};                // empty: the text
    std::function<void()> open = {}; // shows the place where it can be looked at; nothing: there is none
    QString action = {};             // the text of a button; empty: there is none
    std::function<void()> act = {};
    Level level = Level::Warning;
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

// The strip on top of every screen: why jobs do not run, and what is wrong. It is always one line high, so nothing below it moves. What has
// no room in that line is in a list that a button opens. While the pointer is over the strip, what is shown keeps its place.
class StateStrip : public QFrame
{
    Q_OBJECT

public:
    explicit StateStrip(QWidget *parent = nullptr);

    // The most important first. `otherwise`: what is said while there are no items.
    void say(QList<StateItem> items, const QString &otherwise = {});
    // The texts of all items, a line each.
    QString text() const;
    // The widgets of the item with this key, or null.
    StateLine *line(const QByteArray &key) const;
    QPushButton *action(const QByteArray &key) const;
    // Opens the list of the items that have no room; hidden while all have.
    QToolButton *more() const { return m_more; }
    QFrame *rest() const { return m_rest; }

protected:
    void changeEvent(QEvent *event) override;
    void leaveEvent(QEvent *event) override;
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
    void place();
    void placeBox(Shown &shown, const QRect &rect);
    void openRest();

    QToolButton *m_more;
    QFrame *m_rest;            // a popup
    QVBoxLayout *m_restLines;
    QHash<QByteArray, std::shared_ptr<Shown>> m_shown;
    QList<QByteArray> m_order;
};

} // namespace junban::ui
