#pragma once

#include "core/engine/engine.h"
#include "core/msgpack/payload.h"

#include <QList>
#include <QtEndian>
#include <random>

namespace junban::test {

// What pushers, workers and operators ask of whichever engine leads, from a seed. They know of a job or lease only what they were told.
class QueueCalls
{
public:
    explicit QueueCalls(std::mt19937 &random)
        : m_random(random)
    {
    }

    // What a call has decided, and what its caller does with the answer when it is told.
    struct Decided {
        engine::Writes writes;
        std::function<void()> told;
    };

    Decided any(engine::Engine &engine, qint64 now_ms)
    {
        const std::function<quint64()> bits = [this] { return quint64(m_random()) << 32 | m_random(); };
        const engine::Moment at{now_ms, bits};
        switch (pick(12)) {
        case 0:
        case 1:
        case 2: return enqueue(engine, at);
        case 3:
        case 4:
        case 5: return claim(engine, at);
        case 6:
        case 7: return writesOf(engine.finish(reports(), at));
        case 8: return heartbeat(engine, at);
        case 9: return release(engine, at);
        case 10: return operate(engine, at);
        default: return sweep(engine, now_ms);
        }
    }

    Decided sweep(engine::Engine &engine, qint64 now_ms)
    {
        const std::function<quint64()> bits = [this] { return quint64(m_random()); };
        return writesOf(engine.sweep({now_ms, bits}));
    }

private:
    struct Held {
        JobId id;
        QByteArray lease;
    };

    int pick(int count) { return int(m_random() % unsigned(count)); }
    const JobId &anyJob() { return m_jobs.isEmpty() ? m_nobody : m_jobs[pick(int(m_jobs.size()))]; }

    template<typename Answer>
    static Decided writesOf(engine::Decided<Answer> decided)
    {
        return {std::move(decided.writes), [] {}};
    }

    // Workers work soon on what they were told last, and now and then still on what they have had for long.
    Held anyHeld()
    {
        if (m_held.isEmpty())
            return {anyJob(), "1.00000000000000000000000000000000"};
        return m_held[pick(4) != 0 ? int(m_held.size()) - 1 - pick(std::min(int(m_held.size()), 6)) : pick(int(m_held.size()))];
    }

    Decided enqueue(engine::Engine &engine, const engine::Moment &at)
    {
        static const QByteArray names[] = {"a", "b", "c"};
        QList<EnqueueItem> items;
        for (int i = pick(3); i >= 0; --i) {
            EnqueueItem item;
            item.id = newId(at.now_ms);
            item.spec.name = names[pick(3)];
            item.spec.priority = pick(3);
            item.spec.maxRetry = pick(3);
            item.spec.keepResult = pick(2);
            item.spec.timeout_ms = 1'000 * (1 + pick(10));
            item.spec.delay_ms = pick(4) == 0 ? pick(3'000) : 0;
            item.spec.backoff = {500, 2, 2'000, 0};
            if (pick(6) == 0)
                item.spec.idempotencyKey = QByteArray::number(pick(20));
            if (pick(20) == 0)
                item.spec.argument = QByteArray("\xc5\x13\x88", 3) + QByteArray(5'000, 'x'); // it stands apart in Redis
            items.append(item);
        }
        auto decided = engine.enqueue(items, at);
        return {std::move(decided.writes), [this, answer = decided.answer] {
                    for (const Result<Enqueued> &each : answer) {
                        if (each.ok())
                            m_jobs.append(each->id);
                    }
                }};
    }

    Decided claim(engine::Engine &engine, const engine::Moment &at)
    {
        ClaimRequest request;
        request.worker = "w" + QByteArray::number(pick(3));
        request.limit = 1 + pick(3);
        request.lease_ms = pick(2) ? 0 : 1'000 * (1 + pick(4));
        if (pick(2))
            request.names = {"a", "c"};
        auto decided = engine.claim({request}, at);
        return {std::move(decided.writes), [this, answer = decided.answer] {
                    for (const ClaimedJob &job : answer[0].jobs)
                        m_held.append({job.id, job.lease});
                }};
    }

    QList<FinishItem> reports()
    {
        QList<FinishItem> items;
        for (int i = pick(3); i >= 0; --i) {
            const Held held = anyHeld();
            Outcome outcome;
            outcome.finishedAt = "2026-01-01T00:00:00Z";
            outcome.result = payload::nil;
            if (pick(3) == 0) {
                outcome.type = OutcomeType::Failure;
                outcome.shouldRetry = pick(3) != 0;
                outcome.error = payload::nil;
                outcome.message = "broke";
            }
            items.append({held.id, held.lease, outcome, 0});
        }
        return items;
    }

    Decided heartbeat(engine::Engine &engine, const engine::Moment &at)
    {
        const Held held = anyHeld();
        return writesOf(engine.heartbeat({{held.id, held.lease, {}}}, at));
    }

    Decided release(engine::Engine &engine, const engine::Moment &at)
    {
        const Held held = anyHeld();
        return writesOf(engine.release({{held.id, held.lease, 0, 0, pick(3) == 0}}, at));
    }

    Decided operate(engine::Engine &engine, const engine::Moment &at)
    {
        switch (pick(3)) {
        case 0: return writesOf(engine.cancel({{anyJob(), pick(2) == 0, "somebody"}}, at));
        case 1: return writesOf(engine.retry({RetryItem(anyJob())}, at));
        default: return writesOf(engine.takeResult(anyJob(), pick(2) ? "r" : "", Fetch::First, at));
        }
    }

    // As an IdMaker's, but the same for the same seed.
    JobId newId(qint64 now_ms)
    {
        QByteArray bytes(JobId::size, '\0');
        qToBigEndian<quint64>(quint64(now_ms) << 16, bytes.data());
        qToBigEndian<quint64>(++m_made, bytes.data() + 8);
        return *JobId::fromBytes(bytes);
    }

    std::mt19937 &m_random;
    quint64 m_made = 0;
    JobId m_nobody = newId(1);
    QList<JobId> m_jobs;
    QList<Held> m_held;
};

} // namespace junban::test
