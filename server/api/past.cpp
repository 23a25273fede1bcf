#include "core/jobs/pastfields.h"

#include "core/base/reasons/past.h"
#include "core/base/reasons/store.h"
#include "server/api/expectation.h"
#include "server/api/handlers.h"
#include "server/api/masking.h"
#include "server/api/pastparameters.h"
#include "server/api/searching.h"

#include <QCryptographicHash>
#include <QtEndian>

#include <algorithm>

// What operators see of the past, and what they do to it.
namespace junban::api {

namespace {

// 32 hexadecimal digits, whether or not there is such a group.
std::optional<QByteArray> signatureOf(const Call &call)
{
    const QByteArray signature = call.match().parameters.value(0);
    const bool valid = signature.size() == 32 && std::all_of(signature.cbegin(), signature.cend(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    });
    if (!valid)
        call.fail(ofField(reasons::failureGroupNotFound(), "signature"));
    return valid ? std::optional(signature) : std::nullopt;
}

void listFailures(const Parts &parts, const Call &call)
{
    const Result<qint64> period_s = periodOf(call);
    const Result<GroupState> state = groupStateOf(call);
    const Result<std::optional<SumBy>> by = sumByOf(call);
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    const Result<QByteArray> cursor = call.name("cursor");
    GroupFilter filter;
    if (!areRead(call, period_s, state, by, limit, cursor) || !readMatch(call, filter))
        return;
    filter.state = *state;
    if (!*by) {
        parts.lookback.groups({*period_s, filter, *limit, *cursor}, answering(call, failureListTable));
        return;
    }
    parts.lookback.sums(*period_s, filter, **by, answering<FailureList>(call, failureListTable, [rows = *limit](FailureList list) {
        if (list.sums.size() > rows) {
            list.sums.resize(rows);
            list.complete = false;
        }
        return list;
    }));
}

void getFailures(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> signature = signatureOf(call);
    if (!signature)
        return;
    const Result<qint64> period_s = periodOf(call);
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    const Result<QByteArray> cursor = call.name("cursor");
    if (!areRead(call, period_s, limit, cursor))
        return;
    withMasks(parts, call, [&parts, call, id = *signature, period_s = *period_s, limit = *limit, cursor = *cursor](const Masker &masker) {
        const auto hidden = [&masker](FailurePage page) {
            hideEach(masker, page.jobs);
            return page;
        };
        parts.lookback.group(id, period_s, limit, cursor, answering<FailurePage>(call, failurePageTable, hidden));
    });
}

void changeFailures(const Parts &parts, const Call &call, const QByteArray &signature, const FailureGroupChange &change)
{
    parts.lookback.changeGroup(signature, change, answering(call, failureGroupTable));
}

void resolveFailures(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> signature = signatureOf(call);
    if (const auto body = signature ? bodyOf(call, resolveTable, {}, Body::MayBeEmpty) : std::nullopt) {
        call.auditAfter(pack(resolveTable, *body));
        changeFailures(parts, call, *signature, {body->resolved, {}});
    }
}

void muteFailures(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> signature = signatureOf(call);
    std::optional<MuteBody> body = signature ? bodyOf(call, muteTable, {}, Body::MayBeEmpty) : std::nullopt;
    if (!body)
        return;
    const qint64 now_ms = parts.clock.now_ms();
    if (body->for_ms)
        body->until_ms = now_ms + *std::exchange(body->for_ms, {});
    if (body->until_ms != 0 && body->until_ms <= now_ms) {
        call.fail(mustLieAhead("until"));
        return;
    }
    call.auditAfter(pack(muteTable, *body));
    changeFailures(parts, call, *signature, {{}, body->until_ms});
}

void retryFailures(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> signature = signatureOf(call);
    if (const auto body = signature ? bodyOf(call, groupRetryTable, {}, Body::MayBeEmpty) : std::nullopt)
        parts.lookback.retryGroup(*signature, body->limit, body->cursor, call.changedBy(), [call](const Result<GroupRetried> &retried) {
            if (retried.ok())
                call.auditAfter(pack(groupRetriedTable, *retried));
            answering(call, groupRetriedTable)(retried);
        });
}

void getStats(const Parts &parts, const Call &call)
{
    const Result<QByteArray> name = call.name("name");
    const Result<std::optional<qint64>> day = dayOf(call);
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    const Result<QByteArray> after = call.name("after");
    if (areRead(call, name, day, limit, after))
        parts.lookback.stats({*name, *day, *limit, *after}, answering(call, statsPageTable));
}

void getSeries(const Parts &parts, const Call &call)
{
    const Result<Metric> metric = metricOf(call);
    const Result<qint64> range_s = rangeOf(call), until_s = untilOf(call);
    const Result<QByteArray> name = call.name("name");
    if (areRead(call, name, metric, range_s, until_s))
        parts.lookback.past().series({*metric, *range_s, *name, *until_s}, answering(call, seriesTable));
}

// The settings of retention have no counter. Their revision is made of what they say.
qint64 revisionOf(RetentionSettings settings)
{
    std::sort(settings.names.begin(), settings.names.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    const QByteArray hash = QCryptographicHash::hash(pack(retentionSettingsTable, settings), QCryptographicHash::Sha256);
    return qint64(qFromBigEndian<quint64>(hash.constData()) >> 12) + 1;
}

void getRetention(const Parts &parts, const Call &call)
{
    parts.lookback.past().retention([call](const Result<RetentionSettings> &settings) {
        if (settings.ok())
            call.reply(200, pack(retentionSettingsTable, *settings), etagOf(revisionOf(*settings)));
        else
            call.fail(settings.error());
    });
}

// Changes the settings when they are those that If-Match means. No settings: those of a name are cleared.
void changeRetention(const Parts &parts, const Call &call, std::optional<Retention> settings)
{
    const std::optional<Expected> expected = expectedOf(call);
    if (!expected)
        return;
    Lookback::RetentionChange change{call.match().parameters.value(0), std::move(settings)};
    if (expected->what != Expected::What::Any)
        change.isExpected = [revision = expected->revision](const RetentionSettings &now) { return revision == revisionOf(now); };
    parts.lookback.changeRetention(std::move(change), [call](const Result<RetentionChanged> &changed) {
        if (!changed.ok()) {
            call.fail(changed.error());
            return;
        }
        call.auditBefore(pack(retentionSettingsTable, changed->before));
        const QByteArray after = pack(retentionSettingsTable, changed->settings);
        call.auditAfter(after);
        call.reply(200, after, etagOf(revisionOf(changed->settings)));
    });
}

void setRetention(const Parts &parts, const Call &call)
{
    const std::optional<Retention> retention = bodyOf(call, retentionTable);
    const QByteArray name = call.match().parameters.value(0);
    if (retention && (name.isNull() || areRead(call, call.validName("name", name))))
        changeRetention(parts, call, retention);
}

void clearNameRetention(const Parts &parts, const Call &call)
{
    changeRetention(parts, call, {});
}

constexpr Operation pastHandlers[] = {
    {"listFailures", listFailures}, {"searchFailures", listFailures},
    {"getFailures", getFailures}, {"resolveFailures", resolveFailures}, {"muteFailures", muteFailures},
    {"retryFailures", retryFailures}, {"getStats", getStats}, {"getSeries", getSeries}, {"getRetention", getRetention},
    {"setRetention", setRetention}, {"setNameRetention", setRetention}, {"clearNameRetention", clearNameRetention},
};

} // namespace

const std::span<const Operation> pastOperations = pastHandlers;

} // namespace junban::api
