#pragma once

#include "core/base/clock.h"
#include "core/engine/engine.h"
#include "core/redis/address.h"
#include "core/store/journalnow.h"
#include "core/store/rollback.h"
#include "core/store/store.h"

#include <QString>
#include <algorithm>
#include <functional>
#include <memory>

namespace junban::memory {

// The queue in memory: an engine decides, and a journal writes what it decided to Redis before anybody is told. What it does not have
// yet (engine::Engine::lacks()) it refuses with Conflict (`not_in_memory_engine`), which names what is missing.
//
// Contract, threads and errors as for Store, but no call is repeated. StoreUnavailable: `memory_engine_waits` is told of a call that was
// not decided within two seconds, and was surely not done; `memory_engine_unsure` of one that Redis may have or not.
class MemoryStore : public Store
{
public:
    struct Options {
        redis::Address address;
        QByteArray namespaceName;    // has passed RedisStore::validNamespace()
        QString noteFile = {};       // where the last batch is noted, so that a start can tell of a rollback; empty: nowhere
    };
    // The clock learns the engine's time; it must outlive the store.
    MemoryStore(Options options, Clock &clock);
    ~MemoryStore() override;

    // Before start(). `notice` is told of acknowledged changes that are gone; it must outlive the store.
    void setRollbackNotice(RollbackNotice *notice);
    // Before start(). Whether there is a token with this id, expired or not: what is a revoked one's is nobody's.
    void setTokens(std::function<bool(const QByteArray &id)> isToken);
    // Before start(). Called when nothing can be decided any more: what Redis holds contradicts itself, or refuses a write for good.
    void setStopped(std::function<void()> stopped);
    void start();
    // Calls `then` once: when requests are decided, here or by a leader that is reached from here, or after ten seconds at the latest.
    void whenServing(std::function<void()> then);
    // Where other masters reach this one, host:port; on a loopback address those of the same machine do; empty: none does. And SHA-256 of
    // the certificate that it shows there, in hexadecimal digits; empty: it speaks no TLS.
    void setAddress(const QByteArray &address, const QByteArray &certificate);
    // Whether this master leads the namespace.
    bool leads() const;
    // Where another one that leads is reached from here, and the secret of its leadership. An empty address: there is none.
    struct Leader {
        QByteArray address;
        QByteArray certificate;
        QByteArray secret;
    };
    Leader otherLeader() const;
    // Of the leaderships of this master.
    QByteArray secret() const;
    // Decides nothing more, and calls `then` when Redis has everything and another master may lead. It is not called while Redis is away.
    void leave(std::function<void()> then);

    // Engine time, milliseconds since the epoch.
    qint64 now_ms() const;
    // The number of the last batch that was decided: another one after each change.
    qint64 lastBatch() const;
    // The last batch that Redis has said to have, and where Redis notes that. An empty id: no namespace is loaded.
    struct Saved {
        QByteArray leadKey;
        QByteArray id;
        qint64 n = 0;
    };
    Saved saved() const;
    // No crash of one server can lose the batches up to this one, so they need not be kept to heal Redis with.
    void cover(const Saved &saved);
    // What was changed when, besides jobs; none of a namespace that is not loaded.
    LastChanges lastChanges() const;
    // What Redis can be healed with.
    JournalNow journalNow() const;
    // How many reads were told although Redis did not have all of what they tell, or could not be asked who leads. It rises before such an
    // answer is told.
    const quint64 &unsavedReads() const;
    // What publishAskedNames() has stored.
    const QList<AskedNames> &asked() const;

