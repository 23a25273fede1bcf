#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QRandomGenerator>
#include <array>
#include <compare>
#include <cstring>
#include <optional>

namespace junban {

// A job's id: a UUIDv7 (RFC 9562 §5.7), 16 bytes in Redis, 36 characters on the wire. Ids of one IdMaker sort in the order in which they
// were made. So the order (priority, id) of a lane is by priority, and first come, first served among equal priorities.
class JobId
{
public:
    static constexpr int size = 16;

    JobId() = default;
    // From the 16 bytes as Redis keeps them; nothing when the length is not 16.
    static std::optional<JobId> fromBytes(QByteArrayView bytes);
    // From the 36 characters of the form 8-4-4-4-12, in upper or lower case; nothing when the text has another form.
    static std::optional<JobId> fromText(QByteArrayView text);

    QByteArray bytes() const { return QByteArray(reinterpret_cast<const char *>(m_bytes.data()), size); }
    QByteArrayView view() const { return QByteArrayView(reinterpret_cast<const char *>(m_bytes.data()), size); }
    QByteArray text() const;
    bool isNull() const { return *this == JobId(); }
    // When the id was made: milliseconds since the epoch on Redis' clock, from its first 48 bits.
    qint64 created_ms() const;

    friend bool operator==(const JobId &, const JobId &) = default;
    friend auto operator<=>(const JobId &, const JobId &) = default;
    friend size_t qHash(const JobId &id, size_t seed = 0) noexcept
    {
        quint64 high = 0, low = 0;
        std::memcpy(&high, id.m_bytes.data(), 8);
        std::memcpy(&low, id.m_bytes.data() + 8, 8);
        return static_cast<size_t>(high ^ (low * 0x9e3779b97f4a7c15ULL)) ^ seed;
    }

private:
    friend class IdMaker;
    std::array<quint8, 16> m_bytes{};
};

// Makes ids that only grow. Each engine thread has one; not safe for use by several threads.
class IdMaker
{
public:
    IdMaker();
    // `now_ms` is Clock::now_ms(). When it stands still or goes back, the ids continue from the last one.
    JobId make(qint64 now_ms);

private:
    qint64 m_last_ms = 0;
    quint16 m_counter = 0;      // the 12 bits after the time: the order within a millisecond
    QRandomGenerator64 m_random; // the last 62 bits, so that two engines never make the same id
};

} // namespace junban
