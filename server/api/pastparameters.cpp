#include "server/api/pastparameters.h"

#include "core/base/isotime.h"
#include "core/base/reasons/api.h"
#include "core/base/reasons/fields.h"
#include "core/base/reasons/requests.h"
#include "core/base/text.h"
#include "core/limits.h"

#include <QDate>

#include <algorithm>
#include <array>

namespace junban::api {

namespace {

// One of some words; the first when the parameter is left out.
template<typename T, size_t N>
Result<T> wordOf(const Call &call, const char *key, const std::array<std::pair<const char *, T>, N> &words)
{
    if (!call.query.contains(key))
        return words[0].second;
    for (const auto &[word, value] : words) {
        if (call.query[key] == word)
            return value;
    }
    QByteArrayList allowed;
    for (const auto &[word, value] : words)
        allowed.append(word);
    return reasons::wordExpected(key, allowed);
}

} // namespace

Result<qint64> periodOf(const Call &call)
{
    return wordOf<qint64, 5>(call, "window", {{{"24h", 86'400}, {"1h", 3'600}, {"3h", 10'800}, {"3d", 259'200}, {"7d", 604'800}}});
}

Result<GroupState> groupStateOf(const Call &call)
{
    using enum GroupState;
    return wordOf<GroupState, 4>(call, "state", {{{"all", All}, {"open", Open}, {"resolved", Resolved}, {"muted", Muted}}});
}

Result<std::optional<SumBy>> sumByOf(const Call &call)
{
    using enum SumBy;
    return wordOf<std::optional<SumBy>, 4>(
        call, "group_by", {{{"signature", std::nullopt}, {"name", Name}, {"reason", Reason}, {"worker", Worker}}});
}

Result<std::optional<qint64>> dayOf(const Call &call)
{
    if (!call.query.contains("day"))
        return std::optional<qint64>();
    const QByteArray text = call.query["day"];
    const QDate date = QDate::fromString(QString::fromUtf8(text), Qt::ISODate);
    if (!isDay(text))
        return reasons::parameterNotDate("day", shown(text, limits::shown_bytes_max));
    return std::optional<qint64>(QDate(1970, 1, 1).daysTo(date));
}

Result<qint64> untilOf(const Call &call)
{
    if (!call.query.contains("until"))
        return qint64(0);
    const std::optional<qint64> at_ms = fromIsoTime(call.query["until"]);
    if (!at_ms || *at_ms < 1'000)
        return reasons::timeExpected("until");
    return *at_ms / 1'000;
}

Result<qint64> rangeOf(const Call &call)
{
    const QByteArray text = call.query.value("range", "1h");
    constexpr std::array<std::pair<char, qint64>, 4> units{{{'s', 1}, {'m', 60}, {'h', 3'600}, {'d', 86'400}}};
    qint64 unit_s = 1;
    QByteArray digits = text;
    for (const auto &[letter, length_s] : units) {
        if (text.endsWith(letter)) {
            unit_s = length_s;
            digits.chop(1);
        }
    }
    bool ok = false;
    const qint64 number = digits.size() <= 6 ? digits.toLongLong(&ok) : 0;
    const qint64 range_s = number * unit_s;
    if (!ok || range_s < 1 || range_s > qint64(limits::series_days_max) * 86'400)
        return reasons::parameterNotRange("range", limits::series_days_max, shown(text, limits::shown_bytes_max));
    return range_s;
}

Result<Metric> metricOf(const Call &call)
{
    const std::optional<Metric> metric = metricFromWord(call.query.value("metric"));
    if (!metric && !call.query.contains("metric"))
        return reasons::fieldRequired("metric");
    if (!metric)
        return reasons::metricUnknown("metric", shown(call.query["metric"], limits::shown_bytes_max));
    if (call.query.contains("name") && std::find(nameMetrics.begin(), nameMetrics.end(), *metric) == nameMetrics.end())
        return reasons::metricNotByName("metric");
    return *metric;
}

} // namespace junban::api
