#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QTimeZone>
#include <optional>

namespace junban {

// A time zone of the IANA database, and the two questions that the calendar asks of a wall clock. A wall time is written as the
// milliseconds since 1970-01-01 00:00 that a clock on the wall there shows. A clock that is put forward leaves wall times out (a gap),
// one that is put back shows some twice; both answers below hold for every such case, a whole skipped day included.
//
// Threads: any, for values of it. Needs the system's tzdata.
class TimeZone
{
public:
    // Errors: InvalidField with `field` as it is given, for a name that the database does not have.
    static Result<TimeZone> named(QByteArrayView name, const QByteArray &field);
    static TimeZone utc();

    const QByteArray &name() const { return m_name; }

    // What the wall clock shows at a moment, and by how much that is ahead of UTC.
    qint64 wallAt_ms(qint64 at_ms) const { return at_ms + offsetAt_ms(at_ms); }
    qint64 offsetAt_ms(qint64 at_ms) const;

    // The first moment at which the wall clock shows `wall_ms` or later: of a time that comes twice the first, of one that is skipped the
    // end of the gap.
    qint64 firstAt_ms(qint64 wall_ms) const;
    // The moment from which on the wall clock never shows less than `wall_ms`: of a time that comes twice the last, of one that is
    // skipped the end of the gap.
    qint64 settledAt_ms(qint64 wall_ms) const;
    // The latest wall time that was shown up to a moment; later than wallAt_ms() while a part of the day comes again.
    qint64 latestWall_ms(qint64 at_ms) const;
    // When the offset changes next after a moment; nothing when it never does.
    std::optional<qint64> nextChange_ms(qint64 at_ms) const;

private:
    struct Span {
        qint64 from_ms;   // the smallest number: from ever
        qint64 to_ms;     // the largest number: for ever
        qint64 offset_ms;
    };
    TimeZone(QTimeZone zone, QByteArray name) : m_zone(std::move(zone)), m_name(std::move(name)) {}
    // The spans of equal offset around a moment, far enough for every wall time within two days of it.
    QList<Span> spansAround(qint64 at_ms) const;

    QTimeZone m_zone;
    QByteArray m_name;
};

} // namespace junban
