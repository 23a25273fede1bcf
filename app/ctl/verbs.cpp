#include "app/ctl/verbs.h"

#include "app/ctl/terminal.h"
#include "core/base/isotime.h"
#include "core/msgpack/json.h"

#include <QDateTime>
#include <QFile>
#include <QTimer>
#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace junban::app {

namespace {

QByteArray utf8(const QString &text)
{
    return text.toUtf8();
}

// As JSON that is safe on a terminal, and the same value still: only characters within strings are ever escaped.
QByteArray jsonText(QByteArrayView value)
{
    return forTerminal(json::fromMsgpack(value));
}

QByteArray ago(qint64 at_ms)
{
    return at_ms == 0 ? QByteArray("-") : about(QDateTime::currentMSecsSinceEpoch() - at_ms);
}

QByteArray jobText(const Job &job)
{
    const auto time = [](qint64 at_ms) { return at_ms == 0 ? QByteArray("-") : isoTime(at_ms); };
    QByteArray text = forTerminal(job.spec.name) + "  " + job.id.text() + "  " + stateWord(job.state);
    if (!job.reason.isEmpty())
        text += " (" + forTerminal(job.reason) + ')';
    text += "\npriority " + QByteArray::number(job.spec.priority) + ", attempt " + QByteArray::number(job.attempt) + ", failures "
        + QByteArray::number(job.failures) + " of " + QByteArray::number(job.spec.maxRetry + 1) + "\nenqueued " + time(job.createdAt_ms);
    if (job.runAt_ms > 0)
        text += "\nnext run " + time(job.runAt_ms);
    if (job.finishedAt_ms > 0)
        text += "\nfinished " + time(job.finishedAt_ms);
    if (job.progressTotal > 0)
        text += "\nprogress " + QByteArray::number(job.progressDone) + " of " + QByteArray::number(job.progressTotal) + ' '
            + forTerminal(job.progressMessage);
    text += "\nargument " + (job.argument_bytes > job.spec.argument.size() ? QByteArray::number(job.argument_bytes) + " bytes"
                                                                           : jsonText(job.spec.argument));
    QList<QList<QByteArray>> rows{{"#", "worker", "started", "took", "ended", "message"}};
    for (const Attempt &attempt : job.attempts) {
        rows.append({QByteArray::number(attempt.number), forTerminal(attempt.worker), time(attempt.startedAt_ms),
            attempt.endedAt_ms > 0 ? about(attempt.endedAt_ms - attempt.startedAt_ms) : QByteArray("-"),
            attempt.ended.isEmpty() ? QByteArray("runs") : forTerminal(attempt.ended), forTerminal(attempt.message)});
    }
    return text + '\n' + (job.attempts.isEmpty() ? QByteArray() : '\n' + table(rows));
}

QByteArray statusText(const client::Overview &overview, const client::NamePage &names)
{
    QList<QList<QByteArray>> states{{"state", "jobs"}};
    for (const JobState state : {JobState::Ready, JobState::Scheduled, JobState::Running, JobState::Succeeded, JobState::Failed,
             JobState::Cancelled})
        states.append({stateWord(state), QByteArray::number(overview.count(state))});
    const auto rate = [](double perSecond) { return QByteArray::number(perSecond, 'f', 1) + "/s"; };
    QByteArray text = "Junban " + overview.version + "  " + isoTime(overview.now_ms) + "\nenqueued " + rate(overview.rates.enqueued)
        + "  started " + rate(overview.rates.started) + "  succeeded " + rate(overview.rates.succeeded) + "  failures "
        + rate(overview.rates.failures) + "\n\n" + table(states) + '\n';
    QList<QList<QByteArray>> rows{{"name", "ready", "enqueued", "succeeded", "failed"}};
    for (const client::NameRow &row : names.names)
        rows.append({forTerminal(row.name), QByteArray::number(row.ready), QByteArray::number(row.totals.enqueued),
            QByteArray::number(row.totals.succeeded), QByteArray::number(row.totals.failed)});
    return text + (rows.size() > 1 ? table(rows) : QByteArray());
}

} // namespace

