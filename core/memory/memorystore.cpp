#include "core/memory/memorystore.h"

#include "core/base/reasons/engine.h"
#include "core/base/reasons/store.h"
#include "core/journal/bounds.h"
#include "core/journal/enginememory.h"
#include "core/journal/journal.h"
#include "core/journal/place.h"
#include "core/memory/later.h"
#include "core/redis/randomhex.h"

#include <QObject>
#include <QRandomGenerator>
#include <QTimer>
#include <algorithm>
#include <deque>
#include <utility>

namespace junban::memory {

namespace {

using journal::Fate;
using journal::Patience;
using journal::Proof;
using journal::Serving;

constexpr int jobs_read = 300;           // by new matchers in one go, which takes about a millisecond
constexpr int expiry_ms = 100;           // how often requests that wait are looked at
constexpr int secret_bytes = 16;
constexpr int serving_wait_ms = 10'000;  // a leader that was killed is followed after two seconds, and then comes the load

// Reports, heartbeats and releases are served as soon as a namespace is loaded, so that no lease runs out for want of a leader.
// Reads need a namespace that is loaded; what Redis refuses or does not say may make them Unsaved (journal::Reading).
enum class Needs { Reports, Everything, Reading };

template<typename Answer>
bool isRefused(const QList<Result<Answer>> &answers)
{
    return std::any_of(answers.begin(), answers.end(), [](const Result<Answer> &each) { return !each.ok(); });
}

constexpr auto freshIfRefused = [](const auto &answers) { return isRefused(answers) ? Proof::Fresh : Proof::Recent; };

// Not the namespace's prefix: the scripts of the stores beside the engine delete what they do not know under that.
QByteArray prefixOf(const QByteArray &namespaceName)
{
    return "jq:{" + namespaceName + "}mem:";
}

} // namespace

class MemoryStore::Private
{
public:
    Private(Options options, Clock &clock);

    // Step 10 of the protocol: what cannot be decided now waits, and is refused after two seconds.
    template<typename Answer, typename Decide>
    void ask(Needs needs, Callback<Answer> callback, Decide decide)
    {
        if (waiting.empty() && may(needs)) {
            decide(std::move(callback));
            return;
        }
        wait(needs, [callback = std::move(callback), decide = std::move(decide)](const Error *refusal) mutable {
            if (refusal)
                callback(*refusal);
            else
                decide(std::move(callback));
        });
    }
    // `goOn` gets null when it may decide.
    void wait(Needs needs, std::function<void(const Error *refusal)> goOn);
    void serveWaiting();
    void expireWaiting();
    void wake(Hints hints);

