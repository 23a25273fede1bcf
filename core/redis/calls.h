#pragma once

#include "core/base/result.h"
#include "core/redis/reply.h"
#include "core/redis/script.h"
#include "core/redis/trouble.h"

#include <QByteArray>
#include <QList>
#include <QTimer>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace junban::redis {

// The script calls of a link that are under way or wait to be sent, and the rules for repeating them (docs/semantics.md, "When Redis
// refuses or does not answer"). While a server executes nothing (BUSY, LOADING), one call at a time is sent to see whether that is over;
// the others wait ("the gate is shut").
// Threads: the link's. Callbacks: once each, from replies and tick(), never from inside run().
class Calls
{
public:
    struct Carrier {
        std::function<bool()> isUp;
        std::function<void(const QList<QByteArray> &words, Callback<Reply> callback)> send; // precondition: isUp()
        std::function<void(Trouble trouble, QByteArrayView error)> elsewhere;               // Redis answered NotPrimary or Moved
    };
    // `context` is the parent of the timers; it must outlive this.
    Calls(QObject &context, Carrier carrier);

    void run(const Script &script, QList<QByteArray> keys, QList<QByteArray> arguments, Callback<Reply> callback);
    // The link is up: sends the waiting calls.
    void resume();
    // Fails calls that have waited for too long, with the error `why`.
    void tick(qint64 now_ms, const Error &why);
    // For how many milliseconds the connected server has executed nothing; 0: it works.
    qint64 gated_ms() const;
    const Error &gatedWhy() const { return m_why; }
    int waiting() const { return int(m_held.size() + m_asleep.size()); }

private:
    struct Call {
        const Script *script;
        QList<QByteArray> words; // FCALL function count keys… arguments…
        Callback<Reply> callback;
        qint64 since_ms;
        bool loaded = false;     // its library was sent
        int tries = 0;
        qint64 awake_ms = 0;     // when its next try is due, while it is in m_asleep
        Error error = {};        // why it waits
    };
    using CallPtr = std::shared_ptr<Call>;
    void attempt(const CallPtr &call);
    void answered(const CallPtr &call, const Result<Reply> &reply);
    void refused(const CallPtr &call, const Reply &reply);
    void load(const CallPtr &call);
    void hold(const CallPtr &call, Error error);
    void sleep(const CallPtr &call, Error error);
    void giveUp(const CallPtr &call);
    void gate(const Error &why);
    void open();
    void probe();

    Carrier m_carrier;
    std::deque<CallPtr> m_held;      // calls that wait for the link or for the gate, in order
    std::vector<CallPtr> m_asleep;   // calls that wait for their own next try
    QTimer m_probe;
    Error m_why;
    bool m_gated = false;
    bool m_probing = false;          // the call that finds out whether the gate may open is under way
    qint64 m_gatedSince_ms = 0;
    int m_probe_ms = 0;
};

} // namespace junban::redis
