#include "tests/simulation/world.h"

#include <algorithm>

using namespace junban::journal;

namespace junban::test {

namespace {

constexpr int masters = 2;
constexpr int servers = 3;
constexpr qint64 kept_ms = 60'000; // how long a leader keeps a batch after it was sent last (step 14)

engine::Settings settings()
{
    engine::Settings some;
    some.retention[0] = {20'000, 30};
    some.retention[1] = {40'000, 20};
    some.retention[2] = {20'000, 10};
    some.idempotencyKeys = 10;
    return some;
}

// An engine of what a server has.
Result<std::unique_ptr<engine::Engine>> loaded(const Servers::Keys &keys, qint64 now_ms)
{
    engine::Loading loading(settings(), now_ms);
    for (QList<engine::WantedKey> wanted = loading.wanted(); !wanted.isEmpty(); wanted = loading.wanted()) {
        for (const engine::WantedKey &key : std::as_const(wanted)) {
            engine::Stored stored{key.key, {}};
            const auto fields = keys.value(key.key);
            for (auto field = fields.begin(); field != fields.end(); ++field)
                stored.fields.append({field.key(), field.value()});
            if (const Result<Done> taken = loading.take(stored); !taken.ok())
                return taken.error();
        }
    }
    return loading.finish();
}

const Lead *leadIn(const journal::Answered &answered)
{
    if (const auto *read = std::get_if<LeadIs>(&answered))
        return &read->lead;
    const auto *fenced = std::get_if<Fenced>(&answered);
    return fenced ? &fenced->lead : nullptr;
}

} // namespace

World::World(quint32 seed, SimServer::Fence fence, int steps)
    : m_random(seed)
    , m_steps(steps)
    , m_servers(servers, fence)
    , m_masters(masters)
{
    for (int i = 0; i < servers; ++i)
        m_servers.at(i).redis.now_ms += pick(60'000);
    for (Master &master : m_masters) {
        master.address = "master" + QByteArray::number(&master - m_masters.data());
        start(master);
    }
}

QByteArray World::run()
{
    for (int i = 0; i < m_steps && m_wrong.isEmpty(); ++i)
        step();
    if (m_wrong.isEmpty())
        settle();
    return m_wrong;
}

void World::wrong(const QByteArray &what)
{
    if (m_wrong.isEmpty())
        m_wrong = what;
}

void World::step()
{
    const int what = pick(10'000);
    Master &master = m_masters[size_t(pick(masters))];
    if (what < 3'600)
        deliver();
    else if (what < 6'600)
        answer(master);
    else if (what < 7'600)
        decide(master, false);
    else if (what < 8'800)
        pass(20 + pick(100));
    else if (what < 9'250)
        m_servers.replicate(pick(servers));
    else if (what < 9'600)
        connect(master);
    else if (what < 9'630)
        cut(master, true);
    else if (what < 9'650)
        master.frozenUntil_ms = m_now_ms + 500 + pick(5'000);
    else if (what < 9'655)
        end(master);
    else if (what < 9'660)
        leave(master);
    else if (what < 9'720)
        faultOfServers();
    else if (what < 9'760)
        cover(master);
    else if (what < 9'780)
        compare(master);
    else
        lookUp(master);
}

// --- Processes and connections -----------------------------------------------------------------------------------------------

void World::start(Master &master)
{
    master.memory = std::make_unique<EngineMemory>(settings());
    master.protocol = std::make_unique<Protocol>(
        Mine{master.address}, *master.memory, [this] { return "id" + QByteArray::number(++m_ids); });
    master.isLeaving = master.hasDecided = false;
}

// The process is killed.
void World::end(Master &master)
{
    cut(master, true);
    master.protocol.reset();
    master.memory.reset();
    master.downUntil_ms = m_now_ms + pick(6'000);
    forgive();
}

void World::leave(Master &master)
{
    if (!acts(master) || master.isLeaving)
        return;
    master.isLeaving = true;
    endPass(master);
    master.protocol->leave(m_now_ms);
    gather(master);
}

// Mostly with the agreed primary; now and then with another server that takes itself for it.
void World::connect(Master &master)
{
    if (master.line || !acts(master))
        return;
    const int other = pick(servers);
    const int server = chance(100) && m_servers.at(other).leads ? other : m_servers.agreed();
    master.line = std::make_shared<Line>(Line{int(&master - m_masters.data()), server});
    m_lines.push_back(master.line);
    master.protocol->connected(m_now_ms);
    gather(master);
}

// `late`: the server may get a part of what was sent.
void World::cut(Master &master, bool late)
{
    if (!master.line)
        return;
    Line &line = *master.line;
    line.open = false;
    line.toMaster.clear();
    line.toServer.resize(late ? size_t(pick(int(line.toServer.size()) + 1)) : 0);
    master.line.reset();
    master.protocol->broken(m_now_ms);
    gather(master);
}

void World::gather(Master &master)
{
    if (!master.protocol)
        return;
    Output output = master.protocol->out();
    for (Request &request : output.requests) {
        if (request.kind == Request::Kind::Apply)
            m_sent_ms.insert({request.words[0], request.words[2].toLongLong()}, m_now_ms);
        if (master.line)
            master.line->toServer.push_back(std::move(request));
    }
    for (const Leaving &leaving : output.answers)
        leaving.answer(leaving.fate);
    bool isOver = false;
    for (const journal::Event &event : output.events) {
        m_counts.healed += event.kind == journal::Event::Kind::Healed ? event.batches : 0;
        if (event.kind == journal::Event::Kind::Stopped && event.text != "planted")
            wrong("a master has stopped: " + event.text);
        isOver = isOver || event.kind == journal::Event::Kind::Stopped || event.kind == journal::Event::Kind::Left;
        if (event.kind == journal::Event::Kind::Probe) {
            const bool refuses = std::none_of(m_masters.begin(), m_masters.end(),
                [&event](const Master &each) { return each.address == event.text && each.protocol; });
            master.protocol->probed(event.text, refuses, m_now_ms);
        }
    }
    forgive();
    if (isOver)
        end(master);
    else if (!output.events.empty())
        gather(master);
}

// One request of any connection reaches its server.
void World::deliver()
{
    std::erase_if(m_lines, [](const auto &line) { return !line->open && line->toServer.empty(); });
    std::vector<std::shared_ptr<Line>> full;
    std::copy_if(m_lines.begin(), m_lines.end(), std::back_inserter(full), [](const auto &line) { return !line->toServer.empty(); });
    if (!full.empty())
        serve(*full[size_t(pick(int(full.size())))]);
}

void World::serve(Line &line)
{
    const Request request = line.toServer.front();
    line.toServer.pop_front();
    Servers::Server &server = m_servers.at(line.server);
    const Lead before = server.redis.lead();
    journal::Answered answered = Refused();
    if (!chance(4))
        answered = chance(1) && line.open ? journal::Answered(Fault{"planted"}) : m_servers.execute(line.server, request);
    if (std::holds_alternative<Taken>(answered)) {
        m_before.insert(request.words[3], {before.id, before.n});
        ++m_counts.taken;
        ++m_disturbances;
        if (server.redis.fence == SimServer::Fence::ClientKill)
            killOthers(line);
    }
    if (std::holds_alternative<Confirmed>(answered))
        m_applied[request.words[0]] = std::max(m_applied.value(request.words[0]), request.words[2].toLongLong());
    if (std::holds_alternative<Confirmed>(answered) && chance(60)) { // P7
        SimServer again = server.redis;
        again.fence = SimServer::Fence::ClientKill; // compares nothing
        again.execute(request);
        if (again.keys != server.redis.keys)
            wrong("P7: a batch that is carried out twice gives something else");
    }
    if (line.open)
        line.toMaster.emplace_back(request.ticket, answered);
    forgive();
}

void World::killOthers(const Line &taker)
{
    for (Master &other : m_masters) {
        if (other.line && other.line.get() != &taker && other.line->server == taker.server)
            cut(other, false);
    }
    for (const auto &line : m_lines) {
        if (line.get() != &taker && line->server == taker.server)
            line->toServer.clear();
    }
}

void World::answer(Master &master)
{
    if (!acts(master) || !master.line || master.line->toMaster.empty())
        return;
    const auto [ticket, answered] = master.line->toMaster.front();
    master.line->toMaster.pop_front();
    const QByteArray id = master.protocol->id();
    master.protocol->answered(ticket, answered, m_now_ms);
    mayForget(master, id, answered);
    gather(master);
}

// --- The queue ---------------------------------------------------------------------------------------------------------------

void World::decide(Master &master, bool isSweep)
{
    if (!acts(master) || !master.protocol->mayDecide() || master.protocol->serving() == Serving::Nothing)
        return;
    engine::Engine &engine = *master.memory->engine();
    const qint64 time_ms = master.protocol->time_ms(m_now_ms);
    const Lead lead = m_servers.primary().redis.lead();
    if (lead.id == master.protocol->id() && time_ms < lead.at_ms)
        wrong("engine time goes back");
    for (int i = isSweep ? 0 : pick(3); i >= 0; --i) {
        QueueCalls::Decided decided = isSweep ? m_calls.sweep(engine, time_ms) : m_calls.any(engine, time_ms);
        ++m_counts.calls;
        master.hasDecided = master.hasDecided || !decided.writes.isEmpty();
        master.protocol->write(std::move(decided.writes));
        hold(master, std::move(decided.told), Proof::Recent);
    }
    if (isSweep || pick(4) != 0)
        endPass(master);
    gather(master);
}

void World::hold(Master &master, std::function<void()> told, Proof proof)
{
    const Batch behind{master.protocol->id(), master.protocol->decided() + (master.hasDecided ? 1 : 0)};
    const auto tell = [this, told = std::move(told), behind](Fate fate) {
        if (fate != Fate::Saved)
            return;
        told();
        ++m_counts.told;
        m_told[behind.first] = std::max(m_told.value(behind.first), behind.second);
        // A leadership that has written nothing yet answers for what it found.
        if (std::max(m_applied.value(behind.first), m_before.value(behind.first).second) < behind.second)
            wrong("P1: an answer was told that no server had");
    };
    master.protocol->hold(tell, proof, Patience::Reply, m_now_ms);
}

// An answer that only reads, with a fresh proof: nobody may have led since it was asked (P4).
void World::lookUp(Master &master)
{
    if (!acts(master) || !master.protocol->mayDecide())
        return;
    const auto line = master.line;
    const auto told = [this, id = master.protocol->id(), disturbances = m_disturbances, line] {
        const bool agreed = line && line->server == m_servers.agreed();
        if (agreed && disturbances == m_disturbances && m_servers.primary().redis.lead().id != id)
            wrong("P4: a refusal was told by a master that did not lead");
    };
    hold(master, told, Proof::Fresh);
    endPass(master);
    gather(master);
}

void World::endPass(Master &master)
{
    master.protocol->endPass(m_now_ms);
    master.hasDecided = false;
}

void World::pass(int ms)
{
    m_now_ms += ms;
    for (int i = 0; i < servers; ++i)
        m_servers.at(i).redis.now_ms += ms;
    for (Master &master : m_masters) {
        if (!master.protocol && m_now_ms >= master.downUntil_ms)
            start(master);
        if (!acts(master))
            continue;
        if (master.line && !m_servers.at(master.line->server).leads && chance(200))
            cut(master, false); // as it is refused as a replica
        endPass(master);
        master.protocol->tick(m_now_ms);
        gather(master);
        if (acts(master) && chance(100))
            decide(master, true);
    }
}

// --- Faults of the servers ---------------------------------------------------------------------------------------------------

void World::faultOfServers()
{
    const int index = pick(servers);
    const Lead lead = m_servers.primary().redis.lead();
    switch (pick(12)) {
    case 0:
    case 1: // killed; its connections end
        m_servers.restart(index, pick(12));
        ++m_disturbances;
        for (const auto &line : m_lines) {
            if (line->server == index)
                line->toServer.clear();
        }
        for (Master &master : m_masters) {
            if (master.line && master.line->server == index)
                cut(master, false);
        }
        break;
    case 2: // a failover; the old primary is cut off and goes on by itself
        if (index != m_servers.agreed()) {
            m_servers.promote(index);
            ++m_disturbances;
            ++m_counts.failovers;
        }
        break;
    case 3:
    case 4:
    case 5: // an old primary learns of it; its connections stay, and its data change under them
        m_servers.demote(index);
        ++m_disturbances;
        break;
    case 6: m_servers.at(index).refuses = true; break;
    case 7:
    case 8: m_servers.at(index).refuses = false; break;
    case 9: m_servers.at(index).redis.now_ms += pick(4'000) - 2'000; break;
    case 10: m_copies.push_back(m_servers.primary().redis.keys); break;
    default: // somebody empties the data, or puts an older copy there, with `lead` or without
        if (!chance(200))
            break;
        ++m_disturbances;
        Servers::Keys keys = m_copies.empty() || chance(300) ? Servers::Keys() : m_copies[size_t(pick(int(m_copies.size())))];
        if (chance(500))
            keys.remove("lead");
        m_servers.replace(keys);
    }
    forgive();
}

// What is on the disk of every server is told to the leader, which need not keep it (step 14).
void World::cover(Master &master)
{
    if (!acts(master) || master.protocol->id().isEmpty())
        return;
    const QByteArray id = master.protocol->id();
    qint64 all = std::numeric_limits<qint64>::max();
    for (int i = 0; i < servers; ++i) {
        if (chance(500))
            m_servers.sync(i);
        all = std::min(all, m_servers.at(i).log.front().second.value(Servers::unitsKey).value(id).toLongLong());
    }
    if (all > m_covered.value(id) && m_servers.primary().leads) {
        m_covered.insert(id, all);
        master.protocol->covered(all);
    }
}

// --- What must hold ----------------------------------------------------------------------------------------------------------

// A leader gives up what it has answered only when it cannot heal Redis: another leads or has led, somebody has emptied the data, or Redis
// is older than the ring.
void World::mayForget(const Master &master, const QByteArray &id, const journal::Answered &why)
{
    if (id.isEmpty() || master.protocol->id() == id || master.isLeaving || !m_told.contains(id) || std::holds_alternative<Fault>(why))
        return;
    const Lead *lead = leadIn(why);
    const bool healable = lead && !lead->isMissing() && (lead->id == id || m_before.value(id) == Batch(lead->id, lead->n));
    if (!lead) {
        wrong("a leader gives up by a reply that does not tell who leads");
    } else if (healable) {
        const Batch next{id, lead->n + 1};
        const bool kept = m_covered.value(id) < next.second && m_now_ms - m_sent_ms.value(next, m_now_ms) < kept_ms;
        if (kept)
            wrong("a leader gives up although it could heal Redis");
    }
}

// Answered batches that the agreed primary does not have are healed by their leader, while that lives and Redis is at its line or exactly
// where it took. Else they are lost, and what follows is judged by what is left.
void World::forgive()
{
    const Lead lead = m_servers.primary().redis.lead();
    for (auto told = m_told.begin(); told != m_told.end(); ++told) {
        const QByteArray &id = told.key();
        const qint64 has = m_servers.primary().has(id);
        if (has >= told.value() || m_before.value(id).second >= told.value())
            continue;
        const bool lives = std::any_of(
            m_masters.begin(), m_masters.end(), [&id](const Master &each) { return each.protocol && each.protocol->id() == id; });
        const bool there = lead.id == id || (!lead.isMissing() && m_before.value(id) == Batch(lead.id, lead.n));
        if (lives && there)
            continue;
        ++m_counts.lost;
        *told = has;
    }
}

// P3: an engine that is loaded from Redis is equal to the leader's, when all that was decided is there. Counters are written by a sweep.
void World::compare(Master &master)
{
    if (!acts(master) || !master.protocol->mayDecide() || !master.line)
        return;
    decide(master, true);
    const auto line = master.line;
    for (int i = 0; i < 400 && m_wrong.isEmpty() && master.line && (!line->toServer.empty() || !line->toMaster.empty()); ++i) {
        if (!line->toServer.empty())
            serve(*line);
        answer(master);
    }
    if (!acts(master) || master.line != line || !master.protocol->mayDecide() || master.protocol->confirmed() != master.protocol->decided())
        return;
    Servers::Server &server = m_servers.at(line->server);
    const Lead lead = server.redis.lead();
    if (!server.leads || lead.id != master.protocol->id() || lead.n != master.protocol->confirmed())
        return; // it will be fenced, or heals
    const engine::Engine &engine = *master.memory->engine();
    const Result<std::unique_ptr<engine::Engine>> other = loaded(server.redis.keys, engine.now_ms());
    ++m_counts.compared;
    if (!other.ok())
        wrong("P3: what Redis has contradicts itself: " + other.error().message());
    else if (const QByteArray differs = engine::difference(engine, **other); !differs.isEmpty())
        wrong("P3: memory and Redis differ: " + differs);
}

// No more faults: within some seconds one master leads (P8), and what was not lost is there (P1).
void World::settle()
{
    for (int i = 0; i < servers; ++i) {
        m_servers.demote(i);
        m_servers.at(i).refuses = false;
    }
    for (Master &master : m_masters) {
        master.frozenUntil_ms = master.downUntil_ms = 0;
        if (master.line && master.line->server != m_servers.agreed())
            cut(master, true);
    }
    constexpr qint64 settled_ms = 5'000;
    const qint64 end_ms = m_now_ms + settled_ms;
    const auto leads = [this](const Master &master) {
        const Lead lead = m_servers.primary().redis.lead();
        return master.protocol && master.protocol->serving() == Serving::Everything && master.protocol->mayDecide()
            && lead.id == master.protocol->id() && lead.n == master.protocol->decided();
    };
    while (std::none_of(m_masters.begin(), m_masters.end(), leads)) {
        if (m_now_ms > end_ms)
            return wrong("P8: five seconds after the last fault nobody leads");
        if (!m_wrong.isEmpty())
            return;
        pass(50);
        for (Master &master : m_masters)
            connect(master);
        for (int i = 0; i < 400; ++i) {
            deliver();
            answer(m_masters[size_t(i % masters)]);
        }
    }
    for (Master &master : m_masters) {
        if (leads(master))
            compare(master);
    }
    for (auto told = m_told.begin(); told != m_told.end(); ++told) {
        if (std::max(m_servers.primary().has(told.key()), m_before.value(told.key()).second) < told.value())
            wrong("P1: answered batches of " + told.key() + " are lost");
    }
    if (m_servers.primary().redis.contents->second > 0)
        wrong("P2: a number of a leadership has two contents");
}

} // namespace junban::test
