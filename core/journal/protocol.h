#pragma once

#include "core/base/result.h"
#include "core/engine/writes.h"
#include "core/journal/answers.h"
#include "core/journal/enginetime.h"
#include "core/journal/lead.h"
#include "core/journal/ring.h"
#include "core/journal/watch.h"

#include <QByteArray>
#include <QList>
#include <deque>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace junban::journal {

// The state that a leader keeps in memory, as the protocol needs it. It is called from inside the calls of Protocol and calls none of them.
class Memory
{
public:
    virtual ~Memory() = default;
    // A load begins at this engine time: the memory is empty now. Returns the keys that are read first.
    virtual QList<engine::WantedKey> begin(qint64 time_ms) = 0;
    // What was read under one of the keys; returns further ones. The load ends when all that were returned are read and none is new. An
    // error is a contradiction (step 5), and stops the master.
    virtual Result<QList<engine::WantedKey>> read(const engine::Stored &stored) = 0;
    // Everything was read: orders, counts, charges and unique keys are derived. An error as for read().
    virtual Result<Done> complete() = 0;
    // Nothing of it counts any more (step 19). It may be freed later, in slices.
    virtual void forget() = 0;
};

// What a master writes into `lead` when it takes.
struct Mine {
    QByteArray address = {};     // as Lead::address
    QByteArray certificate = {};
    QByteArray secret = {};
    int layout = 1;
};

// Step 17: the last batch of the last leadership of this master, from its file.
struct Remembered {
    QByteArray id = {};          // empty: there is no file
    qint64 n = 0;
    friend bool operator==(const Remembered &, const Remembered &) = default;
};

// What is sent to Redis, in this order, on one connection.
struct Request {
    enum class Kind {
        ReadLead,  // the fields of `lead`, from a server whose role is primary
        Take,      // the function `take` with these words
        Apply,     // the function `apply` with these words
        Read,      // one key: words[0] is HGETALL or GET, words[1] the key without the namespace's prefix
    };
    Kind kind;
    quint64 ticket;              // its reply comes with it
    QList<QByteArray> words = {};
};

// What came back. Without a reply the connection is broken: Protocol::broken().
struct Confirmed {               // of Apply
    qint64 redis_ms;
};
struct Taken {
    qint64 redis_ms;
    Lead lead;
};
struct Fenced {                  // of Take and Apply: nothing was changed
    Lead lead;
};
struct LeadIs {
    Lead lead;
};
// Redis refused it, and nothing was changed: memory, disk, moved slot, replicas, no permission, no function.
struct Refused {
    Error why = {};
};
struct Fault {                   // any other error
    QByteArray text;
};
using Answered = std::variant<Confirmed, Taken, Fenced, LeadIs, engine::Stored, Refused, Fault>;

// What requests may be decided (step 6).
enum class Serving { Nothing, Reports, Everything }; // Reports: reports and heartbeats; Everything: also sweeps

// What a call that only reads may tell.
enum class Reading {
    Nothing,   // no namespace is loaded, or it is not known yet what became of the last batches
    Held,      // what memory holds, as hold() says
    Unsaved,   // the same at once; it must be marked: Redis does not have all of it, or cannot be asked who leads
};

// What is to be told or done outside.
struct Event {
    enum class Kind {
        Serving,       // serving() has changed
        Healed,        // Redis had lost `batches` answered batches, and has them again; `took_ms` after the break
        Rollback,      // at least `batches` answered batches are gone; -1: it is not known how many
        Follows,       // another master leads, or may lead; this one has forgotten
        Left,          // step 18 is done
        Stopped,       // steps 5 and 13: it does nothing any more; `text` says why, for the log
        NewerLayout,   // `lead` has a layout that this program does not know
        Note,          // step 17: (`text`, `batches`) is (id, n) for the file
        Probe,         // try whether `text`, a Lead::address, refuses connections; the answer goes to probed()
    };
    enum class Why { None, Emptied, OlderThanRing, AnotherLed, AtStart }; // of Rollback. Emptied: somebody emptied or restored the data
    Kind kind;
    Why why = Why::None;
    qint64 batches = 0;
    qint64 took_ms = 0;
    QByteArray text = {};
};

struct Output {
    std::vector<Request> requests = {};
    std::vector<Leaving> answers = {}; // after the requests were handed over
    std::vector<Event> events = {};
};