    // For the stores that ask this one's engine (memorylimits.h, memoryschedules.h, besidestores.h). A read is answered as the engine is
    // then, and changes nothing that anybody sees.
    template<typename Answer, typename Call>
    void read(Callback<Answer> callback, Call call)
    {
        const auto answered = [callback, call = std::move(call)](engine::Engine &engine) -> Told {
            const Result<Answer> answer(call(engine));
            return [callback, answer](const Error *lost) { callback(lost ? Result<Answer>(*lost) : answer); };
        };
        readEngine(answered, [callback](const Error &refusal) { callback(refusal); });
    }
    // `call` decides: it takes the engine and the moment, and returns a Decided<Answer> or Decided<Result<Answer>>. `more_bytes`: what
    // Redis needs for that besides what it replaces. If that is more than 0, the call is refused while Redis is nearly full (step 11 of the
    // protocol).
    template<typename Answer, typename Call>
    void decide(Callback<Answer> callback, Call call, qint64 more_bytes = 0)
    {
        const auto decideNow = [callback, call = std::move(call)](engine::Engine &engine, const engine::Moment &at) -> Decision {
            auto decided = call(engine, at);
            const bool refused = isRefused(decided.answer);
            const auto told = [callback, answer = Result<Answer>(std::move(decided.answer))](const Error *lost) {
                callback(lost ? Result<Answer>(*lost) : answer);
            };
            return {std::move(decided.writes), std::move(decided.wake), refused, told};
        };
        decideEngine(decideNow, [callback](const Error &refusal) { callback(refusal); }, more_bytes);
    }

    void enqueue(QList<EnqueueItem> items, Callback<QList<Result<Enqueued>>> callback) override;
    void finishAndClaim(QList<FinishItem> items, QList<ClaimRequest> claims, Callback<FinishAndClaimReply> callback) override;
    void heartbeat(QList<HeartbeatItem> items, Callback<QList<Result<Heartbeat>>> callback) override;
    void release(QList<ReleaseItem> items, Callback<QList<Result<StateNow>>> callback) override;
    void cancel(QList<CancelItem> items, Callback<QList<Result<StateNow>>> callback) override;
    void retry(QList<RetryItem> items, Callback<QList<Result<StateNow>>> callback) override;
    void handOff(HandoffItem item, Callback<StateNow> callback) override;
    void message(MessageItem item, Callback<MessageTaken> callback) override;
    void edit(EditItem item, Callback<StateNow> callback) override;
    void changeGroup(GroupChange change, Callback<Group> callback) override;
    void group(QByteArray group, GroupCaller caller, Callback<Group> callback) override;
    void sweep(Callback<Swept> callback) override;
    void setWindows(JobId id, QList<qint64> boundaries, Callback<Done> callback) override;
    void takeResult(JobId id, QByteArray receipt, Fetch fetch, Callback<ResultNow> callback) override;
    void peekResult(JobId id, Callback<ResultNow> callback) override;
    void get(JobId id, Callback<Job> callback) override;
    void page(PageRequest request, Callback<Page> callback) override;
    void rows(QList<JobId> ids, PageDetail detail, Callback<QList<Job>> callback) override;
    void counts(Callback<Overview> callback) override;
    void names(int limit, QByteArray after, Callback<QList<NameRow>> callback) override;
    void publishAskedNames(AskedNames names, Callback<Done> callback) override;
    void probe(Callback<Done> callback) override;
    void setHintHandler(std::function<void(const Hints &)> handler) override;

private:
    // Gives an answer that was read; `lost`: it could not be proved that this master leads.
    using Told = std::function<void(const Error *lost)>;
    void readEngine(std::function<Told(engine::Engine &)> call, std::function<void(const Error &)> refused);
    struct Decision {
        engine::Writes writes;
        Hints wake;
        bool refused = false;
        Told told;
    };
    void decideEngine(std::function<Decision(engine::Engine &, const engine::Moment &)> call, std::function<void(const Error &)> refused,
        qint64 more_bytes);
    template<typename Answer>
    static bool isRefused(const Result<Answer> &answer)
    {
        return !answer.ok();
    }
    template<typename Answer>
    static bool isRefused(const QList<Result<Answer>> &answers)
    {
        return std::any_of(answers.begin(), answers.end(), [](const Result<Answer> &each) { return !each.ok(); });
    }
    template<typename Answer>
    static bool isRefused(const Answer &)
    {
        return false;
    }

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban::memory
