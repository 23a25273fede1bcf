#include "core/limits/limitanswers.h"

#include "core/base/reasons/api.h"
#include "server/api/expectation.h"
#include "server/api/handlers.h"
#include "server/api/scoping.h"

// Constraints: how much they are used, what they hold, why a job does not run, and changes of single keys.
namespace junban::api {

namespace {

void listConstraints(const Parts &parts, const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::constraints_page_max, limits::page_rows_default);
    const Result<QByteArray> after = call.name("after");
    if (areRead(call, limit, after))
        parts.matching.inspector.list(*limit, *after, answering(call, answers::constraintPageTable));
}

void listBuckets(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("constraint");
    if (!id)
        return;
    bool ok = true;
    const QByteArray cursor = call.query.value("cursor");
    const quint64 from = cursor.isEmpty() ? 0 : cursor.toULongLong(&ok);
    if (!ok)
        call.fail(reasons::cursorUnknown("cursor"));
    else
        parts.matching.inspector.buckets(*id, from, answering(call, answers::bucketPageTable));
}

// What a matcher has for one key of one of its constraints.
QByteArray overrideOf(const JobMatcher &matcher, const QByteArray &constraint, const QByteArray &key)
{
    for (const Constraint &one : matcher.constraints) {
        for (const Override &override : one.overrides) {
            if (one.id == constraint && override.key == key)
                return override.fields;
        }
    }
    return {};
}

void overrideBucket(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("constraint");
    const std::optional<Expected> expected = id ? revisionOf(call) : std::nullopt;
    const QByteArray key = call.match().parameters.value(1);
    if (!expected || !areRead(call, Call::validText("key", key)))
        return;
    parts.matching.editor.overrideKey({*id, key, call.body}, *expected, call.caller.name(),
        [call, id = *id, key](const Result<MatcherEditor::Saved> &saved) {
            if (saved.ok()) {
                call.auditBefore(saved->before ? overrideOf(*saved->before, id, key) : QByteArray());
                call.auditAfter(overrideOf(saved->matcher, id, key));
            }
            answeringSaved(call)(saved);
        });
}

void changeBreaker(const Parts &parts, const Call &call, BreakerVerb verb)
{
    const std::optional<QByteArray> id = call.pathName("constraint");
    const auto query = id ? bodyOf(call, breakerTable(verb), {verb}, Body::MayBeEmpty) : std::nullopt;
    if (!query)
        return;
    call.auditAfter(pack(breakerTable(verb), *query, Written::Sparse));
    parts.matching.breakers.change(*id, *query, answering(call, answers::breakerChangedTable));
}

void tripBreaker(const Parts &parts, const Call &call)
{
    changeBreaker(parts, call, BreakerVerb::Trip);
}

void resetBreaker(const Parts &parts, const Call &call)
{
    changeBreaker(parts, call, BreakerVerb::Reset);
}

void listHeld(const Parts &parts, const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    if (areRead(call, limit))
        parts.matching.inspector.held(*limit, answering(call, answers::heldTable));
}

void explainJob(const Parts &parts, const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (!id)
        return;
    inScope(parts.inspector, call, *id, Use::Show, [&parts, call, id] {
        parts.matching.inspector.explain(*id, answering(call, answers::explanationTable));
    });
}

constexpr Operation constraintHandlers[] = {
    {"listConstraints", listConstraints}, {"listBuckets", listBuckets}, {"overrideBucket", overrideBucket}, {"tripBreaker", tripBreaker},
    {"resetBreaker", resetBreaker}, {"listHeld", listHeld}, {"explainJob", explainJob},
};

} // namespace

const std::span<const Operation> constraintOperations = constraintHandlers;

} // namespace junban::api
