// Steps 1 to 6: who leads, take, load.
#include "core/journal/bounds.h"
#include "core/journal/protocol.h"

namespace junban::journal {

// Step 1.
void Protocol::readLead(qint64 now_ms)
{
    m_readAt_ms = now_ms + bounds::look_ms;
    send(Request::Kind::ReadLead, {}, now_ms);
}

// Whatever went wrong before a leadership: from step 1.
void Protocol::follow(qint64 now_ms)
{
    if (m_phase == Phase::Load)
        m_memory.forget();
    m_wanted.clear();
    for (Awaited &awaited : m_awaited)
        awaited.counts = false;
    m_phase = m_leaving ? Phase::Left : Phase::Follow;
    m_watch.restart();
    m_readAt_ms = now_ms + bounds::pause_ms;
    if (m_leaving)
        tell({Event::Kind::Left});
}

void Protocol::leadRead(const Awaited &read, const Answered &answered, qint64 now_ms)
{
    const auto *found = std::get_if<LeadIs>(&answered);
    if (!found) {
        m_readAt_ms = now_ms + bounds::pause_ms;
        if (m_phase == Phase::Load)
            follow(now_ms);
    } else if (m_phase == Phase::Follow) {
        followed(found->lead, now_ms);
    } else if (m_phase == Phase::Load) {
        loadLead(found->lead, now_ms);
    } else if (m_phase == Phase::Heal) {
        if (found->lead.id == m_id) { // it proves the leadership as a unit does
            m_unitConfirmed = read.unit;
            m_proof_ms = read.sent_ms;
        }
        heal(found->lead, now_ms);
    }
}

// Step 2.
void Protocol::followed(const Lead &lead, qint64 now_ms)
{
    compareRemembered(lead);
    if (isNewer(lead))
        return;
    m_watch.saw(lead, now_ms);
    if (!m_id.isEmpty() && lead.id == m_id)
        beginLoad(lead, now_ms); // the reply of a take was lost; nothing was written under this id yet
    else if (m_watch.mayTake())
        take(lead, now_ms);
    else if (m_watch.mayProbe())
        tell({.kind = Event::Kind::Probe, .text = lead.address});
}

void Protocol::probed(const QByteArray &address, bool refuses, qint64 now_ms)
{
    if (!refuses)
        return;
    m_watch.refused(address);
    if (m_up && m_phase == Phase::Follow && m_watch.mayTake())
        take(m_watch.lead(), now_ms);
}

// A newer program has changed how the namespace is kept: this one neither takes nor leads.
bool Protocol::isNewer(const Lead &lead)
{
    const bool newer = lead.layout > m_mine.layout;
    if (newer && !m_newerTold)
        tell({.kind = Event::Kind::NewerLayout, .batches = lead.layout});
    m_newerTold = newer;
    return newer;
}

// Step 17: what the last leadership of this master had answered, against what the first read shows.
void Protocol::compareRemembered(const Lead &lead)
{
    const Remembered then = std::exchange(m_remembered, {});
    if (then.id.isEmpty())
        return;
    if (lead.isMissing())
        tell({Event::Kind::Rollback, Event::Why::Emptied, then.n});
    else if (lead.id == then.id && lead.n < then.n)
        tell({Event::Kind::Rollback, Event::Why::AtStart, then.n - lead.n});
}

// Step 3. Invariant 1: one id stands in `lead`, and no unit of another id changes anything. Each unit compares and writes in one step of
// Redis, on whatever connection and however late it arrives.
void Protocol::take(const Lead &seen, qint64 now_ms)
{
    m_id = m_drawId();
    m_before = seen;
    m_phase = Phase::Take;
    sendTake(seen, now_ms);
}

void Protocol::sendTake(const Lead &seen, qint64 now_ms)
{
    m_toldAddress = m_mine.address;
    m_toldCertificate = m_mine.certificate;
    const auto number = [&seen](qint64 value) { return seen.isMissing() ? QByteArray() : QByteArray::number(value); };
    send(Request::Kind::Take,
        {seen.id, number(seen.n), number(seen.beat), m_id, QByteArray::number(m_mine.layout), m_mine.address, m_mine.certificate,
            m_mine.secret},
        now_ms);
}

void Protocol::taken(const Awaited &take, const Answered &answered, qint64 now_ms)
{
    const auto *ours = std::get_if<Taken>(&answered);
    if (ours)
        m_time.learn(ours->redis_ms, take.sent_ms, now_ms);
    if (m_phase == Phase::Heal) { // the third row of step 15
        if (ours) {
            m_term = ours->lead.term;
            resume(m_before.n, now_ms);
        } else {
            m_readAt_ms = now_ms + bounds::pause_ms;
        }
    } else if (ours) {
        beginLoad(ours->lead, now_ms);
    } else {
        follow(now_ms);
        if (const auto *other = std::get_if<Fenced>(&answered); other && !isNewer(other->lead))
            m_watch.saw(other->lead, now_ms);
    }
}

// Step 4, on the connection that carries the beats: a break ends both.
void Protocol::beginLoad(const Lead &lead, qint64 now_ms)
{
    m_phase = Phase::Load;
    m_loading = Loading::FirstLead;
    m_reading = 0;
    m_term = lead.term;
    m_beat = lead.beat;
    m_ring.begin(lead.n);
    m_sent = m_confirmed = m_answered = lead.n;
    m_covered = 0;
    m_underWay_bytes = 0;
    sendBeat(now_ms); // its reply tells Redis' time
    readLead(now_ms);
}

// Invariant 2: memory at n equals Redis at n. Nobody else has written between the two reads.
void Protocol::loadLead(const Lead &lead, qint64 now_ms)
{
    if (lead.id != m_id || lead.n != m_confirmed) {
        follow(now_ms);
    } else if (m_loading == Loading::FirstLead) {
        m_loading = Loading::Keys;
        m_time.begin(lead.at_ms); // step 6: the greater of `at` and Redis' time
        const QList<engine::WantedKey> first = m_memory.begin(m_time.now_ms(now_ms));
        m_wanted.assign(first.begin(), first.end());
        readMore(now_ms);
    } else if (const Result<Done> derived = m_memory.complete(); !derived.ok()) { // step 5
        stop(derived.error().message());
    } else {
        startLeading(now_ms);
    }
}

void Protocol::readMore(qint64 now_ms)
{
    for (; m_reading < bounds::reads_max && !m_wanted.empty(); ++m_reading) {
        const engine::WantedKey next = std::move(m_wanted.front());
        m_wanted.pop_front();
        send(Request::Kind::Read, {next.hash ? "HGETALL" : "GET", next.key}, now_ms);
    }
    if (m_reading == 0) {
        m_loading = Loading::LastLead;
        readLead(now_ms);
    }
}

void Protocol::valueRead(const Answered &answered, qint64 now_ms)
{
    const auto *stored = std::get_if<engine::Stored>(&answered);
    if (!stored) {
        follow(now_ms);
        return;
    }
    --m_reading;
    const Result<QList<engine::WantedKey>> more = m_memory.read(*stored);
    if (!more.ok()) { // step 5: a contradiction stops the master
        stop(more.error().message());
        return;
    }
    m_wanted.insert(m_wanted.end(), more->begin(), more->end());
    readMore(now_ms);
}

// Step 6. Reports and heartbeats come first, so that no lease runs out for the time in which nobody led.
void Protocol::startLeading(qint64 now_ms)
{
    m_phase = Phase::Lead;
    m_loaded_ms = now_ms;
    m_stuckSince_ms = -1;
    m_noted = {};
    setServing(Serving::Reports);
    tellAddress(now_ms);
    mayLeave(now_ms);
}

Lead Protocol::otherLeader() const
{
    const Lead &lead = m_watch.lead();
    const bool isOther = m_phase == Phase::Follow && m_watch.leads() && lead.address != m_mine.address;
    return isOther ? lead : Lead();
}

} // namespace junban::journal
