// Constraints, what they hold, and what is done to them by hand.
#include "app/ctl/paging.h"
#include "client/constraintcalls.h"
#include "core/base/reasons/ctl.h"
#include "core/base/reasons/start.h"
#include "core/base/reasons/store.h"
#include "core/limits.h"

#include <algorithm>

namespace junban::app {

namespace {

using client::Bucket;
using client::BucketPage;
using client::ConstraintPage;
using client::Explanation;
using client::Gate;
using client::Held;
using client::HeldList;
using client::LiveConstraint;
using client::SavedMatcher;

QByteArray constraintIdOf(Flags &flags)
{
    return flags.word("CONSTRAINT", "Its id, like sum.breaker1, as 'junbanctl constraints' lists it; a matcher's id is not enough.");
}

QByteArray ifAny(const std::optional<qint64> &value)
{
    return value ? number(*value) : QByteArray("-");
}

QByteArray jobsText(const QList<JobId> &jobs)
{
    QByteArrayList ids;
    for (const JobId &job : jobs)
        ids.append(job.text());
    return orDash(ids.join(' '));
}

constexpr Column<LiveConstraint> constraintColumns[] = {
    {"ID", [](const LiveConstraint &live) { return live.constraint.id; }},
    {"KIND", [](const LiveConstraint &live) { return QByteArray(kindWord(live.constraint.kind())); }},
    {"MODE", [](const LiveConstraint &live) { return QByteArray(live.enabled ? modeWord(live.constraint.mode) : "disabled"); }},
    {"BUCKETS", [](const LiveConstraint &live) { return number(live.buckets); }},
    {"USED", [](const LiveConstraint &live) { return number(live.used); }},
    {"WAITING", [](const LiveConstraint &live) { return number(live.waiting); }},
    {"CLOSED", [](const LiveConstraint &live) { return number(live.closed); }},
    {"OPENS", [](const LiveConstraint &live) { return timeText(live.opensAt_ms); }},
    {"MATCHER", [](const LiveConstraint &live) { return live.matcher; }},
    {"TITLE", [](const LiveConstraint &live) { return live.matcherTitle; }},
};
constexpr Column<Bucket> bucketColumns[] = {
    {"KEY", [](const Bucket &bucket) { return orDash(bucket.key); }},
    {"USED", [](const Bucket &bucket) { return number(bucket.used); }},
    {"LIMIT", [](const Bucket &bucket) { return ifAny(bucket.limit) + (bucket.overridden ? " (its own)" : ""); }},
    {"WAITING", [](const Bucket &bucket) { return number(bucket.waiting); }},
    {"OPEN", [](const Bucket &bucket) { return bucket.breaker.isEmpty() ? QByteArray(bucket.open ? "yes" : "no") : bucket.breaker; }},
    {"OPENS", [](const Bucket &bucket) { return timeText(bucket.opensAt_ms); }},
    {"HOLDERS", [](const Bucket &bucket) { return jobsText(bucket.holders); }},
};
constexpr Column<Held> heldColumns[] = {
    {"JOBS", [](const Held &held) { return number(held.jobs); }},
    {"CONSTRAINT", [](const Held &held) { return held.constraint; }},
    {"KIND", [](const Held &held) { return held.kind; }},
    {"KEY", [](const Held &held) { return orDash(held.key); }},
    {"USED", [](const Held &held) { return ifAny(held.used); }},
    {"LIMIT", [](const Held &held) { return ifAny(held.limit); }},
    {"OLDEST", [](const Held &held) { return ago(held.oldestAt_ms); }},
    {"OPENS", [](const Held &held) { return timeText(held.opensAt_ms); }},
    {"MATCHER", [](const Held &held) { return held.matcher; }},
    {"TITLE", [](const Held &held) { return held.title; }},
};

// As the API has it.
QByteArray gateStatusText(const Gate &gate)
{
    constexpr const char *words[] = {"pass", "holding", "observed"};
    return words[size_t(gate.status)];
}

bool isHolding(const Gate &gate)
{
    return gate.status == client::GateStatus::Holding;
}

constexpr const char *nobodyAsks = "no worker asks for jobs of its name";

// What else is known of a gate.
QByteArray gateDetails(const Gate &gate)
{
    QByteArrayList parts;
    if (!gate.constraint.isEmpty())
        parts.append(gate.constraint + (gate.title.isEmpty() ? QByteArray() : " \"" + gate.title + '"'));
    if (!gate.key.isEmpty())
        parts.append("key " + gate.key);
    if (gate.used || gate.limit)
        parts.append("used " + ifAny(gate.used) + " of " + ifAny(gate.limit));
    if (gate.waiting)
        parts.append(number(*gate.waiting) + " wait");
    if (gate.opensAt_ms > 0)
        parts.append("opens " + timeText(gate.opensAt_ms));
    if (gate.gate == "workers" && isHolding(gate))
        parts.append(nobodyAsks + (gate.askedAt_ms > 0 ? " since " + timeText(gate.askedAt_ms) : QByteArray()));
    if (!gate.reason.isEmpty())
        parts.append(gate.reason);
    if (!gate.holders.isEmpty())
        parts.append("jobs that run " + jobsText(gate.holders));
    return orDash(parts.join("; "));
}

constexpr Column<Gate> gateColumns[] = {
    {"GATE", [](const Gate &gate) { return gate.gate; }},
    {"STATUS", gateStatusText},
    {"DETAILS", gateDetails},
};

// What holds a ready or scheduled job: limits, and whether nobody works.
QByteArray holdText(const Explanation &found)
{
    QByteArrayList limits;
    bool nobody = false;
    for (const Gate &gate : found.gates) {
        if (isHolding(gate) && gate.gate == "workers")
            nobody = true;
        else if (isHolding(gate) && gate.gate == "too_many")
            limits.append("too many limits");
        else if (isHolding(gate) && gate.gate == "unreadable")
            limits.append((gate.matcher.isEmpty() ? QByteArray("its own record") : "the matcher " + forTerminal(gate.matcher))
                + ", which cannot be read (" + forTerminal(gate.why.text) + ')');
        else if (isHolding(gate) && !gate.constraint.isEmpty())
            limits.append(forTerminal(gate.constraint));
    }
    if (limits.isEmpty())
        return nobody ? QByteArray("no limit holds it, but ") + nobodyAsks : QByteArray("no limit holds it");
    return "held by " + limits.join(" and ") + (nobody ? QByteArray(", and ") + nobodyAsks : QByteArray());
}

QByteArray dueText(const Explanation &found)
{
    const auto due = std::find_if(found.gates.cbegin(), found.gates.cend(), [](const Gate &gate) { return gate.gate == "due"; });
    const qint64 due_ms = due == found.gates.cend() ? 0 : due->opensAt_ms;
    return "due at " + timeText(due_ms) + (found.estimate_ms > due_ms ? ", not before " + timeText(found.estimate_ms) : QByteArray());
}

// In one line why it does not run.
QByteArray verdict(const Explanation &found)
{
    switch (found.state) {
    case JobState::Depends: return "it waits until the jobs that it depends on have succeeded";
    case JobState::Running: return "a worker runs it";
    case JobState::Awaiting: return "its worker has handed it off, and it waits for a message";
    case JobState::Succeeded:
    case JobState::Failed:
    case JobState::Cancelled: return "it has ended";
    case JobState::Scheduled: return dueText(found) + "; " + holdText(found);
    case JobState::Ready: break;
    }
    const qint64 place = found.position.value_or(0);
    const QByteArray before = place == 0 ? QByteArray() : place == 1 ? QByteArray("; 1 job comes before it")
                                                                     : "; " + number(place) + " jobs come before it";
    if (!found.wouldRun && found.estimate_ms > 0)
        return holdText(found) + "; not before " + timeText(found.estimate_ms) + before;
    const bool passes = std::none_of(found.gates.cbegin(), found.gates.cend(), isHolding);
    return passes ? QByteArray("nothing holds it: the next worker that asks for its name gets it") : holdText(found) + before;
}

QByteArray explanationText(const Explanation &found)
{
    const QByteArray text = stateWord(found.state) + QByteArray(": ") + verdict(found) + '\n';
    const bool waits = found.state == JobState::Ready || found.state == JobState::Scheduled || found.state == JobState::Depends;
    return waits ? text + '\n' + table(gateColumns, found.gates) : text; // nobody asks the gates of another
}

void changeBreaker(Session &session, Flags &flags, client::BreakerQuery query)
{
    const QByteArray constraint = constraintIdOf(flags);
    query.key = flags.text("--key KEY", "Only this key, as the list of buckets shows it. Default: all keys.");
    if (!flags.ready())
        return;
    session.client().changeBreaker(constraint, query, [&session](const Result<client::BreakerChanged> &changed) {
        session.finish(changed, answers::breakerChangedTable, [](const client::BreakerChanged &now) {
            return number(now.buckets) + (now.buckets == 1 ? " bucket" : " buckets")
                + (now.opensAt_ms > 0 ? ", open until " + timeText(now.opensAt_ms) : QByteArray()) + '\n';
        });
    });
}

Paging<ConstraintPage, LiveConstraint> constraintPages(Session &session)
{
    return {&ConstraintPage::constraints, limits::constraints_page_max,
        [&session](int rows, const QByteArray &after, auto callback) { session.client().constraints(rows, after, std::move(callback)); }};
}

// An override is an edit of the constraint's matcher, at the revision that it has now.
void overrideKey(Session &session, const QByteArray &constraint, const QByteArray &key, const QByteArray &fields)
{
    gather<ConstraintPage, LiveConstraint>(constraintPages(session), rows_max,
        [&session, constraint, key, fields](const Result<ConstraintPage> &page) {
            if (!page.ok()) {
                session.fail(page.error());
                return;
            }
            const auto live = std::find_if(page->constraints.cbegin(), page->constraints.cend(),
                [&constraint](const LiveConstraint &one) { return one.constraint.id == constraint; });
            if (live == page->constraints.cend()) { // the master says which ones there are
                session.client().buckets(constraint, {}, [&session](const Result<BucketPage> &none) {
                    session.fail(none.ok() ? reasons::constraintNotFound() : none.error());
                });
                return;
            }
            session.client().matcher(live->matcher, [&session, constraint, key, fields](const Result<SavedMatcher> &saved) {
                if (!saved.ok()) {
                    session.fail(saved.error());
                    return;
                }
                session.client().overrideBucket(constraint, key, fields, saved->matcher.revision,
                    [&session](const Result<SavedMatcher> &changed) {
                        session.finish(changed, answers::savedMatcherTable, [](const SavedMatcher &now) {
                            return forTerminal(now.matcher.id) + " is changed, revision " + number(now.matcher.revision) + '\n';
                        });
                    });
            });
        });
}

} // namespace

void constraints(Session &session, Flags &flags)
{
    const int limit = rowsOf(flags);
    if (flags.ready())
        showList(session, constraintPages(session), limit, answers::constraintPageTable,
            [](const ConstraintPage &page) { return table(constraintColumns, page.constraints); });
}

void constraintsBuckets(Session &session, Flags &flags)
{
    const QByteArray constraint = constraintIdOf(flags);
    const int limit = rowsOf(flags);
    if (!flags.ready())
        return;
    const auto ask = [&session, constraint](int, const QByteArray &cursor, auto callback) {
        session.client().buckets(constraint, cursor, std::move(callback));
    };
    const Paging<BucketPage, Bucket> paging{&BucketPage::buckets, rows_max, ask};
    showList(session, paging, limit, answers::bucketPageTable, [](const BucketPage &page) { return table(bucketColumns, page.buckets); });
}

void constraintsOverride(Session &session, Flags &flags)
{
    const QByteArray constraint = constraintIdOf(flags);
    const QByteArray key = flags.word("KEY", "The key, as the list of buckets shows it.");
    const QList<QByteArray> fields
        = flags.values("--set JSON", "The parameters that differ for this key, like '{\"limit\": 20}'.", Command::Takes::One);
    const bool clear = flags.on("--clear", "The key has the constraint's own parameters again.");
    if (fields.isEmpty() != clear)
        flags.refuse(clear ? reasons::optionsExclusive("--set", "--clear") : reasons::optionOrRequired("--set", "--clear"));
    if (flags.ready())
        overrideKey(session, constraint, key, clear ? QByteArray("\x80") : fields.last());
}

void held(Session &session, Flags &flags)
{
    const int limit = flags.whole("--limit N", "Show so many at most", {1, limits::page_rows_max, limits::page_rows_max})
                          .value_or(limits::page_rows_max);
    if (!flags.ready())
        return;
    session.withMasterTime([&session, limit] {
        session.client().held(limit, [&session](const Result<HeldList> &list) {
            session.finish(list, answers::heldTable, [](const HeldList &found) {
                return table(heldColumns, found.held) + (found.complete ? "" : "not all jobs were looked at\n");
            });
        });
    });
}

void explain(Session &session, Flags &flags)
{
    const JobId id = flags.job("The job.");
    if (!flags.ready())
        return;
    session.client().explain(id,
        [&session](const Result<Explanation> &found) { session.finish(found, answers::explanationTable, explanationText); });
}

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
