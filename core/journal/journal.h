#pragma once

#include "core/base/nextpass.h"
#include "core/journal/protocol.h"
#include "core/redis/link.h"

#include <QObject>
#include <QTimer>
#include <memory>

namespace junban::journal {

// The protocol over a connection of its own to a real Redis: it finds the agreed primary as every link does, gives the functions to the
// server, and keeps the times. What one pass of the event loop has written is one batch.
//
// Errors: nothing is returned; answers leave with Fate::Unknown, and events say why. The log has what an operator must know.
// Threads: one, that of the object. Answers, Memory and signals: on that thread; answers never from inside a call of this class.
class Journal : public QObject
{
    Q_OBJECT

public:
    struct Options {
        redis::Address address;
        QByteArray namespaceName;
        Mine mine = {};
        QString noteFile = {};   // step 17; empty: none
        QByteArray prefix = {};  // of all keys; empty: the namespace's, which others must not use then
    };
    // `memory` must outlive it.
    Journal(Options options, Memory &memory, QObject *parent = nullptr);
    ~Journal() override;

    void start();

    Serving serving() const { return m_protocol.serving(); }
    bool mayDecide() const { return m_protocol.mayDecide(); }
    Reading reading() const;
    // Why Redis cannot be used now, in the words of the store; nothing when it is not known to refuse.
    const std::optional<Error> &refusal() const { return m_link.state() == redis::LinkState::Up ? m_protocol.refusal() : m_away; }
    // Whether a push of so many bytes must be refused.
    bool nearlyFull(qint64 bytes) const { return m_protocol.nearlyFull(bytes); }
    // Engine time, milliseconds since the epoch.
    qint64 time_ms();
    // A call that was decided: its writes, then its answer.
    void write(engine::Writes writes);
    void hold(Answer answer, Proof proof = Proof::Recent, Patience patience = Patience::Reply);
    // Step 14: the batches up to n of this leadership are on disk and on all servers that may take over.
    void cover(const QByteArray &id, qint64 n)
    {
        if (id == m_protocol.id())
            m_protocol.covered(n);
    }
    // Where other masters reach this one, and the fingerprint of its certificate, as Lead has them.
    void setAddress(const QByteArray &address, const QByteArray &certificate);
    // Step 18. The signal left() follows, unless Redis is away.
    void leave();

    const Protocol &protocol() const { return m_protocol; }

Q_SIGNALS:
    void servingChanged(junban::journal::Serving serving);
    void healed(qint64 batches, qint64 took_ms);
    void rollback(junban::journal::Event::Why why, qint64 batches); // batches: -1 when it is not known
    void follows();
    void left();
    void stopped();

private:
    void linkChanged(redis::LinkState state);
    void tick();
    void flow();
    void carry(const Request &request);
    void call(const Request &request);
    void giveFunctions();
    void answered(quint64 ticket, Answered answered);
    void happened(const Event &event);
    void probe(const QByteArray &place);
    void askFullness();
    void askWhyAway();
    void noteLast(const QByteArray &id, qint64 n);

    QByteArray m_prefix;
    QString m_noteFile;
    redis::Link m_link;
    Protocol m_protocol;
    NextPass m_pass;
    QTimer m_timer;
    std::optional<Error> m_away; // why the link is not up
    qint64 m_fullnessAt_ms = 0;
    bool m_byEval = false;       // this server has no functions, or takes none now
    bool m_flowing = false;
    bool m_probing = false;
};

} // namespace junban::journal
