#pragma once

#include "core/journal/enginememory.h"
#include "tests/simulation/queuecalls.h"
#include "tests/simulation/servers.h"

#include <QSet>
#include <memory>

namespace junban::test {

// Masters with the engine, the journal's protocol and Redis servers, all from one seed, with faults between any two steps. run() says which
// property does not hold (docs/decisions/journal.md, "What the simulation looks for").
class World
{
public:
    // What is counted, so that a test can tell that the faults came.
    struct Counts {
        qint64 calls = 0;        // of the engine
        qint64 told = 0;         // answers that left as saved
        qint64 taken = 0;        // leaderships
        qint64 healed = 0;       // batches that a leader sent again, as Redis had lost them
        qint64 failovers = 0;
        qint64 lost = 0;         // leaderships of which answered batches were lost, which docs/semantics.md allows
        qint64 compared = 0;     // comparisons of a leader's memory with Redis
    };

    World(quint32 seed, SimServer::Fence fence, int steps);
    World(const World &) = delete;
    World &operator=(const World &) = delete;

    // What is wrong; empty when nothing is.
    QByteArray run();
    const Counts &counts() const { return m_counts; }

private:
    // A connection. After its end the server may still get some of what was sent on it, however late.
    struct Line {
        int master;
        int server;
        bool open = true;
        std::deque<journal::Request> toServer = {};
        std::deque<std::pair<quint64, journal::Answered>> toMaster = {};
    };
    struct Master {
        std::unique_ptr<journal::EngineMemory> memory;
        std::unique_ptr<journal::Protocol> protocol; // null: the process is not there
        std::shared_ptr<Line> line;
        QByteArray address;
        qint64 frozenUntil_ms = 0;
        qint64 downUntil_ms = 0;
        bool isLeaving = false;
        bool hasDecided = false;                     // in this pass
    };
    using Batch = QPair<QByteArray, qint64>;         // leadership, number

    int pick(int count) { return int(m_random() % unsigned(count)); }
    bool chance(int inThousands) { return pick(1'000) < inThousands; }
    bool acts(const Master &master) const { return master.protocol && m_now_ms >= master.frozenUntil_ms; }
    void wrong(const QByteArray &what);

    void step();
    void start(Master &master);
    void end(Master &master);
    void connect(Master &master);
    void cut(Master &master, bool late);
    void gather(Master &master);
    void deliver();
    void serve(Line &line);
    void killOthers(const Line &taker);
    void answer(Master &master);
    void decide(Master &master, bool isSweep);
    void hold(Master &master, std::function<void()> told, journal::Proof proof);
    void lookUp(Master &master);
    void endPass(Master &master);
    void leave(Master &master);
    void pass(int ms);
    void faultOfServers();
    void cover(Master &master);
    void mayForget(const Master &master, const QByteArray &id, const journal::Answered &why);
    void forgive();
    void compare(Master &master);
    void settle();

    std::mt19937 m_random;
    const int m_steps;
    Servers m_servers;
    QueueCalls m_calls{m_random};
    std::vector<Master> m_masters;
    std::vector<std::shared_ptr<Line>> m_lines;
    std::deque<Servers::Keys> m_copies;              // of the primary's data, which somebody may put back
    qint64 m_now_ms = 100'000;
    int m_ids = 0;
    qint64 m_disturbances = 0;                       // takes, failovers, and servers that came back or got other data
    QMap<QByteArray, qint64> m_told;                 // leadership → its last batch that somebody was told of
    QMap<QByteArray, qint64> m_applied;              // leadership → its last batch that a server had at any time
    QMap<QByteArray, Batch> m_before;                // leadership → the batch that it found
    QMap<Batch, qint64> m_sent_ms;                   // when a batch was sent last
    QMap<QByteArray, qint64> m_covered;
    Counts m_counts;
    QByteArray m_wrong;
};

} // namespace junban::test
