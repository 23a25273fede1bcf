// Steps 7 to 14, 17 and 18: batches, beats, answers, the ring, the end of a leadership.
#include "core/journal/bounds.h"
#include "core/journal/protocol.h"

namespace junban::journal {

bool Protocol::full() const
{
    return m_open.bytes() >= bounds::batch_bytes_max || m_open.list().size() >= bounds::batch_writes_max;
}

// Step 10.
bool Protocol::mayDecide() const
{
    return m_phase == Phase::Lead && !m_leaving && !m_refusal && m_ring.last() - m_confirmed < bounds::under_way_max
        && m_ring.bytesAbove(m_confirmed) < bounds::under_way_bytes_max;
}

// Whether nothing was confirmed for two seconds because of a break or a refusal.
bool Protocol::isStuck(qint64 now_ms) const
{
    return m_stuckSince_ms >= 0 && now_ms - m_stuckSince_ms >= bounds::patience_ms;
}

// A Redis that refuses changes still answers reads of `lead`, and these prove the leadership. So only what it refused need be marked.
Reading Protocol::reading(qint64 now_ms) const
{
    if (m_leaving || (m_phase != Phase::Lead && m_phase != Phase::Heal))
        return Reading::Nothing;
    if (mayDecide())
        return Reading::Held;
    if (m_refusal && !m_refusedReading)
        return m_ring.last() > m_confirmed || !m_open.isEmpty() ? Reading::Unsaved : Reading::Held;
    return isStuck(now_ms) ? Reading::Unsaved : Reading::Nothing;
}

// Step 11.
void Protocol::fullness(qint64 used_bytes, qint64 max_bytes)
{
    m_used_bytes = used_bytes;
    m_max_bytes = max_bytes;
    m_sentSince_bytes = m_sentAsking_bytes;
}

bool Protocol::nearlyFull(qint64 bytes) const
{
    return m_max_bytes > 0
        && double(m_used_bytes + m_sentSince_bytes + m_open.bytes() + bytes) > double(m_max_bytes) * bounds::full_share;
}

// Step 9. Invariant 4: what anybody was told is in Redis, and was told by the leader.
void Protocol::hold(Answer answer, Proof proof, Patience patience, qint64 now_ms)
{
    if (m_phase != Phase::Lead && m_phase != Phase::Heal) {
        m_out.answers.push_back({std::move(answer), Fate::Unknown});
        return;
    }
    const qint64 batch = m_ring.last() + (m_open.isEmpty() ? 0 : 1);
    quint64 unit = 0;
    if (proof == Proof::Fresh) {
        unit = m_units + 1;
    } else if (batch <= m_confirmed && (m_phase == Phase::Heal || now_ms - m_proof_ms >= bounds::proof_ms_max)) {
        const bool comes = m_phase == Phase::Lead && m_unitConfirmed < m_units && now_ms - m_unitSent_ms < bounds::proof_ms_max;
        unit = comes ? m_units : m_units + 1;
    }
    m_answers.hold(std::move(answer), batch, unit, patience, now_ms);
    m_answers.release(m_confirmed, m_unitConfirmed, m_out.answers);
}

// Step 7: one pass of the event loop is one batch, whose bytes never change. Also when the link broke within the pass: memory has changed.
void Protocol::endPass(qint64 now_ms)
{
    engine::Writes writes = std::exchange(m_open, {});
    if (m_phase != Phase::Lead && m_phase != Phase::Heal)
        return;
    if (!writes.isEmpty()) {
        Batch batch{m_ring.last() + 1, m_time.now_ms(now_ms), wordsOf(writes)};
        batch.bytes = bytesOf(batch.words);
        batch.sent_ms = now_ms;
        m_ring.add(std::move(batch));
    }
    pump(now_ms);
}

// Step 8: sends what is not sent yet. Each batch names the one before it. Invariant 3: Redis holds exactly the batches 1…n of one line of
// leaderships. A refused batch lets no later one in, whatever refused it.
void Protocol::pump(qint64 now_ms)
{
    if (m_phase != Phase::Lead || !m_up)
        return;
    while (m_sent < m_ring.last() && m_sent - m_confirmed < bounds::under_way_max && m_underWay_bytes < bounds::under_way_bytes_max) {
        Batch &batch = m_ring.at(m_sent + 1);
        batch.sent_ms = now_ms;
        m_underWay_bytes += batch.bytes;
        m_sentSince_bytes += batch.bytes;
        m_sentAsking_bytes += batch.bytes;
        QList<QByteArray> words;
        words.reserve(4 + batch.words.size());
        words << m_id << QByteArray::number(m_sent) << QByteArray::number(batch.n) << QByteArray::number(batch.at_ms);
        send(Request::Kind::Apply, std::move(words << batch.words), now_ms, batch.n);
        m_sent = batch.n;
    }
    if (m_answers.needsUnitAbove(m_units))
        sendBeat(now_ms);
}

// Step 12: compares, raises `beat`, leaves n.
void Protocol::sendBeat(qint64 now_ms)
{
    const QByteArray n = QByteArray::number(m_sent);
    send(Request::Kind::Apply, {m_id, n, n, QByteArray::number(++m_beat)}, now_ms);
}

void Protocol::beatIfDue(qint64 now_ms)
{
    if (now_ms - m_unitSent_ms >= bounds::beat_ms)
        sendBeat(now_ms);
}

void Protocol::applied(const Awaited &unit, const Answered &answered, qint64 now_ms)
{
    if (const auto *done = std::get_if<Confirmed>(&answered)) {
        confirm(unit, done->redis_ms, now_ms);
    } else if (m_phase == Phase::Load) {
        follow(now_ms); // step 4: from step 1
    } else if (m_phase == Phase::Lead) {
        beginHeal(now_ms, std::holds_alternative<Refused>(answered) ? bounds::pause_ms : 0);
    }
}

void Protocol::confirm(const Awaited &unit, qint64 redis_ms, qint64 now_ms)
{
    m_time.learn(redis_ms, unit.sent_ms, now_ms);
    m_unitConfirmed = unit.unit;
    m_proof_ms = unit.sent_ms;
    m_stuckSince_ms = -1;
    if (m_phase != Phase::Lead)
        return;
    if (unit.n > 0) {
        m_confirmed = unit.n;
        m_underWay_bytes -= m_ring.at(unit.n).bytes;
        m_answered = std::max(m_answered, m_confirmed);
    }
    if (m_healTo > 0 && m_confirmed >= m_healTo) {
        tell({.kind = Event::Kind::Healed, .batches = m_healTo - m_healFrom, .took_ms = now_ms - m_healSince_ms});
        m_healTo = 0;
    }
    m_answers.release(m_confirmed, m_unitConfirmed, m_out.answers);
    if (m_serving == Serving::Reports && unit.sent_ms - m_loaded_ms >= bounds::beat_ms)
        setServing(Serving::Everything);
    pump(now_ms);
    mayLeave(now_ms);
}

// Step 17.
void Protocol::note(qint64 now_ms)
{
    const Remembered last{m_id, m_answered};
    if (m_phase != Phase::Lead || now_ms - m_noted_ms < bounds::note_ms || last == m_noted)
        return;
    m_noted = last;
    m_noted_ms = now_ms;
    tell({.kind = Event::Kind::Note, .batches = last.n, .text = last.id});
}

void Protocol::setAddress(const QByteArray &address, const QByteArray &certificate, qint64 now_ms)
{
    m_mine.address = address;
    m_mine.certificate = certificate;
    tellAddress(now_ms);
}

// As a batch, so that only the leader can write it.
void Protocol::tellAddress(qint64 now_ms)
{
    if (!mayDecide() || (m_toldAddress == m_mine.address && m_toldCertificate == m_mine.certificate))
        return;
    m_toldAddress = m_mine.address;
    m_toldCertificate = m_mine.certificate;
    m_open.setField("lead", "address", m_mine.address);
    m_open.setField("lead", "certificate", m_mine.certificate);
    endPass(now_ms);
}

// Step 18: nothing more is decided; what was decided is written, then `gone`, which any master may take at once.
void Protocol::leave(qint64 now_ms)
{
    m_leaving = true;
    if (m_phase == Phase::Follow || m_phase == Phase::Take || m_phase == Phase::Load)
        follow(now_ms);
    else if (m_phase == Phase::Stopped || m_phase == Phase::Left)
        tell({Event::Kind::Left});
    else
        mayLeave(now_ms);
}

void Protocol::mayLeave(qint64 now_ms)
{
    if (!m_leaving || m_phase != Phase::Lead || !m_open.isEmpty() || m_confirmed < m_ring.last())
        return;
    if (m_gone) {
        forget();
        m_phase = Phase::Left;
        tell({Event::Kind::Left});
        return;
    }
    m_gone = true;
    m_open.setField("lead", "gone", "1");
    endPass(now_ms);
}

} // namespace junban::journal
