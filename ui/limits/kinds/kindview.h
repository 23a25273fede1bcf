#pragma once

#include "ui/base/format.h"
#include "ui/limits/kinds/parameterform.h"

#include <QCoreApplication>

// How the window shows a kind of constraint. Each kind has a file of its name in this folder, with its form and these two functions for its
// parameters. If one is missing, the program does not link.
namespace junban::ui {

struct KindView {
    QString name;                                // "Circuit breaker"
    QString help;                                // what it is for, in a sentence
    ParameterForm *(*makeForm)(QWidget *parent); // with the kind's defaults
    bool ends = false;                           // its form says when it ends
};
template<typename Of>
KindView viewOf();
// What a constraint allows, in a line: "20 per 1 s, burst 40".
template<typename Of>
QString textOf(const Of &parameters, const Format &format);

// --- What kinds have in common --------------------------------------------------------------------------------------------------------

template<typename Form>
ParameterForm *makeForm(QWidget *parent)
{
    return new Form(parent);
}

struct ConstraintTexts {
    Q_DECLARE_TR_FUNCTIONS(ConstraintTexts)
};
QString secondsText(double seconds, const Format &format);
// ", each costs 3"; empty if the cost is 1.
QString costText(const Amount &amount);

} // namespace junban::ui
