#include "server/api/answers.h"
#include "server/api/api.h"
#include "server/api/requests.h"

// What pushers and operators ask of one job. Handlers hold no rules: they decode, call and encode.
namespace junban::api {

void Api::enqueueJob(const Call &call)
{
    Result<JobSpec> spec = decodeJob(call.body);
    const Result<qint64> wait_ms = call.duration_ms("wait", limits::result_wait_s_max);
    const Result<QByteArray> receipt = call.name("receipt");
    for (const Error *error : {wait_ms.ok() ? nullptr : &wait_ms.error(), receipt.ok() ? nullptr : &receipt.error(),
             spec.ok() ? nullptr : &spec.error()}) {
        if (error) {
            call.fail(*error);
            return;
        }
    }
    const bool waits = *wait_ms > 0;
    spec->keepResult = spec->keepResult || waits;
    m_queue.enqueue(std::move(*spec), {}, [this, call, waits, wait = *wait_ms, key = *receipt](const Result<Enqueued> &enqueued) {
        if (!enqueued.ok())
            call.fail(enqueued.error());
        else if (waits && call.exchange().alive())
            answerWithResult(call, *enqueued, key, wait);
        else
            call.reply(enqueued->duplicate ? 200 : 201, encodeEnqueued(*enqueued));
    });
}

// The push is done, whatever becomes of the wait: an error on the way to the result is answered as "not finished yet".
void Api::answerWithResult(const Call &call, Enqueued enqueued, const QByteArray &receipt, qint64 wait_ms)
{
    const auto answer = [call, enqueued](const Result<ResultNow> &now) mutable {
        if (now.ok() && now->status != ResultStatus::Pending) {
            call.reply(200, encodeAnswered(enqueued, now->status == ResultStatus::Ready ? now->outcome : payload::nil));
            return;
        }
        if (now.ok())
            enqueued.state = now->state;
        call.reply(enqueued.duplicate ? 200 : 201, encodeEnqueued(enqueued));
    };
    const Queue::WaitId wait = m_queue.takeResult(enqueued.id, receipt, Fetch::Waited, wait_ms, answer);
    call.exchange().onGone([this, wait] { m_queue.giveUp(wait); });
}

namespace {

// An item's error as one of the whole request: the field's path begins at the top.
Error within(const char *list, qsizetype index, Error error)
{
    error.field = list + ('[' + QByteArray::number(index) + "].") + error.field;
    return error;
}

} // namespace

void Api::enqueueJobs(const Call &call)
{
    Result<QList<Result<JobSpec>>> batch = decodeBatch(call.body);
    if (!batch.ok()) {
        call.fail(batch.error());
        return;
    }
    // Those that were decoded well go on; the others keep their places with their errors.
    QList<JobSpec> specs;
    QList<Result<Enqueued>> results;
    for (Result<JobSpec> &spec : *batch) {
        results.append(spec.ok() ? Result<Enqueued>(Enqueued{}) : Result<Enqueued>(spec.error()));
        if (spec.ok())
            specs.append(std::move(*spec));
    }
    m_queue.enqueueMany(std::move(specs), {}, [call, results](Result<QList<Result<Enqueued>>> enqueued) mutable {
        if (!enqueued.ok()) {
            call.fail(enqueued.error());
            return;
        }
        qsizetype next = 0;
        for (qsizetype i = 0; i < results.size(); ++i) {
            if (!results[i].ok())
                continue;
            results[i] = std::move((*enqueued)[next++]);
            if (!results[i].ok() && !results[i].error().field.isEmpty())
                results[i] = within("jobs", i, results[i].error());
        }
        call.reply(200, encodeBatch(results));
    });
}

void Api::getResult(const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (!id)
        return;
    const Result<qint64> wait_ms = call.duration_ms("wait", limits::result_wait_s_max);
    const Result<QByteArray> receipt = call.name("receipt");
    const Result<bool> peek = call.flag("peek");
    for (const Error *error : {wait_ms.ok() ? nullptr : &wait_ms.error(), receipt.ok() ? nullptr : &receipt.error(),
             peek.ok() ? nullptr : &peek.error()}) {
        if (error) {
            call.fail(*error);
            return;
        }
    }
    const auto answer = [call](const Result<ResultNow> &now) {
        if (!now.ok()) {
            call.fail(now.error());
            return;
        }
        const auto field = [](const char *word) {
            return QList<QPair<QByteArray, QByteArray>>{qMakePair(QByteArray("Junban-Result"), QByteArray(word))};
        };
        switch (now->status) {
        case ResultStatus::Ready: call.reply(200, now->outcome, field("ready")); break;
        case ResultStatus::Pending: call.reply(202, encodePending(now->state), field("pending")); break;
        case ResultStatus::Gone: call.reply(200, payload::nil, field("gone")); break;
        }
    };
    if (*peek) {
        m_inspector.peekResult(*id, answer);
        return;
    }
    const Queue::WaitId wait = m_queue.takeResult(*id, *receipt, *wait_ms, answer);
    call.exchange().onGone([this, wait] { m_queue.giveUp(wait); });
}

void Api::cancelJob(const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (!id)
        return;
    const Result<CancelItem> item = decodeCancel(call.body, *id);
    if (!item.ok()) {
        call.fail(item.error());
        return;
    }
    m_queue.cancel({*item}, [call](const Result<QList<Result<StateNow>>> &states) {
        if (!states.ok())
            call.fail(states.error());
        else if (!states->first().ok())
            call.fail(states->first().error());
        else
            call.reply(200, encodeState(*states->first()));
    });
}

void Api::retryJob(const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (!id)
        return;
    const Result<Done> nothing = decodeNothing(call.body);
    if (!nothing.ok()) {
        call.fail(nothing.error());
        return;
    }
    m_queue.retry({*id}, [call](const Result<QList<Result<StateNow>>> &states) {
        if (!states.ok())
            call.fail(states.error());
        else if (!states->first().ok())
            call.fail(states->first().error());
        else
            call.reply(200, encodeState(*states->first()));
    });
}

} // namespace junban::api
