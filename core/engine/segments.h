#pragma once

#include "core/engine/writes.h"

#include <map>
#include <optional>

// Where jobs stand in Redis. A job's parts are fields of a hash that it shares with some hundred others, its segment: a hash costs Redis
// less than many small keys, and a load reads a segment with one command. Segments are filled in the order of arrival. A job's place in
// one is not given to another job.
namespace junban::engine {

// A job's place: the number of its segment, and its place in that.
struct Slot {
    quint32 segment = 0;     // from 1; 0: none
    quint16 place = 0;       // 0 to segment_jobs_max − 1

    friend auto operator<=>(const Slot &, const Slot &) = default;
};

inline constexpr int segment_jobs_max = 512;
inline constexpr qint64 segment_bytes_max = 256 * 1024; // a segment that has more of records gets no further job
inline constexpr qsizetype apart_bytes = 4 * 1024;      // longer arguments and outcomes have keys of their own: segments stay small

// The kind of a key, as `segs` has it: one byte.
enum class KeyKind : char { Jobs = 'j', IdempotencyKeys = 'i', Groups = 'g', Schedules = 'c' };

QByteArray segmentKey(quint32 segment);                 // "s:12"
std::optional<quint32> segmentOfKey(QByteArrayView key);
// The field of a job's part: two characters for its place, and a letter ('\0': none, the record).
QByteArray fieldOf(quint16 place, char letter);
// Nothing when it is no such field.
std::optional<std::pair<quint16, char>> placeOfField(QByteArrayView field);
QByteArray apartKey(Slot slot, char letter);            // "v:12.0aa"

class Segments
{
public:
    // A place for a new job whose record has so many bytes.
    Slot allocate(qsizetype bytes, Writes &writes);
    // Frees a place whose job is gone, after its fields were removed.
    void free(Slot slot, Writes &writes);
    // For loads: there is such a segment, with so many jobs.
    void restore(quint32 segment, int jobs) { m_segments[segment].jobs = jobs; }

    // How many places of each segment are taken. The segment that is being filled is not known of a loaded engine, which begins a new one.
    std::map<quint32, int> occupied() const;

private:
    void dropEmpty(Writes &writes);

    struct Segment {
        int jobs = 0;                    // places that are taken
    };
    std::map<quint32, Segment> m_segments;
    quint32 m_filling = 0;               // the segment that gets the next job; 0: none
    int m_places = 0;                    // of that one, given out so far
    qint64 m_bytes = 0;                  // of that one, the records' bytes
};

} // namespace junban::engine
