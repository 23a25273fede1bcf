#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QTimeZone>
#include <optional>

namespace junban {

// A time zone of the IANA database, which turns wall times into moments. A moment is in milliseconds since the epoch. A wall time is what
// a clock in that zone shows, written as milliseconds since 1970-01-01 00:00 on that clock. A clock that is put forward skips wall times
// (a gap); one that is put back shows some twice. The functions below define both cases, also when a whole day is skipped.
//
// Threads: any; each may use its own copy. Needs the system's tzdata; where TZDIR is set, only zones that are in that directory are known.
class TimeZone
{
public:
    // An old name for which the database has only the newer one (core/calendar/zonelinks.h) is known too, and stays the zone's name here.
    // Errors: InvalidField for `field`, when the database does not have this name.
    static Result<TimeZone> named(QByteArrayView name, const QByteArray &field);
    // Whether a name has the form of a zone's name, so that another machine may know it.
    static bool looksNamed(QByteArrayView name);
    // What is said of a zone that was stored by a machine that had it, and that this one lacks.
    static Error lost(QByteArrayView name);
    static TimeZone utc();

    const QByteArray &name() const { return m_name; }

    // The wall time at a moment, and by how many milliseconds it is ahead of UTC.
    qint64 wallAt_ms(qint64 at_ms) const { return at_ms + offsetAt_ms(at_ms); }
    qint64 offsetAt_ms(qint64 at_ms) const;

    // The first moment at which the wall clock shows `wall_ms` or later. When the time comes twice this is the first one, when it is
    // skipped the end of the gap.
    qint64 firstAt_ms(qint64 wall_ms) const;
    // The moment after which the wall clock never again shows a time before `wall_ms`. When the time comes twice this is the second one,
    // when it is skipped the end of the gap.
    qint64 settledAt_ms(qint64 wall_ms) const;
    // The latest wall time that the clock has shown up to a moment. It is later than wallAt_ms() after the clock was put back, while it
    // shows times for the second time.
    qint64 latestWall_ms(qint64 at_ms) const;
    // When the offset changes next, later than a moment; nothing when it never does.
    std::optional<qint64> nextChange_ms(qint64 at_ms) const;

private:
    struct Span {
        qint64 from_ms;   // the smallest number: no beginning
        qint64 to_ms;     // excluded; the largest number: no end
        qint64 offset_ms;
    };
    TimeZone(QTimeZone zone, QByteArray name) : m_zone(std::move(zone)), m_name(std::move(name)) {}
    // The spans of equal offset around a moment, for two days and some hours to each side. Every wall time can be looked up in them as if
    // it were UTC.
    QList<Span> spansAround(qint64 at_ms) const;

    QTimeZone m_zone;
    QByteArray m_name;
};

} // namespace junban
