#include "server/api/exposition.h"
#include "server/api/handlers.h"

// The master in numbers, for Prometheus.
namespace junban::api {

namespace {

void writeStates(Exposition &out, const Overview &overview)
{
    out.gauge("jobs", "Jobs in each state.");
    for (int state = int(JobState::Scheduled); state <= int(JobState::Cancelled); ++state)
        out.sample({{"state", stateWord(JobState(state))}}, double(overview.byState[size_t(state)]));
    out.gauge("results", "Results that wait for their pushers.");
    out.one(double(overview.resultsKept));
    out.gauge("oldest_ready_seconds", "How long ago the oldest ready job was made; 0 when none is ready.");
    out.one(overview.oldestReadyAt_ms > 0 ? double(std::max<qint64>(0, overview.now_ms - overview.oldestReadyAt_ms)) / 1000 : 0);
}

void writeTotals(Exposition &out, const Totals &totals)
{
    const auto counter = [&out](const char *name, const char *help, qint64 value) {
        out.counter(name, help);
        out.one(double(value));
    };
    counter("jobs_enqueued_total", "Jobs enqueued since the namespace was made.", totals.enqueued);
    counter("jobs_succeeded_total", "Jobs that succeeded.", totals.succeeded);
    counter("jobs_failed_total", "Jobs that failed for good.", totals.failed);
    counter("jobs_cancelled_total", "Jobs that were cancelled.", totals.cancelled);
    counter("jobs_deleted_total", "Jobs that went to the trash.", totals.deleted);
    counter("attempts_started_total", "Attempts that were started.", totals.started);
    counter("attempts_failed_total", "Attempts that failed.", totals.failures);
    counter("attempts_retried_total", "Attempts that failed and after which the job is tried again.", totals.retried);
    counter("attempts_expired_total", "Attempts of which no report came in time.", totals.expired);
}

// Each family by name has as many samples as there are names in `figures`, and one for all others, which has no name.
void writeNames(Exposition &out, const Figures &figures)
{
    QList<NameRow> rows = figures.names;
    rows.append(figures.others);
    const auto family = [&](auto value) {
        for (const NameRow &row : std::as_const(rows))
            out.sample({{"name", row.name}}, double(value(row)));
    };
    out.gauge("name_ready_jobs", "Ready jobs of a name; of all names that are not listed where the name is empty.");
    family([](const NameRow &row) { return row.ready; });
    out.counter("name_jobs_enqueued_total", "Jobs enqueued of a name.");
    family([](const NameRow &row) { return row.totals.enqueued; });
    out.counter("name_jobs_succeeded_total", "Jobs of a name that succeeded.");
    family([](const NameRow &row) { return row.totals.succeeded; });
    out.counter("name_jobs_failed_total", "Jobs of a name that failed for good.");
    family([](const NameRow &row) { return row.totals.failed; });
    out.counter("name_attempts_failed_total", "Attempts of jobs of a name that failed.");
    family([](const NameRow &row) { return row.totals.failures; });
}

// The bins at whose end a time is a power of two, from 1 ms to about 9 hours.
void writeTimes(Exposition &out, const char *name, const char *help, const WholeDistributions::Times &times)
{
    constexpr int bins_of_two = 4;
    out.histogram(name, help);
    qint64 count = 0;
    for (int bin = 0; bin < Distribution::bins_count; ++bin) {
        count += times.bins[size_t(bin)];
        if (bin % bins_of_two == 0 && bin + bins_of_two < Distribution::bins_count)
            out.sample({{"le", QByteArray::number(Distribution::binEnd_ms(bin) / 1000, 'g', 12)}}, double(count), "_bucket");
    }
    out.sample({{"le", "+Inf"}}, double(count), "_bucket");
    out.sample({}, double(times.sum_ms) / 1000, "_sum");
    out.sample({}, double(count), "_count");
}

// As many samples as there are kinds of calls, which the program knows.
void writeTimings(Exposition &out, const char *name, const char *help, const char *label, const Timings &timings)
{
    out.histogram(name, help);
    for (const Timings::Row &row : timings.rows()) {
        qint64 count = 0;
        for (size_t bin = 0; bin < row.bins.size(); ++bin) {
            count += row.bins[bin];
            const QByteArray end = bin < Timings::ends_s.size() ? QByteArray::number(Timings::ends_s[bin], 'g', 6) : "+Inf";
            out.sample({{label, row.kind}, {"le", end}}, double(count), "_bucket");
        }
        out.sample({{label, row.kind}}, row.sum_s, "_sum");
        out.sample({{label, row.kind}}, double(count), "_count");
    }
}

void writeSituation(Exposition &out, const Overview &overview)
{
    out.gauge("held_jobs", "Ready jobs that are held back, each counted once.");
    out.one(double(overview.held.jobs));
    out.gauge("constraint_held_jobs", "Ready jobs that a constraint holds back; of those that hold most jobs.");
    for (const HeldBy &by : overview.held.by)
        out.sample({{"matcher", by.matcher}, {"constraint", by.constraint}, {"kind", by.kind}}, double(by.jobs));
    out.gauge("breaker_open_keys", "Keys at which a breaker is open.");
    for (const OpenBreaker &breaker : overview.breakers)
        out.sample({{"matcher", breaker.matcher}, {"constraint", breaker.constraint}}, double(breaker.keys));
    out.gauge("backlog_full_keys", "Keys at which a backlog is full.");
    for (const FullBacklog &full : overview.backlogs)
        out.sample({{"matcher", full.matcher}, {"constraint", full.constraint}, {"overflow", full.overflow}}, double(full.keys));
    out.gauge("pauses", "Pauses in force.");
    out.one(double(overview.pauses.size()));
}

void writeRedis(Exposition &out, const Overview &overview)
{
    if (overview.server.startedAt_ms > 0) {
        out.gauge("redis_start_time_seconds", "When Redis was started, in seconds since 1970.");
        out.one(double(overview.server.startedAt_ms) / 1000);
        out.gauge("redis_used_bytes", "Memory that Redis uses.");
        out.one(double(overview.server.usedBytes));
        out.gauge("redis_max_bytes", "The maxmemory of Redis, at which it refuses new jobs; 0 when it has none.");
        out.one(double(overview.server.maxBytes));
    }
    out.gauge("redis_lost_transactions", "Transactions that Redis had confirmed and came back without; 0 when that never happened.");
    out.one(double(overview.rollback.transactionsLost));
}

void writeJournal(Exposition &out, const JournalNow &journal)
{
    out.gauge("leads", "1 when this master leads its namespace, 0 when it passes requests on to the one that does.");
    out.one(journal.leadsSince_ms > 0 ? 1 : 0);
    if (journal.leadsSince_ms == 0)
        return;
    out.gauge("leads_since_seconds", "When this master began to lead, in seconds since 1970.");
    out.one(double(journal.leadsSince_ms) / 1000);
    out.gauge("journal_reach_seconds", "How far back this master can heal a Redis that lost its newest writes; 0 when nothing needs that.");
    out.one(double(journal.reach_ms) / 1000);
    out.gauge("journal_bytes", "Memory for what is kept to write again.");
    out.one(double(journal.bytes));
    out.counter("journal_healed_total", "Batches that Redis had confirmed, came back without, and has again.");
    out.one(double(journal.healed));
}

void writeNamespace(Exposition &out, const Figures &figures)
{
    writeStates(out, figures.overview);
    writeTotals(out, figures.overview.totals);
    writeNames(out, figures);
    writeTimes(out, "job_wait_seconds", "From when a job became ready to its claim.", figures.times.wait);
    writeTimes(out, "attempt_run_seconds", "From the claim of a job to the accepted report.", figures.times.run);
    writeSituation(out, figures.overview);
    writeRedis(out, figures.overview);
}

void getMetrics(const Parts &parts, const Call &call)
{
    parts.meter.read([call, times = parts.times](const Result<Figures> &figures) {
        if (!figures.ok()) {
            call.fail(figures.error());
            return;
        }
        Exposition out;
        out.gauge("build_info", "The version of this master.");
        out.sample({{"version", JUNBAN_VERSION}}, 1);
        if (!figures->journal || figures->journal->leadsSince_ms > 0)
            writeNamespace(out, *figures);
        if (figures->journal)
            writeJournal(out, *figures->journal);
        writeTimings(out, "http_request_seconds", "From a whole request to its answer, at this master, and with the time that it waited.",
            "operation", times->requests);
        writeTimings(out, "redis_call_seconds", "From the call of a script to its reply, at this master.", "script", times->calls);
        call.exchange().reply({200, Exposition::type, out.take()});
    });
}

constexpr Operation metricsHandlers[] = {here("getMetrics", getMetrics)};

} // namespace

const std::span<const Operation> metricsOperations = metricsHandlers;

} // namespace junban::api