    bool may(Needs needs) const
    {
        const Serving serving = journal.serving();
        if (needs == Needs::Reading)
            return serving == Serving::Everything && journal.reading() != journal::Reading::Nothing;
        return journal.mayDecide() && (serving == Serving::Everything || (needs == Needs::Reports && serving == Serving::Reports));
    }
    // The answer leaves when the newest batch that was decided before it is in Redis.
    template<typename Answer>
    void tell(Callback<Answer> callback, Result<Answer> answer, Proof proof, std::function<void()> unsure = {})
    {
        auto leave = [this, callback = std::move(callback), answer = std::move(answer), unsure = std::move(unsure)](Fate fate) mutable {
            if (fate == Fate::Saved) {
                callback(std::move(answer));
            } else {
                if (unsure)
                    unsure();
                callback(retryAfter(reasons::memoryEngineUnsure(), 1));
            }
            serveWaiting();
        };
        journal.hold(std::move(leave), proof);
    }
    // `call` decides. `proof` says what its answer needs when it has written nothing.
    template<typename Answer, typename Call, typename ProofOf>
    void decide(Needs needs, Callback<Answer> callback, Call call, ProofOf proof, bool wakes = true)
    {
        auto decideNow = [this, call = std::move(call), proof, wakes](Callback<Answer> told) mutable {
            engine::Decided<Answer> decided = call(*memory.engine(), moment());
            const Proof needed = decided.writes.isEmpty() ? proof(decided.answer) : Proof::Recent;
            commit(std::move(decided.writes));
            if (wakes)
                wake(std::move(decided.wake));
            tell<Answer>(std::move(told), std::move(decided.answer), needed);
        };
        ask(needs, std::move(callback), std::move(decideNow));
    }
    // Waits for what is decided and not in Redis yet. What Redis refuses or does not confirm within two seconds is told all the same, and
    // counted: it must be marked.
    template<typename Answer, typename Call>
    void read(Callback<Answer> callback, Call call, Proof proof = Proof::Recent)
    {
        auto readNow = [this, callback = std::move(callback), call = std::move(call), proof](const Error *refusal) mutable {
            if (!memory.engine()) {
                callback(*refusal);
                return;
            }
            Result<Answer> answer = call(std::as_const(*memory.engine()));
            if (refusal || journal.reading() != journal::Reading::Held)
                later.tell<Answer>(counting<Answer>(std::move(callback)), std::move(answer));
            else
                holdRead(std::move(callback), std::move(answer), proof);
        };
        if (may(Needs::Reading))
            readNow(nullptr);
        else
            wait(Needs::Reading, std::move(readNow));
    }
    template<typename Answer>
    void holdRead(Callback<Answer> callback, Result<Answer> answer, Proof proof)
    {
        auto leave = [this, callback = std::move(callback), answer = std::move(answer)](Fate fate) mutable {
            if (fate == Fate::Saved)
                callback(std::move(answer));
            else if (memory.engine())
                counting<Answer>(std::move(callback))(std::move(answer));
            else
                callback(retryAfter(reasons::memoryEngineUnsure(), 1));
            serveWaiting();
        };
        journal.hold(std::move(leave), proof);
    }
    template<typename Answer>
    Callback<Answer> counting(Callback<Answer> callback)
    {
        return [this, callback = std::move(callback)](const Result<Answer> &answer) {
            ++unsavedReads;
            callback(answer);
        };
    }
    engine::Moment moment() { return {journal.time_ms(), random, isToken ? &isToken : nullptr}; }
    void commit(engine::Writes writes)
    {
        if (!writes.isEmpty())
            journal.write(std::move(writes));
    }
    void releaseUntold();
    void readOn();
    void startReading()
    {
        if (memory.engine()->unread() > 0 && !reading.isActive())
            reading.start(0);
    }

    struct Waiting {
        Needs needs;
        std::function<void(const Error *refusal)> goOn;
        qint64 until_ms;
    };

