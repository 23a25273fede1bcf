// New jobs, and their results.
#include "app/ctl/flagreader.h"
#include "app/ctl/terminal.h"
#include "app/ctl/verbs.h"
#include "core/msgpack/json.h"

#include <QFile>
#include <cstdio>
#include <unistd.h>

namespace junban::app {

namespace {

// One member of an outcome object as JSON, e.g. a success' result.
QByteArray memberJson(const QByteArray &object, const char *key)
{
    const payload::Step path[] = {{QByteArrayView(key), -1}};
    const auto value = payload::find(object, path);
    return value ? forTerminal(json::fromMsgpack(*value)) : QByteArray("null");
}

// What only some jobs have.
void readSpecial(FlagReader &read, JobSpec &spec)
{
    const auto until = read.oneOf<UniqueUntil>("unique-until", uniqueUntilWords);
    const auto onConflict = read.oneOf<OnConflict>("on-conflict", onConflictWords);
    if (read.has("unique") || read.has("unique-key"))
        spec.unique = Unique{read.text("unique-key"), until.value_or(UniqueUntil::Finished), onConflict.value_or(OnConflict::Coalesce)};
    else if (until || onConflict)
        read.refuse(until ? "unique-until" : "on-conflict", "needs --unique or --unique-key");
    spec.dependsOn = read.ids("depends-on");
    spec.onDependencyFailure = read.oneOf<OnDependencyFailure>("on-dependency-failure", onDependencyFailureWords)
                                   .value_or(spec.onDependencyFailure);
    spec.expiresIn_ms = read.seconds_ms("expires-in").value_or(spec.expiresIn_ms);
    spec.group = read.text("group");
    spec.windows = read.windows("window");
}

} // namespace

bool Verbs::hasArgument() const
{
    return m_words.contains(QStringLiteral("-")) || m_flags.isSet(QStringLiteral("arg")) || m_flags.isSet(QStringLiteral("arg-file"));
}

// --arg JSON, --arg-file FILE (JSON, or MessagePack when it ends in .msgpack), or - for standard input.
Result<QByteArray> Verbs::argumentOf() const
{
    const bool fromInput = m_words.contains(QStringLiteral("-"));
    if (m_flags.isSet(QStringLiteral("arg")))
        return json::toMsgpack(m_flags.value(QStringLiteral("arg")).toUtf8());
    if (!hasArgument())
        return QByteArray(payload::nil);
    const QString path = m_flags.value(QStringLiteral("arg-file"));
    QFile file(path);
    const bool opened = fromInput ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    if (!opened)
        return Error{ErrorCode::InvalidField, path.toUtf8() + " cannot be read."};
    const QByteArray bytes = file.readAll();
    return path.endsWith(QStringLiteral(".msgpack")) ? Result<QByteArray>(bytes) : json::toMsgpack(bytes);
}

Result<JobSpec> Verbs::specOf() const
{
    JobSpec spec;
    spec.name = m_words.value(0).toUtf8();
    Result<QByteArray> argument = argumentOf();
    if (!argument.ok())
        return argument.error();
    spec.argument = std::move(*argument);
    FlagReader read(m_flags);
    spec.priority = read.whole("priority").value_or(spec.priority);
    spec.maxRetry = read.whole("max-retry").value_or(spec.maxRetry);
    spec.timeout_ms = read.seconds_ms("timeout").value_or(spec.timeout_ms);
    spec.delay_ms = read.seconds_ms("delay").value_or(spec.delay_ms);
    spec.runAt_ms = read.time_ms("run-at");
    spec.resultTtl_ms = read.seconds_ms("result-ttl").value_or(spec.resultTtl_ms);
    spec.keepResult = read.has("keep-result") || read.has("wait");
    spec.durability = read.oneOf<DurabilityLevel>("durability", durabilityWords);
    spec.idempotencyKey = read.text("idempotency-key");
    spec.tags = read.texts("tag");
    readSpecial(read, spec);
    if (read.error())
        return *read.error();
    return spec;
}

void Verbs::push()
{
    if (m_words.isEmpty() || m_words.first() == QStringLiteral("-")) {
        misused("push needs a NAME");
        return;
    }
    const Result<JobSpec> spec = specOf();
    FlagReader read(m_flags);
    const QList<QByteArray> then = read.values("then");
    if (!spec.ok() || read.error()) {
        misused(spec.ok() ? read.error()->message : spec.error().message);
        return;
    }
    m_client.enqueue(*spec, then, [this, asked = spec->durability](const Result<client::Enqueued> &enqueued) {
        if (!enqueued.ok()) {
            fail(enqueued.error());
            return;
        }
        if (asked && enqueued->durability != asked)
            std::fprintf(stderr, "junbanctl: not %s in time\n", durabilityWord(*asked));
        if (m_flags.isSet(QStringLiteral("wait"))) {
            collect(enqueued->id, 60'000);
        } else {
            print(enqueued->id.text() + '\n');
            Q_EMIT ended(0);
        }
    });
}

// Prints a success' result as JSON and ends with 0; a failure's message, and ends with 1. Waits on while the job is not finished.
void Verbs::collect(JobId id, qint64 wait_ms)
{
    client::ResultQuery query;
    query.wait_ms = wait_ms;
    query.receipt = "ctl-" + QByteArray::number(getpid());
    const bool pushed = m_flags.isSet(QStringLiteral("wait")) && m_words.value(0) != QString::fromUtf8(id.text());
    m_client.result(id, query, [this, id, wait_ms, pushed](const Result<client::ResultNow> &now) {
        if (!now.ok()) {
            fail(now.error());
            return;
        }
        if (now->status == client::ResultStatus::Pending && pushed) {
            collect(id, wait_ms);
            return;
        }
        if (now->status != client::ResultStatus::Ready) {
            print(now->status == client::ResultStatus::Pending ? QByteArray("not finished: ") + stateWord(now->state) + '\n' : "null\n");
            Q_EMIT ended(now->status == client::ResultStatus::Pending ? 1 : 0);
            return;
        }
        if (memberJson(now->outcome, "type") == "\"success\"") {
            print(memberJson(now->outcome, "result") + '\n');
            Q_EMIT ended(0);
        } else {
            std::fprintf(stderr, "failed: %s\n", memberJson(now->outcome, "message").constData());
            Q_EMIT ended(1);
        }
    });
}

} // namespace junban::app
