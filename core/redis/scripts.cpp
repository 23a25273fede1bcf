#include "core/redis/scripts.h"

#include "core/limits.h"
#include "core/lua/embeddedscripts.h"
#include "core/lua/schema.h"

#include <QCryptographicHash>
#include <QHash>
#include <QMutex>
#include <QSet>
#include <algorithm>
#include <map>

namespace junban::redis {

namespace {

// The numbers that scripts write as limit.<name>.
QHash<QByteArray, QByteArray> scriptLimits(ScriptClock clock)
{
    QHash<QByteArray, QByteArray> table;
    const auto put = [&table](const char *name, double value) { table.insert(name, QByteArray::number(value, 'g', 15)); };
    put("layout", limits::layout_version);
    put("items", limits::script_items_max);
    put("backoff_base_ms", limits::backoff_base_s_default * 1000);
    put("backoff_factor", limits::backoff_factor_default);
    put("backoff_max_ms", limits::backoff_max_s_default * 1000);
    put("backoff_jitter", limits::backoff_jitter_default);
    put("result_ttl_ms", limits::result_ttl_s_default * 1000);
    put("receipt_ms", limits::receipt_s * 1000);
    put("idempotency_ms", limits::idempotency_s * 1000);
    put("idempotency_keys", double(limits::idempotency_keys_max));
    put("nonce_ms", limits::nonce_kept_s * 1000.0);
    put("engine_ms", limits::engine_seen_s * 1000.0);
    put("asked_kept_ms", limits::asked_kept_s * 1000);
    put("attempts_kept", limits::attempts_kept_max);
    put("releases", limits::releases_max);
    put("poison_expiries", limits::poison_expiries);
    put("succeeded_kept", double(limits::succeeded_kept_max));
    put("succeeded_kept_ms", limits::succeeded_kept_s * 1000);
    put("failed_kept", double(limits::failed_kept_max));
    put("failed_kept_ms", limits::failed_kept_s * 1000);
    put("cancelled_kept", double(limits::cancelled_kept_max));
    put("cancelled_kept_ms", limits::cancelled_kept_s * 1000);
    put("tracked_put_off_ms", limits::tracked_put_off_s * 1000);
    put("trash_ms", limits::trash_s * 1000);
    put("stats_days", limits::stats_days_max);
    put("stats_rows", double(limits::stats_rows_max));
    put("series_days", limits::series_days_max);
    put("series_names", limits::series_names_max);
    put("series_seconds", limits::series_seconds_max);
    put("failure_groups", limits::failure_groups_max);
    put("failure_groups_ms", limits::failure_groups_s * 1000);
    put("failure_workers", limits::failure_workers_max);
    put("failure_workers_ms", limits::failure_workers_s * 1000);
    put("tracked", limits::tracked_max);
    put("retention_names", limits::retention_names_max);
    put("ready_names", limits::ready_names_max);
    put("priority_reads", limits::priority_reads_max);
    put("page_lanes", limits::page_lanes_max);
    put("page_bytes", limits::page_bytes_max);
    put("epochs_listed", limits::epochs_listed_max);
    put("lane_checks", limits::lane_checks_max);
    put("buckets_looked", limits::buckets_looked_max);
    put("charging_ms", limits::charging_ms);
    put("paces_ms", limits::paces_ms);
    put("stale_names", limits::stale_names_max);
    put("read_jobs", limits::read_jobs_max);
    put("read_lanes", limits::read_lanes_max);
    put("stale_bytes", double(limits::stale_bytes_max));
    put("bucket_idle_ms", limits::bucket_idle_s_max * 1000);
    put("bucket_costs", limits::bucket_costs_max);
    put("backlog_dropped", limits::backlog_dropped_max);
    put("rate_starts", limits::rate_sliding_limit_max);
    put("share_keys", limits::share_keys_max);
    put("bucket_margin_ms", limits::bucket_margin_s * 1000);
    put("cost_most", double(limits::constraint_cost_max));
    put("breaker_kept_ms", limits::breaker_kept_s * 1000);
    put("matchers", limits::matchers_max);
    put("matcher_revisions", limits::matcher_revisions_max);
    put("matcher_history_ms", limits::matcher_history_s * 1000);
    put("window_wait_ms", limits::window_wait_ms);
    put("window_ahead_ms", limits::window_ahead_ms);
    put("window_boundaries", limits::window_boundaries_kept);
    put("group_kept_ms", limits::group_kept_s * 1000);
    put("audit_entries", double(limits::audit_entries_max));
    put("ahead_ms", std::max({limits::delay_s_max, limits::expires_in_s_max, limits::backoff_max_s_max}) * 1000);
    put("awaiting_ms", std::max(limits::handoff_s_max, limits::timeout_s_max) * 1000);
    put("retention_ms", limits::retention_s_max * 1000);
    put("sums", limits::fsck_sums_max);
    put("members", limits::fsck_members_max);
    put("schedules", limits::schedules_max);
    put("schedules_page_bytes", double(limits::schedules_page_bytes_max));
    put("schedules_due", limits::schedules_due_max);
    put("schedule_runs", limits::schedule_runs_kept_max);
    put("views", limits::views_max);
    put("view_ms", limits::view_s * 1000);
    put("view_chunk", limits::view_chunk_ids);
    put("operations", limits::operations_max);
    put("operation_slice", limits::operation_slice_jobs);
    put("operation_kept_ms", limits::operation_kept_s * 1000);
    put("operation_skipped", limits::operation_skipped_max);
    put("operation_lease_ms", limits::operation_lease_s * 1000);
    put("operation_pace_ms", limits::operation_pace_ms);
    put("tokens", limits::tokens_max);
    put("workers", limits::workers_max);
    put("worker_kept_ms", limits::worker_kept_s * 1000);
    put("worker_runs", limits::worker_runs_kept);
    put("worker_jobs", limits::worker_jobs_shown);
    put("worker_slots", limits::worker_slots_max);
    put("workers_running", limits::workers_running_max);
    put("steered_workers", limits::steered_workers_max);
    put("token_used_ms", limits::token_used_s * 1000);
    put("library_kept_ms", limits::library_kept_s * 1000);
    if (clock == ScriptClock::TestKeyNarrow) {
        put("lane_checks", 5);
        put("buckets_looked", 2);
        put("read_jobs", 3);
        put("epochs_listed", 2);
    }
    return table;
}

// Puts the numbers into the text.
QByteArray withLimits(QByteArrayView text, ScriptClock clock)
{
    static constexpr char mark[] = "limit.";
    const QHash<QByteArray, QByteArray> table = scriptLimits(clock);
    QByteArray out;
    qsizetype done = 0;
    for (qsizetype at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
        qsizetype end = at + qsizetype(sizeof mark) - 1;
        while (end < text.size() && (text[end] == '_' || (text[end] >= 'a' && text[end] <= 'z')))
            ++end;
        const QByteArray name = text.sliced(at + qsizetype(sizeof mark) - 1, end - at - qsizetype(sizeof mark) + 1).toByteArray();
        if (name.isEmpty())
            continue; // the word "limit" at the end of a sentence
        if (!table.contains(name))
            qFatal("a script uses limit.%s, which core/redis/scripts.cpp does not define", name.constData());
        out += text.sliced(done, at - done);
        out += table[name];
        done = end;
    }
    return out + text.sliced(done).toByteArray();
}

QByteArray clockOf(ScriptClock clock)
{
    return clock == ScriptClock::Redis
        ? QByteArray("local time = redis.call('TIME')\nnow = time[1] * 1000 + math.floor(time[2] / 1000)")
        : QByteArray("now = tonumber(redis.call('GET', P .. '") + key::test_clock + "'))";
}

constexpr char headMark[] = "--@head\n";
constexpr char callMark[] = "--@call\n";
constexpr char runsWhenFull[] = "allow-oom";

// `embedded` with the limits and the clock put in; made once.
std::shared_ptr<const Library> libraryOf(const EmbeddedLibrary &embedded, ScriptClock clock)
{
    static QMutex mutex;
    static std::map<std::pair<const EmbeddedLibrary *, ScriptClock>, std::shared_ptr<const Library>> made;
    const QMutexLocker lock(&mutex);
    std::shared_ptr<const Library> &library = made[{&embedded, clock}];
    if (!library) {
        QList<Library::Function> functions;
        const QList<QByteArray> verbs = QByteArray(embedded.verbs).split(' ');
        for (const QByteArray &verb : verbs) {
            const qsizetype colon = verb.indexOf(':');
            functions.append(Library::Function{verb.first(colon), verb.mid(colon + 1)});
            if (functions.last().script == "edit")
                functions.append(Library::Function{"edit", runsWhenFull}); // RedisStore picks one of the two
        }
        QByteArray body = withLimits(embedded.body, clock);
        body.replace("--@now", clockOf(clock));
        library = makeLibrary(embedded.name, std::move(functions), std::move(body));
    }
    return library;
}

} // namespace

std::shared_ptr<const Library> makeLibrary(const QByteArray &name, QList<Library::Function> functions, QByteArray body)
{
    QCryptographicHash hash(QCryptographicHash::Sha1);
    for (const Library::Function &function : std::as_const(functions))
        hash.addData(function.script + ' ' + function.flags + '\n');
    hash.addData(body);
    const QByteArray mark = '_' + hash.result().toHex().first(16);
    QSet<QByteArray> known;
    for (Library::Function &function : functions) {
        function.name = "junban_" + function.script + (known.contains(function.script) ? "_again" : "") + mark;
        known.insert(function.script);
    }
    return std::make_shared<Library>(Library{"junban_" + name + mark, std::move(body), std::move(functions)});
}

QByteArray Library::text() const
{
    QByteArray calls = "local function call(script)\n    return function(keys, arguments)\n        KEYS, ARGV = keys, arguments\n"
                       "        for i = 1, #Begin do\n            Begin[i]()\n        end\n        return script()\n    end\nend\n";
    for (const Function &function : functions) {
        QByteArray quoted = function.flags;
        if (!quoted.isEmpty())
            quoted = '\'' + quoted.replace(",", "', '") + '\'';
        calls += "redis.register_function{ function_name = '" + function.name + "', flags = { " + quoted + " }, callback = call(Main."
            + function.script + ") }\n";
    }
    QByteArray all = body;
    all.replace(headMark, "#!lua name=" + name + "\nlocal KEYS, ARGV\n");
    all.replace(callMark, calls);
    return all;
}

QByteArray Script::text() const
{
    QByteArray all = library->body;
    all.replace(headMark, function.flags.isEmpty() ? "#!lua\n" : "#!lua flags=" + function.flags + '\n');
    all.replace(callMark, "for i = 1, #Begin do\n    Begin[i]()\nend\nreturn Main." + function.script + "()\n");
    return all;
}

Script makeScript(const char *name, ScriptClock clock, WhenFull whenFull)
{
    const auto libraries = allLibraries(clock);
    for (const auto &library : libraries) {
        for (const Library::Function &function : library->functions) {
            if (function.script == name && (whenFull == WhenFull::AsItSays || function.flags == runsWhenFull))
                return Script{library, function};
        }
    }
    qFatal("there is no script '%s'", name);
}

QList<std::shared_ptr<const Library>> allLibraries(ScriptClock clock)
{
    QList<std::shared_ptr<const Library>> all;
    for (const EmbeddedLibrary *embedded = embeddedLibraries; embedded->name; ++embedded)
        all.append(libraryOf(*embedded, clock));
    return all;
}

} // namespace junban::redis