    Clock &clock;
    const QByteArray leadKey;
    journal::EngineMemory memory;
    journal::Journal journal;
    const std::function<quint64()> random = [] { return QRandomGenerator::system()->generate64(); };
    std::function<bool(const QByteArray &id)> isToken; // empty: there are no tokens
    QObject here;                        // what is still due ends with it
    Later later;
    QTimer timer;
    QTimer reading;                      // of jobs that new matchers have not read yet
    std::deque<Waiting> waiting;         // in the order in which they came
    QList<ReleaseItem> untold;           // jobs that were claimed, and whose workers were not told
    std::function<void(const Hints &)> hintHandler;
    std::function<void()> whenServing;   // null: it was called, or nobody asked
    QList<AskedNames> asked;
    qint64 healed = 0;                   // batches
    qint64 leadsSince_ms = 0;            // 0: it does not
    quint64 unsavedReads = 0;
    bool isServingWaiting = false;
};

MemoryStore::Private::Private(Options options, Clock &theClock)
    : clock(theClock)
    , leadKey(prefixOf(options.namespaceName) + "lead")
    , journal({std::move(options.address), options.namespaceName, {.secret = redis::randomHex(secret_bytes)},
                  std::move(options.noteFile), prefixOf(options.namespaceName)},
          memory)
{
    timer.setInterval(expiry_ms);
    QObject::connect(&timer, &QTimer::timeout, &here, [this] { expireWaiting(); });
    reading.setSingleShot(true);
    QObject::connect(&reading, &QTimer::timeout, &here, [this] { readOn(); });
    QObject::connect(&journal, &journal::Journal::servingChanged, &here, [this] {
        leadsSince_ms = journal.serving() == Serving::Nothing ? 0 : leadsSince_ms > 0 ? leadsSince_ms : Clock::machine_ms();
        reading.start(0);
        serveWaiting();
        if (whenServing && journal.serving() == Serving::Everything)
            std::exchange(whenServing, {})();
    });
    QObject::connect(&journal, &journal::Journal::healed, &here, [this](qint64 batches) { healed += batches; });
}

void MemoryStore::Private::wait(Needs needs, std::function<void(const Error *refusal)> goOn)
{
    waiting.push_back({needs, std::move(goOn), Clock::monotonic_ms() + journal::bounds::patience_ms});
    if (!timer.isActive())
        timer.start();
}

void MemoryStore::Private::serveWaiting()
{
    if (isServingWaiting || (waiting.empty() && untold.isEmpty()))
        return;
    isServingWaiting = true;
    releaseUntold();
    for (const Needs needs : {Needs::Reports, Needs::Everything}) {
        std::deque<Waiting> left;
        for (; !waiting.empty(); waiting.pop_front()) {
            Waiting &first = waiting.front();
            if ((needs == Needs::Everything || first.needs == needs) && may(first.needs))
                first.goOn(nullptr);
            else
                left.push_back(std::move(first));
        }
        waiting = std::move(left);
    }
    isServingWaiting = false;
}

void MemoryStore::Private::expireWaiting()
{
    serveWaiting();
    const qint64 now_ms = Clock::monotonic_ms();
    while (!waiting.empty() && waiting.front().until_ms <= now_ms) {
        const Waiting first = std::move(waiting.front());
        waiting.pop_front();
        const Error refusal = journal.refusal().value_or(retryAfter(reasons::memoryEngineWaits(), 1));
        first.goOn(&refusal);
    }
    if (waiting.empty())
        timer.stop();
}

void MemoryStore::Private::wake(Hints hints)
{
    if (!hintHandler || !hints.any())
        return;
    auto leave = [this, hints = std::move(hints)](Fate fate) {
        if (fate == Fate::Saved)
            hintHandler(hints);
    };
    journal.hold(std::move(leave), Proof::Recent, Patience::Message);
}

// Workers that were not told of their jobs do not have them: the jobs need not wait until their leases run out.
void MemoryStore::Private::releaseUntold()
{
    if (untold.isEmpty() || !may(Needs::Everything))
        return;
    auto decided = memory.engine()->release(std::exchange(untold, {}), moment());
    commit(std::move(decided.writes));
    wake(std::move(decided.wake));
}

void MemoryStore::Private::readOn()
{
    if (!memory.engine() || memory.engine()->unread() == 0)
        return;
    if (!may(Needs::Everything)) { // what it decides besides would be lost, such as that dependents are told
        reading.start(expiry_ms);
        return;
    }
    auto decided = memory.engine()->readOn(jobs_read, moment());
    commit(std::move(decided.writes));
    wake(std::move(decided.wake));
    if (decided.answer > 0)
        reading.start(0);
}

MemoryStore::MemoryStore(Options options, Clock &clock)
    : d(std::make_unique<Private>(std::move(options), clock))
{
}

MemoryStore::~MemoryStore() = default;

void MemoryStore::setRollbackNotice(RollbackNotice *notice)
{
    QObject::connect(&d->journal, &journal::Journal::rollback, &d->here, [notice](journal::Event::Why, qint64 batches) {
        if (batches != 0)
            notice->noteRollback(std::max<qint64>(batches, 1), Clock::machine_ms());
    });
}

void MemoryStore::setTokens(std::function<bool(const QByteArray &id)> isToken)
{
    d->isToken = std::move(isToken);
}

void MemoryStore::setStopped(std::function<void()> stopped)
{
    QObject::connect(&d->journal, &journal::Journal::stopped, &d->here, std::move(stopped));
}

void MemoryStore::start()
{
    d->journal.start();
}

void MemoryStore::whenServing(std::function<void()> then)
{
    d->whenServing = std::move(then);
    auto *const look = new QTimer(&d->here);
    QObject::connect(look, &QTimer::timeout, &d->here, [this, look, until_ms = Clock::monotonic_ms() + serving_wait_ms] {
        if (Clock::monotonic_ms() < until_ms && otherLeader().address.isEmpty())
            return;
        look->deleteLater();
        if (d->whenServing)
            std::exchange(d->whenServing, {})();
    });
    look->start(expiry_ms);
}

void MemoryStore::setAddress(const QByteArray &address, const QByteArray &certificate)
{
    d->journal.setAddress(journal::placeOf(address), certificate);
}

bool MemoryStore::leads() const
{
    return d->journal.serving() != Serving::Nothing;
}

MemoryStore::Leader MemoryStore::otherLeader() const
{
    const journal::Lead lead = d->journal.protocol().otherLeader();
    return {journal::addressHere(lead.address), lead.certificate, lead.secret};
}

QByteArray MemoryStore::secret() const
{
    return d->journal.protocol().mine().secret;
}

void MemoryStore::leave(std::function<void()> then)
{
    QObject::connect(&d->journal, &journal::Journal::left, &d->here, std::move(then), Qt::QueuedConnection);
    d->journal.leave();
}

qint64 MemoryStore::now_ms() const
{
    return d->journal.time_ms();
}

qint64 MemoryStore::lastBatch() const
{
    return d->journal.protocol().decided();
}

LastChanges MemoryStore::lastChanges() const
{
    return d->memory.engine() ? d->memory.engine()->lastChanges() : LastChanges();
}

MemoryStore::Saved MemoryStore::saved() const
{
    const journal::Protocol &protocol = d->journal.protocol();
    return {d->leadKey, d->memory.engine() ? protocol.id() : QByteArray(), protocol.answered()};
}

void MemoryStore::cover(const Saved &saved)
{
    d->journal.cover(saved.id, saved.n);
}

JournalNow MemoryStore::journalNow() const
{
    const journal::Protocol &protocol = d->journal.protocol();
    return {protocol.ring_ms(Clock::monotonic_ms()), protocol.ring_bytes(), d->healed, d->leadsSince_ms};
}

const quint64 &MemoryStore::unsavedReads() const
{
    return d->unsavedReads;
}

const QList<AskedNames> &MemoryStore::asked() const
{
    return d->asked;
}

void MemoryStore::readEngine(std::function<Told(engine::Engine &)> call, std::function<void(const Error &)> refused)
{
    auto goOn = [this, call = std::move(call), refused = std::move(refused)](const Error *refusal) {
        if (!d->memory.engine()) {
            refused(*refusal);
            return;
        }
        const Told told = call(*d->memory.engine());
        const auto tellUnsaved = [this, told] {
            ++d->unsavedReads;
            told(nullptr);
        };
        if (refusal || d->journal.reading() != journal::Reading::Held) {
            QTimer::singleShot(0, &d->here, tellUnsaved);
            return;
        }
        auto leave = [this, told, tellUnsaved](Fate fate) {
            const Error lost = retryAfter(reasons::memoryEngineUnsure(), 1);
            if (fate == Fate::Saved)
                told(nullptr);
            else if (d->memory.engine())
                tellUnsaved();
            else
                told(&lost);
            d->serveWaiting();
        };
        d->journal.hold(std::move(leave), Proof::Recent);
    };
    if (d->may(Needs::Reading))
        goOn(nullptr);
    else
        d->wait(Needs::Reading, std::move(goOn));
}

void MemoryStore::decideEngine(std::function<Decision(engine::Engine &, const engine::Moment &)> call,
    std::function<void(const Error &)> refused, qint64 more_bytes)
{
    auto goOn = [this, call = std::move(call), refused = std::move(refused), more_bytes](const Error *refusal) {
        if (refusal) {
            refused(*refusal);
            return;
        }
        Decision decision;
        if (more_bytes > 0 && d->journal.nearlyFull(more_bytes)) {
            decision.told = [refused](const Error *lost) { refused(lost ? *lost : retryAfter(reasons::redisOutOfMemory(), 1)); };
        } else {
            decision = call(*d->memory.engine(), d->moment());
            d->startReading();
        }
        const Proof proof = decision.refused && decision.writes.isEmpty() ? Proof::Fresh : Proof::Recent;
        d->commit(std::move(decision.writes));
        d->wake(std::move(decision.wake));
        auto leave = [this, told = std::move(decision.told)](Fate fate) {
            const Error lost = retryAfter(reasons::memoryEngineUnsure(), 1);
            told(fate == Fate::Saved ? nullptr : &lost);
            d->serveWaiting();
        };
        d->journal.hold(std::move(leave), proof);
    };
    if (d->waiting.empty() && d->may(Needs::Everything))
        goOn(nullptr);
    else
        d->wait(Needs::Everything, std::move(goOn));
}

void MemoryStore::enqueue(QList<EnqueueItem> items, Callback<QList<Result<Enqueued>>> callback)
{
    qint64 bytes = 0;
    for (const EnqueueItem &item : std::as_const(items))
        bytes += pushBytes(item.spec);
    auto decideAll = [this, bytes, items = std::move(items)](
                               engine::Engine &engine, const engine::Moment &at) -> engine::Decided<QList<Result<Enqueued>>> {
        if (d->journal.nearlyFull(bytes)) // step 11 of the protocol
            return {QList<Result<Enqueued>>(items.size(), retryAfter(reasons::redisOutOfMemory(), 1)), {}, {}};
        engine::Decided<QList<Result<Enqueued>>> all = engine.enqueue(items, at);
        for (const EnqueueItem &item : items)
            all.wake.readyNames.removeOne(item.spec.name); // the queue knows what it enqueued, and wakes those that wait for it
        return all;
    };
    d->decide<QList<Result<Enqueued>>>(
        Needs::Everything, std::move(callback), std::move(decideAll), [](const auto &) { return Proof::Recent; });
}

void MemoryStore::finishAndClaim(QList<FinishItem> items, QList<ClaimRequest> claims, Callback<FinishAndClaimReply> callback)
{
    const Needs needs = claims.isEmpty() ? Needs::Reports : Needs::Everything;
    auto decideNow = [this, items = std::move(items), claims = std::move(claims)](Callback<FinishAndClaimReply> told) mutable {
        auto finished = d->memory.engine()->finish(items, d->moment());
        auto claimed = d->memory.engine()->claim(claims, d->moment());
        const Proof proof = isRefused(finished.answer) ? Proof::Fresh : Proof::Recent;
        QList<ReleaseItem> given;
        for (const Claimed &each : std::as_const(claimed.answer)) {
            for (const ClaimedJob &job : each.jobs)
                given.append({.id = job.id, .lease = job.lease, .untouched = true});
        }
        d->commit(std::move(finished.writes));
        d->commit(std::move(claimed.writes));
        for (const FinishItem &item : std::as_const(items))
            finished.wake.finished.removeOne(item.id); // the queue has them in its answers
        d->wake(std::move(finished.wake));
        d->wake(std::move(claimed.wake));
        d->tell<FinishAndClaimReply>(std::move(told), FinishAndClaimReply{std::move(finished.answer), std::move(claimed.answer)}, proof,
            [this, given = std::move(given)] { d->untold += given; });
    };
    d->ask(needs, std::move(callback), std::move(decideNow));
}

void MemoryStore::heartbeat(QList<HeartbeatItem> items, Callback<QList<Result<Heartbeat>>> callback)
{
    const auto call = [items = std::move(items)](engine::Engine &engine, const engine::Moment &at) { return engine.heartbeat(items, at); };
    d->decide<QList<Result<Heartbeat>>>(Needs::Reports, std::move(callback), call, freshIfRefused);
}

void MemoryStore::release(QList<ReleaseItem> items, Callback<QList<Result<StateNow>>> callback)
{
    const auto call = [items = std::move(items)](engine::Engine &engine, const engine::Moment &at) { return engine.release(items, at); };
    d->decide<QList<Result<StateNow>>>(Needs::Reports, std::move(callback), call, freshIfRefused);
}

void MemoryStore::cancel(QList<CancelItem> items, Callback<QList<Result<StateNow>>> callback)
{
    const auto call = [items = std::move(items)](engine::Engine &engine, const engine::Moment &at) { return engine.cancel(items, at); };
    decide<QList<Result<StateNow>>>(std::move(callback), call);
}

void MemoryStore::retry(QList<RetryItem> items, Callback<QList<Result<StateNow>>> callback)
{
    const auto call = [items = std::move(items)](engine::Engine &engine, const engine::Moment &at) { return engine.retry(items, at); };
    decide<QList<Result<StateNow>>>(std::move(callback), call);
}

void MemoryStore::handOff(HandoffItem item, Callback<StateNow> callback)
{
    const qint64 more_bytes = item.key.size();
    const auto call = [item = std::move(item)](engine::Engine &engine, const engine::Moment &at) { return engine.handOff(item, at); };
    decide<StateNow>(std::move(callback), call, more_bytes);
}

void MemoryStore::message(MessageItem item, Callback<MessageTaken> callback)
{
    const auto call = [item = std::move(item)](engine::Engine &engine, const engine::Moment &at) { return engine.takeMessage(item, at); };
    decide<MessageTaken>(std::move(callback), call);
}

void MemoryStore::edit(EditItem item, Callback<StateNow> callback)
{
    const qint64 more_bytes = item.after.argument.size() - item.before.argument.size();
    const auto call = [item = std::move(item)](engine::Engine &engine, const engine::Moment &at) { return engine.edit(item, at); };
    decide<StateNow>(std::move(callback), call, more_bytes);
}

void MemoryStore::changeGroup(GroupChange change, Callback<Group> callback)
{
    const qint64 more_bytes = change.callback ? pushBytes(*change.callback) : 0;
    const auto call = [change = std::move(change)](engine::Engine &engine, const engine::Moment &at) {
        return engine.changeGroup(change, at);
    };
    decide<Group>(std::move(callback), call, more_bytes);
}

void MemoryStore::group(QByteArray group, GroupCaller caller, Callback<Group> callback)
{
    const auto call = [this, group = std::move(group), caller = std::move(caller)](const engine::Engine &engine) {
        return engine.group(group, caller, d->moment());
    };
    d->read<Group>(std::move(callback), call);
}

void MemoryStore::sweep(Callback<Swept> callback)
{
    const auto call = [this](engine::Engine &engine, const engine::Moment &at) {
        d->clock.learn(at.now_ms, Clock::monotonic_ms());
        return engine.sweep(at);
    };
    d->decide<Swept>(Needs::Everything, std::move(callback), call, [](const Swept &) { return Proof::Recent; }, false);
}

void MemoryStore::setWindows(JobId, QList<qint64>, Callback<Done> callback)
{
    d->later.tell<Done>(std::move(callback), Done{}); // the engine knows the calendar
}

void MemoryStore::takeResult(JobId id, QByteArray receipt, Fetch fetch, Callback<ResultNow> callback)
{
    const auto call = [id, fetch, receipt = std::move(receipt)](engine::Engine &engine, const engine::Moment &at) {
        return engine.takeResult(id, receipt, fetch, at);
    };
    d->decide<ResultNow>(Needs::Everything, std::move(callback), call, [](const ResultNow &) { return Proof::Fresh; });
}

void MemoryStore::peekResult(JobId id, Callback<ResultNow> callback)
{
    d->read<ResultNow>(std::move(callback), [id](const engine::Engine &engine) { return engine.peekResult(id); }, Proof::Fresh);
}

void MemoryStore::get(JobId id, Callback<Job> callback)
{
    d->read<Job>(std::move(callback), [id](const engine::Engine &engine) { return engine.job(id); });
}

void MemoryStore::page(PageRequest request, Callback<Page> callback)
{
    d->read<Page>(std::move(callback), [this, request = std::move(request)](const engine::Engine &engine) {
        Page page = engine.page(request);
        page.now_ms = d->journal.time_ms();
        return page;
    });
}

void MemoryStore::rows(QList<JobId> ids, PageDetail detail, Callback<QList<Job>> callback)
{
    d->read<QList<Job>>(
        std::move(callback), [ids = std::move(ids), detail](const engine::Engine &engine) { return engine.rows(ids, detail); });
}

void MemoryStore::counts(Callback<Overview> callback)
{
    d->read<Overview>(std::move(callback), [this](const engine::Engine &engine) {
        Overview counts = engine.counts();
        counts.now_ms = d->journal.time_ms();
        return counts;
    });
}

void MemoryStore::names(int limit, QByteArray after, Callback<QList<NameRow>> callback)
{
    d->read<QList<NameRow>>(
        std::move(callback), [limit, after = std::move(after)](const engine::Engine &engine) { return engine.names(limit, after); });
}

// No other master explains jobs of this namespace, so they stay in memory.
void MemoryStore::publishAskedNames(AskedNames names, Callback<Done> callback)
{
    d->asked = {std::move(names)};
    d->later.tell<Done>(std::move(callback), Done{});
}

void MemoryStore::probe(Callback<Done> callback)
{
    d->ask<Done>(Needs::Everything, std::move(callback),
        [this](Callback<Done> told) { d->tell<Done>(std::move(told), Done{}, Proof::Fresh); });
}

void MemoryStore::setHintHandler(std::function<void(const Hints &)> handler)
{
    d->hintHandler = std::move(handler);
}

} // namespace junban::memory