// The write-through protocol of a namespace as a machine: what came back and what time it is goes in, and what is to be sent, which answers
// may leave and what is to be told comes out. It knows no socket and no clock. docs/decisions/journal.md has its twenty steps and
// four invariants; the code names them by their numbers.
//
//   1, 2   Watch: who leads, and who may take          11     fullness(), nearlyFull()
//   3      take(), taken()                             12     beatIfDue()
//   4, 5   beginLoad(), loadLead(), readMore()         13     stop()
//   6      EngineTime, startLeading(), serving()       14     Ring, covered()
//   7      write(), endPass()                          15, 16 heal()
//   8      pump(), applied()                           17     Remembered, compareRemembered(), note()
//   9      hold(), Answers, reading()                  18     leave(), mayLeave()
//   10     mayDecide()                                 19     forget()
//
// Step 20, the passing on of requests, is above the journal.
//
// Every call may make output; take it with out() after the call. All times `now_ms` are on Clock::monotonic_ms() and never go back.
// Threads: one.
class Protocol
{
public:
    // `drawId` gives a new random id of 32 hexadecimal digits. `memory` must outlive it.
    Protocol(Mine mine, Memory &memory, std::function<QByteArray()> drawId, Remembered remembered = {});

    // The connection. Requests of an earlier one never get a reply.
    void connected(qint64 now_ms);
    void broken(qint64 now_ms);
    // The reply of a request. Replies come in the order of the requests.
    void answered(quint64 ticket, const Answered &answered, qint64 now_ms);
    // At least every 100 ms.
    void tick(qint64 now_ms);
    // Whether the address of an Event::Probe refuses connections.
    void probed(const QByteArray &address, bool refuses, qint64 now_ms);
    // Batches up to n are on disk, and on all servers that may take over.
    void covered(qint64 n) { m_covered = n; }
    // What Redis said last of its memory; `max_bytes` 0: there is no bound. fullnessAsked() when the question was sent.
    void fullnessAsked() { m_sentAsking_bytes = 0; }
    void fullness(qint64 used_bytes, qint64 max_bytes);

    Serving serving() const { return m_serving; }
    // Step 10. When it is false, nothing may be decided: no request, no sweep, no firing. What waits for more than two seconds is refused.
    bool mayDecide() const;
    // Step 9 for a call that only reads.
    Reading reading(qint64 now_ms) const;
    // Why Redis refused the last batch, beat, take or read; nothing when it has accepted one since, or the connection is another one.
    const std::optional<Error> &refusal() const { return m_refusal; }
    // Step 11: a push of so many bytes is refused before it is decided.
    bool nearlyFull(qint64 bytes) const;
    // Step 6: the time for what is decided now.
    qint64 time_ms(qint64 now_ms) { return m_time.now_ms(now_ms); }

    // Step 7: what a call has written, before hold() of its answer. Precondition: mayDecide() when the call was decided.
    void write(engine::Writes writes) { m_open.append(std::move(writes)); }
    // Whether this pass has decided so much that it must end now.
    bool full() const;
    // Step 9: the answer of a call, after its writes.
    void hold(Answer answer, Proof proof, Patience patience, qint64 now_ms);
    // The end of a pass of the event loop: its writes are a batch now.
    void endPass(qint64 now_ms);
    // Step 18. Event::Left follows when everything is written.
    void leave(qint64 now_ms);
    // Where others reach this master, for `lead`; it is known when the master listens.
    void setAddress(const QByteArray &address, const QByteArray &certificate, qint64 now_ms);
    const Mine &mine() const { return m_mine; }
    // The last `lead` that shows that another master leads; missing if this one leads, or nobody does.
    Lead otherLeader() const;

    Output out() { return std::exchange(m_out, {}); }

    // For `/metrics` and tests.
    const QByteArray &id() const { return m_id; }
    qint64 decided() const { return m_ring.last(); }
    qint64 confirmed() const { return m_confirmed; }
    qint64 answered() const { return m_answered; } // the highest that Redis has said to have
    qint64 ring_ms(qint64 now_ms) const { return m_ring.kept_ms(now_ms); }
    qint64 ring_bytes() const { return m_ring.bytes(); }
    size_t waitingAnswers() const { return m_answers.size(); }
    const Lead &seen() const { return m_watch.lead(); }

private:
    enum class Phase { Follow, Take, Load, Lead, Heal, Left, Stopped };
    enum class Loading { FirstLead, Keys, LastLead };
    struct Awaited {
        Request::Kind kind;
        quint64 ticket;
        qint64 sent_ms;
        quint64 unit = 0;        // of Apply and ReadLead: its place among all that prove leadership
        qint64 n = 0;            // of Apply: the batch; 0: a beat
        bool counts = true;      // false: its reply was overtaken by a break
    };

