#include "ui/base/windowtexts.h"

#include "ui/base/text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace junban::ui {

namespace {

constexpr int weekDays = 7;

struct WindowTexts {
    Q_DECLARE_TR_FUNCTIONS(WindowTexts)
};

} // namespace

QStringList dayNames()
{
    QStringList names;
    for (int day = Qt::Monday; day <= Qt::Sunday; ++day)
        names.append(QLocale().standaloneDayName(day, QLocale::ShortFormat));
    return names;
}

QString daysText(quint8 days)
{
    if ((days & 0x7f) == 0x7f)
        return WindowTexts::tr("every day");
    const QStringList names = dayNames();
    QStringList parts;
    for (int day = 0; day < weekDays;) {
        if (!(days >> day & 1)) {
            ++day;
            continue;
        }
        int last = day;
        while (last + 1 < weekDays && (days >> (last + 1) & 1))
            ++last;
        // Two days in a row are listed, not written as a range.
        if (last - day >= 2) {
            parts.append(WindowTexts::tr("%1–%2", "a range of days").arg(names[day], names[last]));
        } else {
            for (int each = day; each <= last; ++each)
                parts.append(names[each]);
        }
        day = last + 1;
    }
    return parts.join(WindowTexts::tr(", ", "between days"));
}

QString minutesText(int minutes)
{
    return QStringLiteral("%1:%2").arg(minutes / 60, 2, 10, QLatin1Char('0')).arg(minutes % 60, 2, 10, QLatin1Char('0'));
}

QString windowText(const Window &window)
{
    return WindowTexts::tr("%1 %2–%3, %4", "days, from, to, time zone")
        .arg(daysText(window.days), minutesText(window.from_min), minutesText(window.to_min), shown(window.tz));
}

} // namespace junban::ui