Verbs::Verbs(client::ApiClient &client, const QCommandLineParser &flags, QStringList words, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_flags(flags)
    , m_words(std::move(words))
{
}

bool Verbs::run(const QString &verb)
{
    const QHash<QString, void (Verbs::*)()> verbs{{QStringLiteral("push"), &Verbs::push}, {QStringLiteral("jobs"), &Verbs::jobs},
        {QStringLiteral("job"), &Verbs::job}, {QStringLiteral("result"), &Verbs::result}, {QStringLiteral("retry"), &Verbs::retry},
        {QStringLiteral("cancel"), &Verbs::cancel}, {QStringLiteral("status"), &Verbs::status},
        {QStringLiteral("doctor"), &Verbs::doctor}, {QStringLiteral("fsck"), &Verbs::fsck}, {QStringLiteral("edit"), &Verbs::edit},
        {QStringLiteral("message"), &Verbs::message}, {QStringLiteral("group"), &Verbs::group},
        {QStringLiteral("trip"), &Verbs::trip}, {QStringLiteral("reset"), &Verbs::reset},
        {QStringLiteral("schedules"), &Verbs::schedules}, {QStringLiteral("failures"), &Verbs::failures},
        {QStringLiteral("results"), &Verbs::results}, {QStringLiteral("stats"), &Verbs::stats},
        {QStringLiteral("delete"), &Verbs::remove}, {QStringLiteral("restore"), &Verbs::restore},
        {QStringLiteral("track"), &Verbs::track}, {QStringLiteral("untrack"), &Verbs::untrack}};
    if (!verbs.contains(verb))
        return false;
    (this->*verbs[verb])();
    return true;
}

void Verbs::print(const QByteArray &text)
{
    std::fwrite(text.constData(), 1, size_t(text.size()), stdout);
    std::fflush(stdout);
}

void Verbs::fail(const Error &error)
{
    std::fprintf(stderr, "junbanctl: %s\n", forTerminal(error.message).constData());
    Q_EMIT ended(1);
}

void Verbs::misused(const QByteArray &what)
{
    std::fprintf(stderr, "junbanctl: %s\nTry --help.\n", what.constData());
    Q_EMIT ended(2);
}

Result<JobId> Verbs::idOf(int word) const
{
    const std::optional<JobId> id = JobId::fromText(utf8(m_words.value(word)));
    if (!id)
        return Error{ErrorCode::InvalidField, "'" + utf8(m_words.value(word)) + "' is not a job id."};
    return *id;
}

// All words as ids, so that a misspelt one is met before anything is done; nothing, and misused, when one is not.
std::optional<QList<JobId>> Verbs::idsOf(const char *otherwise)
{
    QList<JobId> ids;
    for (int word = 0; word < m_words.size(); ++word) {
        const Result<JobId> id = idOf(word);
        if (!id.ok()) {
            misused(id.error().message);
            return {};
        }
        ids.append(*id);
    }
    if (ids.isEmpty()) {
        misused(otherwise);
        return {};
    }
    return ids;
}

void Verbs::result()
{
    const Result<JobId> id = idOf(0);
    if (!id.ok()) {
        misused(id.error().message);
        return;
    }
    if (m_flags.isSet(QStringLiteral("peek"))) {
        m_client.peekResult(*id, [this](const Result<client::ResultNow> &now) {
            if (!now.ok()) {
                fail(now.error());
                return;
            }
            print((now->status == client::ResultStatus::Ready ? jsonText(now->outcome) : QByteArray("null")) + '\n');
            Q_EMIT ended(0);
        });
        return;
    }
    collect(*id, m_flags.isSet(QStringLiteral("wait")) ? 60'000 : 0);
}

void Verbs::jobs()
{
    client::JobQuery query;
    if (m_flags.isSet(QStringLiteral("state"))) {
        query.state = stateFromWord(utf8(m_flags.value(QStringLiteral("state"))));
        if (!query.state) {
            misused("--state must be a state of a job");
            return;
        }
    }
    query.name = utf8(m_flags.value(QStringLiteral("name")));
    query.tag = utf8(m_flags.value(QStringLiteral("tag")));
    query.match = utf8(m_flags.value(QStringLiteral("match")));
    query.limit = m_flags.isSet(QStringLiteral("limit")) ? m_flags.value(QStringLiteral("limit")).toInt() : limits::page_rows_default;
    jobsOf(std::move(query), {});
}

// With a filter a page may come back short though more follow.
void Verbs::jobsOf(client::JobQuery query, QList<Job> found)
{
    m_client.jobs(query, [this, query, found](const Result<client::JobPage> &page) mutable {
        if (!page.ok()) {
            fail(page.error());
            return;
        }
        for (const Job &job : page->jobs) { // one that has moved on meanwhile may come twice
            if (std::none_of(found.cbegin(), found.cend(), [&job](const Job &other) { return other.id == job.id; }))
                found.append(job);
        }
        query.limit -= int(page->jobs.size());
        query.cursor = page->next;
        if (!query.cursor.isEmpty() && query.limit > 0) {
            jobsOf(std::move(query), std::move(found));
            return;
        }
        QList<QList<QByteArray>> rows{{"ID", "STATE", "NAME", "PRI", "ATTEMPT", "AGE", "WORKER", "MESSAGE"}};
        for (const Job &job : std::as_const(found)) {
            rows.append({job.id.text(), stateWord(job.state), forTerminal(job.spec.name), QByteArray::number(job.spec.priority),
                QByteArray::number(job.attempt) + '/' + QByteArray::number(job.spec.maxRetry + 1), ago(job.createdAt_ms),
                job.worker.isEmpty() ? QByteArray("-") : forTerminal(job.worker), forTerminal(job.message)});
        }
        print(table(rows));
        if (!page->next.isEmpty()) {
            std::fprintf(stderr, "%lld of %lld shown; narrow with --state, --name, --tag, --match or raise --limit\n",
                static_cast<long long>(found.size()), static_cast<long long>(page->coverage.total));
        }
        Q_EMIT ended(0);
    });
}

void Verbs::job()
{
    const Result<JobId> id = idOf(0);
    if (!id.ok()) {
        misused(id.error().message);
        return;
    }
    m_client.job(*id, [this](const Result<Job> &found) {
        if (!found.ok()) {
            fail(found.error());
            return;
        }
        print(jobText(*found));
        Q_EMIT ended(0);
    });
}

void Verbs::retry()
{
    const std::optional<QList<JobId>> ids = idsOf("retry needs job ids");
    if (!ids)
        return;
    m_left = int(ids->size());
    for (const JobId id : *ids) {
        m_client.retryJob(id, [this, id](const Result<client::StateNow> &now) {
            print(id.text() + ' ' + (now.ok() ? QByteArray(stateWord(now->state)) : forTerminal(now.error().message)) + '\n');
            m_exitCode = now.ok() ? m_exitCode : 1;
            if (--m_left == 0)
                Q_EMIT ended(m_exitCode);
        });
    }
}

void Verbs::cancel()
{
    const std::optional<QList<JobId>> ids = idsOf("cancel needs job ids");
    if (!ids)
        return;
    m_left = int(ids->size());
    const auto mode = m_flags.isSet(QStringLiteral("force")) ? client::CancelMode::Force : client::CancelMode::Ask;
    for (const JobId id : *ids) {
        m_client.cancelJob(id, mode, [this, id](const Result<client::StateNow> &now) {
            QByteArray what = now.ok() ? QByteArray(stateWord(now->state)) : forTerminal(now.error().message);
            if (now.ok() && now->cancelRequested)
                what += ", its worker was asked to stop";
            print(id.text() + ' ' + what + '\n');
            m_exitCode = now.ok() ? m_exitCode : 1;
            if (--m_left == 0)
                Q_EMIT ended(m_exitCode);
        });
    }
}

void Verbs::doctor()
{
    m_client.doctor([this](const Result<QList<client::Finding>> &findings) {
        if (!findings.ok()) {
            fail(findings.error());
            return;
        }
        for (const client::Finding &finding : *findings)
            print(forTerminal(finding.severity) + ' ' + forTerminal(finding.word) + ": " + forTerminal(finding.message) + '\n');
        if (findings->isEmpty())
            print("nothing found\n");
        Q_EMIT ended(findings->isEmpty() ? 0 : 1);
    });
}

// Once, or every second over the same screen with --watch.
void Verbs::status()
{
    m_client.overview([this](const Result<client::Overview> &overview) {
        if (!overview.ok()) {
            fail(overview.error());
            return;
        }
        m_client.names(20, {}, [this, overview = *overview](const Result<client::NamePage> &names) {
            if (!names.ok()) {
                fail(names.error());
                return;
            }
            const bool watch = m_flags.isSet(QStringLiteral("watch"));
            print((watch ? QByteArray("\x1b[H\x1b[2J") : QByteArray()) + statusText(overview, *names));
            if (watch)
                QTimer::singleShot(1'000, this, [this] { status(); });
            else
                Q_EMIT ended(0);
        });
    });
}

} // namespace junban::app
