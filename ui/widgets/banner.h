#pragma once

#include <QFrame>
#include <functional>

QT_BEGIN_NAMESPACE
class QLabel;
class QPushButton;
class QTimer;
QT_END_NAMESPACE

namespace junban::ui {

// An amber or red strip on top of the window: what is wrong, details to copy, and a button for what can be done about it, if anything.
class Banner : public QFrame
{
    Q_OBJECT

public:
    enum class Tone { Warning, Danger };
    // `action` empty: there is no button for it, and nothing to copy.
    explicit Banner(const QString &action, QWidget *parent = nullptr, Tone tone = Tone::Warning);

    void say(const QString &text, const QString &details);
    QString text() const;
    QPushButton *action() const { return m_action; }

Q_SIGNALS:
    void actionTriggered();

protected:
    void changeEvent(QEvent *event) override;

private:
    void color();

    const Tone m_tone;
    QLabel *m_icon;
    QLabel *m_text;
    QPushButton *m_action;
    QPushButton *m_copy;
    QString m_details;
};

// A line at the foot of the window, for some seconds: what was done, and a button such as "Undo".
class Toast : public QFrame
{
    Q_OBJECT

public:
    explicit Toast(QWidget *window);

    void say(const QString &text, const QString &offer, std::function<void()> act);
    QString text() const;
    QPushButton *offer() const { return m_offer; }

    static constexpr int shown_ms = 8'000;
    static constexpr int guarded_ms = 700; // how long its place takes clicks when it has gone

protected:
    void hideEvent(QHideEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();

    QLabel *m_text;
    QPushButton *m_offer;
    std::function<void()> m_act;
    QTimer *m_timer;
    QWidget *m_guard; // lies where it was
    QTimer *m_guarded;
};

} // namespace junban::ui
