// New jobs, and their results.
#include "app/ctl/collect.h"
#include "app/ctl/verbs.h"
#include "core/base/reasons/ctl.h"
#include "core/limits.h"

#include <QTimer>
#include <algorithm>
#include <cstdio>

namespace junban::app {

namespace {

constexpr int patience_ms = 1'500;
constexpr qint64 result_wait_ms = qint64(limits::result_wait_s_max * 1000);

// How and when it runs.
void readRunning(Flags &flags, JobSpec &spec)
{
    spec.priority = flags.whole("--priority N", "A smaller number starts first",
        {priorityRange.min, priorityRange.max, limits::priority_default}).value_or(spec.priority);
    spec.maxRetry = flags.whole("--max-retry N", "How often a failed attempt is tried again",
        {0, limits::max_retry_max, limits::max_retry_default}).value_or(spec.maxRetry);
    spec.timeout_ms = flags.seconds_ms("--timeout SECONDS", "How long one attempt may take",
        {limits::timeout_s_min, limits::timeout_s_max, limits::timeout_s_default}).value_or(spec.timeout_ms);
    spec.delay_ms = flags.seconds_ms("--delay SECONDS", "Do not start before so long from now",
        {0, limits::delay_s_max, 0}).value_or(spec.delay_ms);
    spec.runAt_ms = flags.time_ms("--run-at TIME", "Do not start before this time, like 2026-01-02T03:04:05Z.");
    spec.windows = flags.windows("--window WINDOW",
        "When it may start: FROM-TO, a time zone (default UTC) and days (default all), like '22:00-06:00 Europe/Berlin sat,sun'.");
    spec.expiresIn_ms = flags.seconds_ms("--expires-in SECONDS", "Fail if it has not started by so long from now",
        {limits::expires_in_s_min, limits::expires_in_s_max, {}, "never"}).value_or(spec.expiresIn_ms);
    if (spec.delay_ms > 0 && spec.expiresIn_ms > 0 && spec.expiresIn_ms <= spec.delay_ms)
        flags.refuse(reasons::optionEndsBeforeDelay());
    spec.tags = flags.texts("--tag TAG", "A word to find it by.");
    spec.durability = flags.oneOf<DurabilityLevel>("--durability LEVEL", "What the answer to the push waits for",
        durabilityWords, "default");
}

// How it stands to other jobs.
void readRelations(Flags &flags, JobSpec &spec)
{
    const bool same = flags.on("--unique", "Only one job with this name and argument may be in place.");
    const auto key = flags.text("--unique-key KEY", "Only one job with this name and this key may be in place.");
    const auto until = flags.oneOf<UniqueUntil>("--unique-until WORD", "Until when that job is in place", uniqueUntilWords, "finished");
    const auto onConflict = flags.oneOf<OnConflict>("--on-conflict WORD", "What happens when one is in place", onConflictWords, "coalesce");
    if (same || key)
        spec.unique = Unique{key.value_or(QByteArray()), until.value_or(UniqueUntil::Finished), onConflict.value_or(OnConflict::Coalesce)};
    else if (until || onConflict)
        flags.refuse(reasons::optionNeeds(until ? "--unique-until" : "--on-conflict", "--unique or --unique-key"));
    spec.dependsOn = flags.jobs("--depends-on ID", "Run only when this job has succeeded.");
    spec.onDependencyFailure = flags.oneOf<OnDependencyFailure>("--on-dependency-failure WORD", "What happens when such a job fails",
        onDependencyFailureWords, "fail").value_or(spec.onDependencyFailure);
    spec.group = flags.text("--group GROUP", "The group it is counted in.").value_or(QByteArray());
    spec.idempotencyKey
        = flags.text("--idempotency-key KEY", "Pushing again with the same key finds the first job.").value_or(QByteArray());
}

// To somebody who waits longer than a job usually takes.
void sayIfNobodyWorks(Session &session, JobId id, const QByteArray &name)
{
    session.client().explain(id, [&session, name](const Result<client::Explanation> &found) {
        if (!found.ok()) // it is no more than a hint: a token may not be allowed to ask
            return;
        const auto isMissing = [](const client::Gate &gate) {
            return gate.gate == "workers" && gate.status == client::GateStatus::Holding;
        };
        if (std::any_of(found->gates.cbegin(), found->gates.cend(), isMissing))
            session.note("no worker asks for jobs called '" + forTerminal(name) + "' at " + session.masterText() + "; it waits for one");
    });
}

} // namespace

void push(Session &session, Flags &flags)
{
    JobSpec spec;
    spec.name = flags.word("NAME", "The name of the job, which says who can work it, like mail.send.");
    spec.argument = flags.value("the job's argument", "null").value_or(spec.argument);
    const bool wait = flags.on("--wait", "Wait for the end of the job, and print its result instead of its id.");
    readRunning(flags, spec);
    spec.keepResult = flags.on("--keep-result", "Keep the result until it is collected; --wait does so too.") || wait;
    spec.resultTtl_ms = flags.seconds_ms("--result-ttl SECONDS", "How long a kept result waits to be collected",
        {limits::result_ttl_s_min, limits::result_ttl_s_max, limits::result_ttl_s_default}).value_or(spec.resultTtl_ms);
    readRelations(flags, spec);
    const QList<QByteArray> then
        = flags.values("--then JSON", "A job that its success enqueues, like '{\"name\": \"mail\", \"argument\": 1}'.");
    flags.note("Without --wait it prints the job's id. With --wait it prints the result as JSON when the job succeeds, or says how the\n"
               "job ended. The result is taken from the master when it is printed.");
    if (!flags.ready())
        return;
    session.client().enqueue(spec, then, [&session, wait, asked = spec.durability, name = spec.name](const Result<Enqueued> &enqueued) {
        if (!enqueued.ok()) {
            session.fail(enqueued.error());
            return;
        }
        if (asked && enqueued->durability != asked)
            std::fprintf(stderr, "junbanctl: not %s in time\n", durabilityWord(*asked));
        if (wait) {
            collect(session, {enqueued->id, result_wait_ms, true});
            QTimer::singleShot(patience_ms, &session, [&session, id = enqueued->id, name] { sayIfNobodyWorks(session, id, name); });
            return;
        }
        session.finish(enqueued, enqueuedTable, [](const Enqueued &job) { return job.id.text() + '\n'; });
    });
}

void result(Session &session, Flags &flags)
{
    const JobId id = flags.job("The job.");
    const bool wait = flags.on("--wait", "Wait for the end of the job, up to 60 seconds.");
    const bool peek = flags.on("--peek", "Only look: print the whole outcome and leave it there.");
    const bool reveal = flags.on("--reveal", "With --peek: show values that are hidden. For operators; it is noted who did so.");
    if (reveal && !peek)
        flags.refuse(reasons::optionNeeds("--reveal", "--peek"));
    flags.note("It prints a success' result as JSON, or says how the job ended. The result is taken from the master when it is printed.");
    if (!flags.ready())
        return;
    collect(session, {id, wait ? result_wait_ms : 0, false, !peek, reveal ? client::Reveal::Yes : client::Reveal::No});
}

} // namespace junban::app
