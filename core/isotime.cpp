#include "core/isotime.h"

#include <QDateTime>
#include <QTimeZone>
#include <chrono>

namespace junban {

QByteArray isoTime(qint64 at_ms)
{
    // By hand: it is written twice for every job that is claimed, and QDateTime takes microseconds for it.
    using namespace std::chrono;
    const sys_time<milliseconds> time{milliseconds(at_ms)};
    const sys_days day = floor<days>(time);
    const year_month_day date(day);
    const hh_mm_ss<milliseconds> clock(time - day);
    char text[25] = "0000-00-00T00:00:00.000Z";
    const auto put = [&text](int at, int digits, long value) {
        for (int i = at + digits - 1; i >= at; --i, value /= 10)
            text[i] = char('0' + value % 10);
    };
    put(0, 4, int(date.year()));
    put(5, 2, long(unsigned(date.month())));
    put(8, 2, long(unsigned(date.day())));
    put(11, 2, clock.hours().count());
    put(14, 2, clock.minutes().count());
    put(17, 2, clock.seconds().count());
    put(20, 3, clock.subseconds().count());
    return QByteArray(text, 24);
}

std::optional<qint64> fromIsoTime(QByteArrayView text)
{
    const QDateTime time = QDateTime::fromString(QString::fromUtf8(text), Qt::ISODateWithMs);
    if (!time.isValid() || time.timeSpec() == Qt::LocalTime)
        return {};
    return time.toMSecsSinceEpoch();
}

} // namespace junban
