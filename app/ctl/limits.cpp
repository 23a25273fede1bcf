// Constraints, what they hold, and what is done to them by hand.
#include "app/ctl/paging.h"
#include "client/constraintcalls.h"
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
    return flags.word("CONSTRAINT", "Its id, like sum.breaker1.");
}

QByteArray ifAny(const std::optional<qint64> &value)
{
    return value ? number(*value) : QByteArray("-");
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
};
constexpr Column<Bucket> bucketColumns[] = {
    {"KEY", [](const Bucket &bucket) { return orDash(bucket.key); }},
    {"USED", [](const Bucket &bucket) { return number(bucket.used); }},
    {"LIMIT", [](const Bucket &bucket) { return ifAny(bucket.limit) + (bucket.overridden ? " (its own)" : ""); }},
    {"WAITING", [](const Bucket &bucket) { return number(bucket.waiting); }},
    {"OPEN", [](const Bucket &bucket) { return bucket.breaker.isEmpty() ? QByteArray(bucket.open ? "yes" : "no") : bucket.breaker; }},
    {"OPENS", [](const Bucket &bucket) { return timeText(bucket.opensAt_ms); }},
    {"HOLDERS", [](const Bucket &bucket) { return number(bucket.holders.size()); }},
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
};

QByteArray gateStatusText(const Gate &gate)
{
    constexpr const char *words[] = {"pass", "holds", "would hold"};
    return words[size_t(gate.status)];
}

// What else is known of a gate.
QByteArray gateDetails(const Gate &gate)
{
    QByteArrayList parts;
    if (!gate.constraint.isEmpty())
        parts.append(gate.constraint + (gate.key.isEmpty() ? QByteArray() : " key " + gate.key));
    if (gate.used || gate.limit)
        parts.append("used " + ifAny(gate.used) + " of " + ifAny(gate.limit));
    if (gate.waiting)
        parts.append(number(*gate.waiting) + " wait");
    if (gate.opensAt_ms > 0)
        parts.append("opens " + timeText(gate.opensAt_ms));
    if (gate.gate == "workers" && gate.status == client::GateStatus::Holding)
        parts.append(gate.askedAt_ms > 0 ? "no worker asks for jobs of this name since " + timeText(gate.askedAt_ms)
                                         : QByteArray("no worker asks for jobs of this name"));
    if (!gate.reason.isEmpty())
        parts.append(gate.reason);
    if (!gate.holders.isEmpty())
        parts.append("held by " + gate.holders.first().text() + (gate.holders.size() > 1 ? " and others" : ""));
    return orDash(parts.join("; "));
}

constexpr Column<Gate> gateColumns[] = {
    {"GATE", [](const Gate &gate) { return gate.gate; }},
    {"STATUS", gateStatusText},
    {"DETAILS", gateDetails},
};

QByteArray explanationText(const Explanation &found)
{
    QByteArray text = QByteArray(stateWord(found.state)) + (found.wouldRun ? ", would run now" : ", does not run now");
    if (found.position)
        text += ", " + number(*found.position) + " before it";
    if (found.estimate_ms > 0)
        text += ", not before " + timeText(found.estimate_ms);
    return text + "\n\n" + table(gateColumns, found.gates);
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
            if (live == page->constraints.cend()) {
                session.fail({ErrorCode::NotFound, "There is no constraint '" + constraint + "'.", {}, 0});
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
        flags.refuse("--set", clear ? "and --clear exclude each other" : "or --clear is required");
    if (flags.ready())
        overrideKey(session, constraint, key, clear ? QByteArray("\x80") : fields.last());
}

void held(Session &session, Flags &flags)
{
    const int limit = flags.whole("--limit N", "Show so many at most", {1, limits::page_rows_max, limits::page_rows_max})
                          .value_or(limits::page_rows_max);
    if (!flags.ready())
        return;
    session.client().held(limit, [&session](const Result<HeldList> &list) {
        session.finish(list, answers::heldTable, [](const HeldList &found) {
            return table(heldColumns, found.held) + (found.complete ? "" : "not all jobs were looked at\n");
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
