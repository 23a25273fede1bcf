// What is done to constraints by hand.
#include "app/ctl/verbs.h"
#include "client/constraintcalls.h"
#include "core/base/isotime.h"
#include "core/limits.h"

namespace junban::app {

namespace {

void changeBreaker(Session &session, Flags &flags, client::BreakerQuery query)
{
    const QByteArray constraint = flags.word("CONSTRAINT", "Its id, like sum.breaker1.");
    query.key = flags.text("--key KEY", "Only this key, as the list of buckets shows it. Default: all keys.");
    if (!flags.ready())
        return;
    session.client().changeBreaker(constraint, query, [&session](const Result<client::BreakerChanged> &changed) {
        session.finish(changed, answers::breakerChangedTable, [](const client::BreakerChanged &now) {
            return number(now.buckets) + (now.buckets == 1 ? " bucket" : " buckets")
                + (now.opensAt_ms > 0 ? ", open until " + isoTime(now.opensAt_ms) : QByteArray()) + '\n';
        });
    });
}

} // namespace

void trip(Session &session, Flags &flags)
{
    const auto openFor_ms = flags.seconds_ms("--for SECONDS", "How long it stays open",
        {0.001, limits::constraint_wait_s_max, {}, "as the constraint says"});
    changeBreaker(session, flags, {client::BreakerVerb::Trip, {}, openFor_ms.value_or(0)});
}

void reset(Session &session, Flags &flags)
{
    changeBreaker(session, flags, {client::BreakerVerb::Reset});
}

} // namespace junban::app
