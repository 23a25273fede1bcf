#include "tests/support/texts.h"

#include <algorithm>

namespace junban::test {

QByteArray text(const Attempt &attempt)
{
    return QByteArray::number(attempt.number) + ' ' + attempt.worker + ' ' + QByteArray::number(attempt.startedAt_ms) + ' '
        + QByteArray::number(attempt.endedAt_ms) + ' ' + attempt.ended + ' ' + attempt.message + ' '
        + QByteArray::number(attempt.shouldRetry) + ' ' + QByteArray::number(attempt.nextRunAt_ms) + "; ";
}

QByteArray text(const Job &job)
{
    QByteArray out = job.id.text() + ' ' + job.spec.name + ' ' + stateWord(job.state);
    for (const qint64 number : {qint64(job.attempt), qint64(job.failures), qint64(job.releases), job.createdAt_ms, job.runAt_ms,
             job.startedAt_ms, job.finishedAt_ms, job.leaseExpiresAt_ms, job.deadline_ms, qint64(job.cancelRequested),
             qint64(job.progress.done), qint64(job.progress.total), job.argument_bytes, qint64(job.dependenciesLeft), job.expiresAt_ms})
        out += ' ' + QByteArray::number(number);
    return out + ' ' + job.worker + ' ' + job.reason + ' ' + job.message + ' ' + job.progress.message + ' ' + packRecord(job.spec).toHex();
}

QByteArray text(const Event &event)
{
    return QByteArray::number(event.at_ms) + ' ' + event.what + ' ' + event.actor + ' ' + QByteArray::number(event.attempt)
        + (event.what == "edited" ? event.details : QByteArray()) + "; ";
}

QByteArray text(const Group &g)
{
    QByteArray out = g.group + ' ' + g.callback.text() + (g.callbackRefused.isEmpty() ? "" : " refused") + ' ' + g.pusher;
    for (const qint64 number : {g.total, g.pending, g.succeeded, g.failed, g.cancelled, qint64(g.open), qint64(g.hasCallback),
             qint64(g.shared), g.createdAt_ms, g.endedAt_ms})
        out += ' ' + QByteArray::number(number);
    return out;
}

QByteArray text(const Overview &c)
{
    QByteArray out;
    for (const qint64 number : {c.totals.enqueued, c.totals.started, c.totals.succeeded, c.totals.failed, c.totals.failures,
             c.totals.retried, c.totals.expired, c.totals.cancelled, c.resultsKept})
        out += ' ' + QByteArray::number(number);
    for (const qint64 number : c.byState)
        out += ' ' + QByteArray::number(number);
    return out;
}

QByteArray text(const QList<NameRow> &names)
{
    QByteArray out;
    for (const NameRow &c : names) {
        out += c.name;
        for (const qint64 number : {c.ready, c.totals.enqueued, c.totals.succeeded, c.totals.failed, c.totals.failures})
            out += ' ' + QByteArray::number(number);
        out += "; ";
    }
    return out;
}

QByteArray text(Swept swept)
{
    std::sort(swept.readyNames.begin(), swept.readyNames.end());
    std::sort(swept.finished.begin(), swept.finished.end());
    std::sort(swept.windowsWanted.begin(), swept.windowsWanted.end());
    QByteArray out;
    for (const qint64 number : {qint64(swept.expired), qint64(swept.promoted), qint64(swept.purged), swept.nextDue_ms})
        out += ' ' + QByteArray::number(number);
    for (const QByteArray &name : std::as_const(swept.readyNames))
        out += ' ' + name;
    for (const JobId &id : swept.finished + swept.windowsWanted)
        out += ' ' + id.text();
    return out;
}

} // namespace junban::test
