#pragma once

#include "core/store/store.h"

#include <functional>
#include <map>
#include <utility>

namespace junban::test {

// A gate for the calls of several engines. Each call waits here twice, before it is executed and before its reply is delivered, until the
// test lets it through. So a test, or its seed, chooses the order of calls that race in production.
class Gate
{
public:
    void add(std::function<void()> pass) { m_waiting.emplace(m_next++, std::move(pass)); }
    int waiting() const { return int(m_waiting.size()); }
    // Lets the n-th waiting call through.
    void pass(int n)
    {
        const auto chosen = std::next(m_waiting.begin(), n);
        const std::function<void()> go = std::move(chosen->second);
        m_waiting.erase(chosen);
        go();
    }

    // The fate of a call: executed, not sent (its caller gets StoreUnavailable), or executed with a lost reply.
    enum class Fate { Done, Unsent, ReplyLost };
    std::function<Fate()> fate = [] { return Fate::Done; };

private:
    std::map<int, std::function<void()>> m_waiting; // by arrival
    int m_next = 0;
};

// A store behind a gate. Both outlive it.
class GatedStore : public Store
{
public:
    GatedStore(Store &store, Gate &gate) : m_store(store), m_gate(gate) {}

    void enqueue(QList<EnqueueItem> a, Callback<QList<Result<Enqueued>>> c) override { call(&Store::enqueue, std::move(c), a); }
    void finishAndClaim(QList<FinishItem> a, QList<ClaimRequest> b, Callback<FinishAndClaimReply> c) override
    {
        call(&Store::finishAndClaim, std::move(c), a, b);
    }
    void heartbeat(QList<HeartbeatItem> a, Callback<QList<Result<Heartbeat>>> c) override { call(&Store::heartbeat, std::move(c), a); }
    void release(QList<ReleaseItem> a, Callback<QList<Result<StateNow>>> c) override { call(&Store::release, std::move(c), a); }
    void cancel(QList<CancelItem> a, Callback<QList<Result<StateNow>>> c) override { call(&Store::cancel, std::move(c), a); }
    void retry(QList<RetryItem> a, Callback<QList<Result<StateNow>>> c) override { call(&Store::retry, std::move(c), a); }
    void handOff(HandoffItem a, Callback<StateNow> c) override { call(&Store::handOff, std::move(c), a); }
    void message(MessageItem a, Callback<MessageTaken> c) override { call(&Store::message, std::move(c), a); }
    void edit(EditItem a, Callback<StateNow> c) override { call(&Store::edit, std::move(c), a); }
    void changeGroup(GroupChange a, Callback<Group> c) override { call(&Store::changeGroup, std::move(c), a); }
    void group(QByteArray a, GroupCaller b, Callback<Group> c) override { call(&Store::group, std::move(c), a, b); }
    void sweep(Callback<Swept> c) override { call(&Store::sweep, std::move(c)); }
    void setWindows(JobId a, QList<qint64> b, Callback<Done> c) override { call(&Store::setWindows, std::move(c), a, b); }
    void takeResult(JobId a, QByteArray b, Fetch f, Callback<ResultNow> c) override { call(&Store::takeResult, std::move(c), a, b, f); }
    void peekResult(JobId a, Callback<ResultNow> c) override { call(&Store::peekResult, std::move(c), a); }
    void get(JobId a, Callback<Job> c) override { call(&Store::get, std::move(c), a); }
    void page(PageRequest a, Callback<Page> c) override { call(&Store::page, std::move(c), a); }
    void rows(QList<JobId> a, PageDetail b, Callback<QList<Job>> c) override { call(&Store::rows, std::move(c), a, b); }
    void counts(Callback<Overview> c) override { call(&Store::counts, std::move(c)); }
    void names(int a, QByteArray b, Callback<QList<NameRow>> c) override { call(&Store::names, std::move(c), a, b); }
    void publishAskedNames(AskedNames a, Callback<Done> c) override { call(&Store::publishAskedNames, std::move(c), a); }
    void probe(Callback<Done> c) override { call(&Store::probe, std::move(c)); }
    void setHintHandler(std::function<void(const Hints &)> handler) override { m_store.setHintHandler(std::move(handler)); }

private:
    template<typename T, typename Verb, typename... Words>
    void call(Verb verb, Callback<T> callback, Words... words)
    {
        m_gate.add([this, verb, callback, words...] {
            const Gate::Fate fate = m_gate.fate();
            if (fate == Gate::Fate::Unsent) {
                m_gate.add([callback] { callback(Error{ErrorCode::StoreUnavailable, Reason("test", {}, "away")}); });
                return;
            }
            Callback<T> reply = [this, callback, fate](Result<T> answer) {
                m_gate.add([callback, fate, answer] {
                    callback(fate == Gate::Fate::Done ? answer : Result<T>(Error{ErrorCode::StoreUnavailable, Reason("test", {}, "away")}));
                });
            };
            (m_store.*verb)(words..., reply);
        });
    }

    Store &m_store;
    Gate &m_gate;
};

} // namespace junban::test
