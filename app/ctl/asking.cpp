#include "app/ctl/asking.h"

#include "core/base/reasons/ctl.h"

#include <cstdio>
#include <unistd.h>

namespace junban::app {

namespace {

bool canAsk(const Session &session)
{
    return !session.json() && isatty(STDIN_FILENO) != 0;
}

} // namespace

bool isConfirmed(Session &session, const QByteArray &question)
{
    if (session.isUnwritten()) { // nobody has seen what is asked about
        session.end(exits::refused);
        return false;
    }
    std::fprintf(stderr, "%s on %s? [y/N] ", forTerminal(question).constData(), session.masterText().constData());
    std::fflush(stderr);
    char answer[8] = {};
    const bool yes = std::fgets(answer, sizeof answer, stdin) != nullptr && (answer[0] == 'y' || answer[0] == 'Y');
    if (!yes)
        session.end(1);
    return yes;
}

bool isAgreedBefore(Session &session, Flags &flags)
{
    const bool yes = flags.on("--yes", "Do it without asking.");
    flags.note("It asks first. Where nobody can be asked, --yes is required.");
    if (flags.ready() && !yes && !canAsk(session))
        flags.refuse(reasons::optionRequiredUnattended("--yes"));
    return yes;
}

bool isAgreed(Session &session, Flags &flags, const QByteArray &question)
{
    const bool yes = isAgreedBefore(session, flags);
    return flags.ready() && (yes || isConfirmed(session, question));
}

Consent consentOf(Session &session, Flags &flags, bool inputIsTaken)
{
    const bool dryRun = flags.on("--dry-run", "Show what would be changed, and change nothing.");
    const bool yes = flags.on("--yes", "Change it without asking.");
    if (flags.ready() && !yes && !dryRun && (inputIsTaken || !canAsk(session)))
        flags.refuse(reasons::optionOrRequiredUnattended("--yes", "--dry-run"));
    return dryRun ? Consent::DryRun : yes ? Consent::Given : Consent::Asks;
}

} // namespace junban::app
