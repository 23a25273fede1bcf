#include "core/calendar/timezone.h"

#include "core/base/reasons/calendar.h"
#include "core/calendar/zonelinks.h"
#include "core/limits.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <iterator>
#include <limits>

namespace junban {

namespace {

// More than a wall time can differ from UTC, including a change of a whole day (Samoa once skipped one).
constexpr qint64 around_ms = 52LL * 3'600'000;

constexpr qint64 ever_ms = std::numeric_limits<qint64>::max();

QDateTime utcTime(qint64 at_ms)
{
    return QDateTime::fromMSecsSinceEpoch(at_ms, Qt::UTC);
}

// Files of the database that are no zones: what this machine calls local, a rule of POSIX, and what a machine has before it is set up.
constexpr QByteArrayView noZones[] = {"localtime", "posixrules", "Factory"};

// Whether the name has the form of the database's names. It becomes part of a file name, so nothing else may pass.
bool plausible(QByteArrayView name)
{
    if (name.isEmpty() || name.size() > limits::time_zone_bytes_max || name.startsWith("posix/") || name.startsWith("right/"))
        return false;
    if (std::find(std::begin(noZones), std::end(noZones), name) != std::end(noZones))
        return false;
    bool start = true; // at the beginning of a part between slashes
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (start ? !letter : !(letter || (c >= '0' && c <= '9') || c == '/' || c == '_' || c == '-' || c == '+'))
            return false;
        start = c == '/';
    }
    return !start;
}

// Whether the database has a zone of this name. Qt reads any other name as a POSIX rule, "Mars" and "ABC5" too.
bool inDatabase(const QByteArray &name)
{
    const auto in = [&name](const QByteArray &directory) {
        QFile file(QFile::decodeName(directory + '/' + name));
        return QFileInfo(file).isFile() && file.open(QIODevice::ReadOnly) && file.read(4) == "TZif";
    };
    const QByteArray own = qgetenv("TZDIR");
    return own.isEmpty() ? in("/usr/share/zoneinfo") || in("/usr/lib/zoneinfo") : in(own);
}

// The zone with this name in the database, without links of our own.
std::optional<QTimeZone> databaseZone(const QByteArray &name)
{
    if (name == "UTC")
        return QTimeZone::utc();
    if (!plausible(name) || !inDatabase(name))
        return {};
    const QTimeZone zone(name);
    return zone.isValid() && zone.id() == name ? std::optional(zone) : std::nullopt;
}

} // namespace

Result<TimeZone> TimeZone::named(QByteArrayView name, const QByteArray &field)
{
    const QByteArray id = name.toByteArray();
    std::optional<QTimeZone> zone = databaseZone(id);
    if (!zone && plausible(name))
        zone = databaseZone(linkedZone(name).toByteArray());
    if (zone)
        return TimeZone(std::move(*zone), id);
    return reasons::timeZoneUnknown(field);
}

bool TimeZone::looksNamed(QByteArrayView name)
{
    return plausible(name);
}

Error TimeZone::lost(QByteArrayView name)
{
    return {ErrorCode::Internal, reasons::timeZoneLost(name)};
}

TimeZone TimeZone::utc()
{
    return TimeZone(QTimeZone::utc(), "UTC");
}

qint64 TimeZone::offsetAt_ms(qint64 at_ms) const
{
    return m_zone.offsetFromUtc(utcTime(at_ms)) * 1'000LL;
}

std::optional<qint64> TimeZone::nextChange_ms(qint64 at_ms) const
{
    // Some transitions of the database change only the zone's abbreviation, not its offset.
    const qint64 offset_ms = offsetAt_ms(at_ms);
    for (qint64 from_ms = at_ms;;) {
        const QTimeZone::OffsetData next = m_zone.nextTransition(utcTime(from_ms));
        if (!next.atUtc.isValid())
            return {};
        const qint64 next_ms = next.atUtc.toMSecsSinceEpoch();
        if (next_ms <= from_ms)
            return {};
        if (offsetAt_ms(next_ms) != offset_ms)
            return next_ms;
        from_ms = next_ms;
    }
}

QList<TimeZone::Span> TimeZone::spansAround(qint64 at_ms) const
{
    const qint64 end_ms = at_ms + around_ms;
    qint64 from_ms = at_ms - around_ms;
    QList<Span> spans{{std::numeric_limits<qint64>::min(), ever_ms, offsetAt_ms(from_ms)}};
    for (std::optional<qint64> change = nextChange_ms(from_ms); change && *change < end_ms; change = nextChange_ms(from_ms)) {
        from_ms = *change;
        spans.last().to_ms = from_ms;
        spans.append({from_ms, ever_ms, offsetAt_ms(from_ms)});
    }
    return spans;
}

qint64 TimeZone::firstAt_ms(qint64 wall_ms) const
{
    const QList<Span> spans = spansAround(wall_ms);
    for (const Span &span : spans) {
        const qint64 at_ms = std::max(span.from_ms, wall_ms - span.offset_ms);
        if (at_ms < span.to_ms)
            return at_ms;
    }
    return wall_ms - spans.last().offset_ms;
}

qint64 TimeZone::settledAt_ms(qint64 wall_ms) const
{
    const QList<Span> spans = spansAround(wall_ms);
    for (auto span = spans.crbegin(); span != spans.crend(); ++span) {
        const qint64 at_ms = std::min(span->to_ms, wall_ms - span->offset_ms);
        if (at_ms > span->from_ms)
            return at_ms;
    }
    return wall_ms - spans.first().offset_ms;
}

qint64 TimeZone::latestWall_ms(qint64 at_ms) const
{
    qint64 latest_ms = std::numeric_limits<qint64>::min();
    const QList<Span> spans = spansAround(at_ms);
    for (const Span &span : spans) {
        if (span.from_ms <= at_ms)
            latest_ms = std::max(latest_ms, std::min(span.to_ms - 1, at_ms) + span.offset_ms);
    }
    return latest_ms;
}

} // namespace junban
