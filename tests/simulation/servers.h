#pragma once

#include "tests/core/journal/simserver.h"

#include <deque>
#include <vector>

namespace junban::test {

// The Redis servers of one namespace: the agreed primary, and replicas that lag behind it. Each remembers its last states, so it can come
// back from an earlier one, and go on from where it is in the primary's. A server that takes itself for the primary serves changes: after a
// failover, for a while, the old one, too.
class Servers
{
public:
    using Keys = SimServer::Keys;
    // A key beside those of the namespace: leadership → the last of its batches that this state has. So a state tells which units made it.
    static constexpr char unitsKey[] = "units";

    struct Server {
        SimServer redis;
        bool leads = false;
        bool refuses = false;    // changes: for full memory or a full disk
        std::deque<std::pair<qint64, Keys>> log; // number of the change, state after it; the first is on disk, the last is now

        qint64 has(const QByteArray &id) const { return redis.keys.value(unitsKey).value(id).toLongLong(); }
    };

    Servers(int count, SimServer::Fence fence)
        : m_all(size_t(count))
    {
        for (Server &server : m_all) {
            server.redis.fence = fence;
            server.redis.contents = m_all[0].redis.contents;
            changed(server);
        }
        m_all[0].leads = true;
    }

    int count() const { return int(m_all.size()); }
    Server &at(int index) { return m_all[size_t(index)]; }
    int agreed() const { return m_agreed; }
    Server &primary() { return at(m_agreed); }
    const Server &primary() const { return m_all[size_t(m_agreed)]; }

    journal::Answered execute(int index, const journal::Request &request)
    {
        using Kind = journal::Request::Kind;
        Server &server = at(index);
        const bool changes = request.kind == Kind::Take || request.kind == Kind::Apply;
        if ((!server.leads && request.kind != Kind::Read) || (server.refuses && changes))
            return journal::Refused();
        const journal::Answered answered = server.redis.execute(request);
        if (!std::holds_alternative<journal::Taken>(answered) && !std::holds_alternative<journal::Confirmed>(answered))
            return answered;
        if (request.kind == Kind::Apply && request.words[1] != request.words[2])
            server.redis.keys[unitsKey][request.words[0]] = request.words[2];
        changed(server);
        return answered;
    }

    // A replica gets the next change of the primary; all of it, if the primary does not know where the replica is.
    void replicate(int index)
    {
        Server &replica = at(index);
        const auto &log = primary().log;
        if (index == m_agreed || replica.leads || replica.log.back().first == log.back().first)
            return;
        const auto same = std::find_if(log.begin(), log.end(), [&](const auto &state) { return state.first == replica.log.back().first; });
        const bool goesOn = same != log.end();
        if (!goesOn)
            replica.log.clear();
        add(replica, goesOn ? *std::next(same) : log.back());
    }

    // What a server has is on its disk from now on.
    void sync(int index) { at(index).log.erase(at(index).log.begin(), std::prev(at(index).log.end())); }

    // A server was killed, and comes back without its last changes.
    void restart(int index, int lost)
    {
        auto &log = at(index).log;
        log.resize(log.size() - size_t(std::min(lost, int(log.size()) - 1)));
        at(index).redis.keys = log.back().second;
    }

    // Another server is the primary from now on. The old one learns of it later, by demote().
    void promote(int index)
    {
        m_agreed = index;
        at(index).leads = true;
    }
    void demote(int index) { at(index).leads = index == m_agreed; }

    // Somebody puts other data into the primary.
    void replace(Keys keys)
    {
        primary().redis.keys = std::move(keys);
        changed(primary());
    }

private:
    void changed(Server &server) { add(server, {++m_changes, server.redis.keys}); }
    void add(Server &server, const std::pair<qint64, Keys> &state)
    {
        constexpr size_t log_max = 60;
        server.log.push_back(state);
        server.redis.keys = server.log.back().second;
        if (server.log.size() > log_max)
            server.log.pop_front();
    }

    std::vector<Server> m_all;
    int m_agreed = 0;
    qint64 m_changes = 0;
};

} // namespace junban::test
