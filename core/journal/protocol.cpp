#include "core/journal/protocol.h"

#include "core/journal/bounds.h"

#include <algorithm>

namespace junban::journal {

Protocol::Protocol(Mine mine, Memory &memory, std::function<QByteArray()> drawId, Remembered remembered)
    : m_mine(std::move(mine))
    , m_memory(memory)
    , m_drawId(std::move(drawId))
    , m_remembered(std::move(remembered))
{
}

void Protocol::connected(qint64 now_ms)
{
    m_up = true;
    m_refusal.reset();
    m_awaited.clear();
    m_sent = m_confirmed;
    if (m_phase == Phase::Heal)
        readLead(now_ms);
    else if (m_phase != Phase::Left && m_phase != Phase::Stopped)
        follow(now_ms);
}

void Protocol::broken(qint64 now_ms)
{
    m_up = false;
    m_awaited.clear();
    if (m_phase == Phase::Lead || m_phase == Phase::Heal)
        beginHeal(now_ms, 0);
    else if (m_phase == Phase::Take || m_phase == Phase::Load)
        follow(now_ms);
}

void Protocol::answered(quint64 ticket, const Answered &answered, qint64 now_ms)
{
    if (m_awaited.empty() || m_awaited.front().ticket != ticket)
        return; // of an earlier connection
    const Awaited awaited = m_awaited.front();
    m_awaited.pop_front();
    if (!awaited.counts || m_phase == Phase::Stopped)
        return;
    noteRefusal(awaited.kind, answered);
    if (const auto *fault = std::get_if<Fault>(&answered)) {
        stop(fault->text);
        return;
    }
    switch (awaited.kind) {
    case Request::Kind::ReadLead: leadRead(awaited, answered, now_ms); break;
    case Request::Kind::Take: taken(awaited, answered, now_ms); break;
    case Request::Kind::Apply: applied(awaited, answered, now_ms); break;
    case Request::Kind::Read: valueRead(answered, now_ms); break;
    }
}

// A server that refuses changes still answers reads, so these do not end the refusal of a change.
void Protocol::noteRefusal(Request::Kind kind, const Answered &answered)
{
    const bool reading = kind == Request::Kind::ReadLead || kind == Request::Kind::Read;
    if (const auto *refused = std::get_if<Refused>(&answered)) {
        m_refusal = refused->why;
        m_refusedReading = reading;
    } else if (!reading || m_refusedReading) {
        m_refusal.reset();
    }
}

void Protocol::tick(qint64 now_ms)
{
    m_ring.trim(now_ms, m_confirmed, m_covered);
    if (isStuck(now_ms))
        m_answers.loseReplies(now_ms - bounds::patience_ms, m_out.answers); // step 10: their outcome is unknown
    note(now_ms);
    tellAddress(now_ms);
    if (!m_up)
        return;
    if (m_phase == Phase::Load || m_phase == Phase::Lead)
        beatIfDue(now_ms);
    const bool looks = m_phase == Phase::Follow || m_phase == Phase::Heal;
    if (looks && now_ms >= m_readAt_ms && !isUnderWay(Request::Kind::ReadLead) && !isUnderWay(Request::Kind::Take))
        readLead(now_ms);
}

void Protocol::send(Request::Kind kind, QList<QByteArray> words, qint64 now_ms, qint64 n)
{
    Awaited awaited{kind, ++m_ticket, now_ms};
    awaited.n = n;
    if (kind == Request::Kind::Apply || kind == Request::Kind::ReadLead) {
        awaited.unit = ++m_units;
        m_unitSent_ms = now_ms;
    }
    m_awaited.push_back(awaited);
    m_out.requests.push_back({kind, m_ticket, std::move(words)});
}

bool Protocol::isUnderWay(Request::Kind kind) const
{
    return std::any_of(m_awaited.begin(), m_awaited.end(), [kind](const Awaited &one) { return one.counts && one.kind == kind; });
}

void Protocol::setServing(Serving serving)
{
    if (m_serving == serving)
        return;
    m_serving = serving;
    tell({Event::Kind::Serving});
}

// Step 13, and contradictions of step 5. Nothing is sent any more, and nothing is answered from memory.
void Protocol::stop(QByteArray why)
{
    forget();
    m_phase = Phase::Stopped;
    tell({.kind = Event::Kind::Stopped, .text = std::move(why)});
}

// Step 19: nothing is answered from memory any more. Who waits for an answer asks again, at the new leader.
void Protocol::forget()
{
    m_memory.forget();
    m_answers.loseAll(m_out.answers);
    m_open = {};
    m_ring.begin(0);
    m_wanted.clear();
    m_id.clear();
    m_before = {};
    m_confirmed = m_answered = m_sent = m_covered = 0;
    m_stuckSince_ms = -1;
    m_healTo = 0;
    m_gone = false;
    for (Awaited &awaited : m_awaited)
        awaited.counts = false;
    setServing(Serving::Nothing);
}

} // namespace junban::journal