    void send(Request::Kind kind, QList<QByteArray> words, qint64 now_ms, qint64 n = 0);
    void tell(Event event) { m_out.events.push_back(std::move(event)); }
    void readLead(qint64 now_ms);
    void follow(qint64 now_ms);
    void leadRead(const Awaited &read, const Answered &answered, qint64 now_ms);
    void followed(const Lead &lead, qint64 now_ms);
    bool isNewer(const Lead &lead);
    void compareRemembered(const Lead &lead);
    void take(const Lead &seen, qint64 now_ms);
    void sendTake(const Lead &seen, qint64 now_ms);
    void taken(const Awaited &take, const Answered &answered, qint64 now_ms);
    void beginLoad(const Lead &lead, qint64 now_ms);
    void loadLead(const Lead &lead, qint64 now_ms);
    void readMore(qint64 now_ms);
    void valueRead(const Answered &answered, qint64 now_ms);
    void startLeading(qint64 now_ms);
    void setServing(Serving serving);
    void pump(qint64 now_ms);
    void sendBeat(qint64 now_ms);
    void beatIfDue(qint64 now_ms);
    void applied(const Awaited &unit, const Answered &answered, qint64 now_ms);
    void confirm(const Awaited &unit, qint64 redis_ms, qint64 now_ms);
    void beginHeal(qint64 now_ms, qint64 pause_ms);
    void heal(const Lead &lead, qint64 now_ms);
    void resume(qint64 n, qint64 now_ms);
    void takeAnew(const Lead &lead, qint64 lost, qint64 now_ms);
    void lose(const Lead &lead, qint64 now_ms);
    void forget();
    void stop(QByteArray why);
    void note(qint64 now_ms);
    void mayLeave(qint64 now_ms);
    void tellAddress(qint64 now_ms);
    bool isStuck(qint64 now_ms) const;
    void noteRefusal(Request::Kind kind, const Answered &answered);
    bool isUnderWay(Request::Kind kind) const;

    Mine m_mine;
    Memory &m_memory;
    std::function<QByteArray()> m_drawId;
    Remembered m_remembered;     // of the file; empty when it was compared
    Output m_out;
    Phase m_phase = Phase::Follow;
    bool m_up = false;
    quint64 m_ticket = 0;
    std::deque<Awaited> m_awaited;
    std::optional<Error> m_refusal;
    bool m_refusedReading = false; // what m_refusal refused changes nothing

    Watch m_watch;
    qint64 m_readAt_ms = 0;      // when `lead` is to be read next
    QByteArray m_id;             // of the leadership that was taken, or whose take is under way; empty: none
    Lead m_before;               // what was seen when it was taken
    QByteArray m_toldAddress, m_toldCertificate; // what `lead` has of m_mine
    bool m_newerTold = false;

    Loading m_loading = Loading::FirstLead;
    std::deque<engine::WantedKey> m_wanted;
    int m_reading = 0;
    EngineTime m_time;
    Serving m_serving = Serving::Nothing;
    qint64 m_loaded_ms = 0;

    engine::Writes m_open;       // of this pass
    Ring m_ring;
    qint64 m_sent = 0;           // the last batch that was sent on this connection
    qint64 m_underWay_bytes = 0; // of the batches above m_confirmed up to m_sent
    qint64 m_confirmed = 0;      // the last one that Redis has
    qint64 m_answered = 0;       // the highest one that Redis has said to have: answers up to it may have left
    qint64 m_covered = 0;
    qint64 m_beat = 0;
    quint64 m_units = 0;         // how many proofs of leadership were asked for: batches, beats and reads of `lead`
    quint64 m_unitConfirmed = 0;
    qint64 m_unitSent_ms = 0;    // when the last unit was sent
    qint64 m_proof_ms = 0;       // when the last confirmed one was sent
    Answers m_answers;

    qint64 m_stuckSince_ms = -1; // since when nothing was confirmed because of a break; -1: it flows
    qint64 m_healTo = 0;         // Healed is told when this batch is confirmed; 0: nothing is healed
    qint64 m_healFrom = 0;
    qint64 m_healSince_ms = 0;
    qint64 m_term = 0;           // of the leadership
    Remembered m_noted;
    qint64 m_noted_ms = 0;
    bool m_leaving = false;
    bool m_gone = false;         // the batch with `gone` is in the ring

    qint64 m_used_bytes = 0;
    qint64 m_max_bytes = 0;
    qint64 m_sentSince_bytes = 0;  // since the question was sent that Redis answered last
    qint64 m_sentAsking_bytes = 0; // since the last question was sent
};

} // namespace junban::journal
