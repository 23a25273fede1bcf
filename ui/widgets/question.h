#pragma once

#include <QString>
#include <functional>

QT_BEGIN_NAMESPACE
class QLineEdit;
class QWidget;
QT_END_NAMESPACE

namespace junban::client {
class ApiLink;
}

namespace junban::ui {

// A question to the operator before an action that has a wide effect or cannot be undone.
struct Question {
    QString title;     // "Delete the schedule “nightly”?"
    QString details;   // what else there is to know; may be empty
    QString button;    // a verb: what the button does
    // Grave: with a sign of warning. Destroys: with a red button too, for what cannot be had back.
    enum class Weight { Normal, Grave, Destroys } weight = Weight::Normal;
    QWidget *field = nullptr; // something to choose, above the reason; it becomes the question's
    QString leave = {};       // the button that does nothing, where "Cancel" could mean the jobs
};

// Opens the question over `window` and returns at once; `act` is called if the operator agrees. The default button and Escape do nothing,
// until a reason is typed: then the default button is the one that acts. What `act` changes through `client`, which must outlive `window`,
// is changed for that reason.
void ask(QWidget *window, client::ApiLink &client, const Question &question, std::function<void()> act);

// A line for why something is done, for the audit. It begins with the reason that counts for all changes, if there is one.
QLineEdit *makeReasonLine(const client::ApiLink &client, QWidget *parent);
QByteArray reasonIn(const QLineEdit &line);

} // namespace junban::ui
