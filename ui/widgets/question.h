#pragma once

#include <QString>
#include <functional>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace junban::ui {

// What an operator is asked before something that reaches far or cannot be undone.
struct Question {
    QString title;     // "Delete the schedule “nightly”?"
    QString details;   // what else there is to know; may be empty
    QString button;    // a verb: what happens when it is pressed
    enum class Weight { Normal, Grave } weight = Weight::Normal;
};

// Asks over `window` and returns at once; `act` is called if the operator says so. Doing nothing is the default, Escape included.
void ask(QWidget *window, const Question &question, std::function<void()> act);

} // namespace junban::ui
