#pragma once

#include "ui/base/icons.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QPushButton;
QT_END_NAMESPACE

namespace junban::ui {

// What a screen shows when it has no records: an icon, a title, a text, and a button for what can be done about it.
class EmptyState : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyState(QWidget *parent = nullptr);

    void say(Icon icon, const QString &title, const QString &text, const QString &action = {});
    // A line of code with a button that copies it; empty hides it.
    void setCode(const QString &code);
    QString title() const;
    QString text() const;
    QPushButton *action() const { return m_action; }

Q_SIGNALS:
    void actionTriggered();

protected:
    void changeEvent(QEvent *event) override;

private:
    void paintPicture();

    Icon m_icon = Icon::Circle;
    QLabel *m_picture;
    QLabel *m_title;
    QLabel *m_text;
    QWidget *m_codeBox;
    QLabel *m_code;
    QPushButton *m_action;
};

} // namespace junban::ui
