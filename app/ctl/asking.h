#pragma once

#include "app/ctl/flags.h"
#include "app/ctl/session.h"

// Verbs that take something away, or change many things at once, ask first. --yes answers beforehand, and is required where nobody can be
// asked: standard input is no terminal, or the answer is for a program (--json).
namespace junban::app {

// For a verb that asks at once: its flag --yes, and whether it may go on. False also when the verb is only described, or was used wrongly.
// `question` is without a question mark, like "Delete the matcher sum".
bool isAgreed(Session &session, Flags &flags, const QByteArray &question);

// For a verb that asks when it has shown what it would do: its flags --yes and --dry-run. `inputIsTaken`: something else is read from
// standard input.
enum class Consent { Given, Asks, DryRun };
Consent consentOf(Session &session, Flags &flags, bool inputIsTaken = false);

// The same without --dry-run, for a verb that has nothing else to show: whether --yes was given.
bool isAgreedBefore(Session &session, Flags &flags);

// Asks. When the answer is not yes the program ends with 1.
bool isConfirmed(Session &session, const QByteArray &question);

} // namespace junban::app
