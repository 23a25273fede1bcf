#pragma once

#include "ui/base/format.h"
#include "ui/limits/kinds/parameterform.h"

#include <QCoreApplication>

// What the window knows of a kind of constraint. Each kind has a file of its name in this folder, which defines the two functions below
// for its parameters; of a kind that has none, the linker says so.
namespace junban::ui {

struct KindView {
    QString name;                                // "Circuit breaker"
    QString help;                                // what it is for, in a sentence
    ParameterForm *(*makeForm)(QWidget *parent); // with the kind's defaults
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
// ", each costs 3"; nothing where that is 1.
QString costText(const Amount &amount);

} // namespace junban::ui
