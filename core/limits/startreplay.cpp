#include "core/limits/startreplay.h"

#include <QHash>
#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

namespace junban {

namespace {

// The state of one key of one limit during the replay.
struct Line {
    std::multimap<qint64, qint64> running;          // concurrency: end → cost
    qint64 used = 0;                                // of what runs, or of the starts that count
    std::deque<std::pair<qint64, qint64>> started;  // sliding, fixed: start and cost of those that count
    double tat_ms = 0;                              // gcra
    qint64 last_ms = 0;                             // its last start; later jobs do not start before it
};

// The first moment from `at_ms` on at which the limit has room.
qint64 roomAt(Line &line, const ConcurrencyParameters &limit, qint64 at_ms, qint64 cost)
{
    const auto end = [&line] {
        line.used -= line.running.begin()->second;
        line.running.erase(line.running.begin());
    };
    while (!line.running.empty() && line.running.begin()->first <= at_ms)
        end();
    while (!line.running.empty() && line.used + cost > limit.limit) {
        at_ms = line.running.begin()->first;
        end();
    }
    return at_ms;
}

qint64 roomAt(Line &line, const RateParameters &limit, qint64 at_ms, qint64 cost)
{
    const double period_ms = limit.period_s * 1000;
    if (limit.algorithm == RateAlgorithm::Gcra) {
        const double step_ms = period_ms / double(limit.limit);
        return std::max(at_ms, qint64(std::ceil(line.tat_ms - double(std::max<qint64>(0, limit.burst - cost)) * step_ms)));
    }
    const auto counts = [&](qint64 start_ms) {
        if (limit.algorithm == RateAlgorithm::Sliding)
            return double(start_ms) + period_ms > double(at_ms);
        return std::floor(double(start_ms) / period_ms) == std::floor(double(at_ms) / period_ms);
    };
    for (;;) {
        while (!line.started.empty() && !counts(line.started.front().first)) {
            line.used -= line.started.front().second;
            line.started.pop_front();
        }
        if (line.used == 0 || line.used + cost <= limit.limit)
            return at_ms;
        at_ms = limit.algorithm == RateAlgorithm::Sliding ? line.started.front().first + qint64(std::ceil(period_ms))
                                                          : qint64((std::floor(double(at_ms) / period_ms) + 1) * period_ms);
    }
}

void take(Line &line, const Parameters &parameters, qint64 at_ms, qint64 ran_ms, qint64 cost)
{
    if (const auto *rate = std::get_if<RateParameters>(&parameters)) {
        if (rate->algorithm == RateAlgorithm::Gcra)
            line.tat_ms = std::max(line.tat_ms, double(at_ms)) + double(cost) * rate->period_s * 1000 / double(rate->limit);
        else
            line.started.emplace_back(at_ms, cost);
    } else {
        line.running.emplace(at_ms + ran_ms, cost);
    }
    line.used += cost;
    line.last_ms = at_ms;
}

bool isTried(const Parameters &parameters)
{
    const auto *rate = std::get_if<RateParameters>(&parameters);
    const auto *concurrency = std::get_if<ConcurrencyParameters>(&parameters);
    return (rate && rate->limit > 0) || (concurrency && concurrency->limit > 0);
}

} // namespace

double steadyRate(QList<qint64> minutes)
{
    constexpr qsizetype minutes_min = 3; // what came in one of two minutes may be a burst
    while (minutes.size() > minutes_min && minutes.first() == 0)
        minutes.removeFirst();
    while (minutes.size() < minutes_min)
        minutes.prepend(0);
    const auto middle = minutes.begin() + minutes.size() / 2;
    std::nth_element(minutes.begin(), middle, minutes.end());
    return double(*middle) / 60;
}

QList<qint64> inSteps(const QList<qint64> &moments_ms, qint64 end_ms, qint64 step_ms, qsizetype count)
{
    QList<qint64> counts(count, 0);
    for (const qint64 at_ms : moments_ms) {
        const qint64 step = (at_ms - (end_ms - count * step_ms)) / step_ms;
        if (at_ms <= end_ms && at_ms > end_ms - count * step_ms)
            ++counts[std::clamp<qint64>(step, 0, count - 1)];
    }
    return counts;
}

Replayed replay(QList<PastStart> starts, const QList<Constraint> &constraints)
{
    std::sort(starts.begin(), starts.end(), [](const PastStart &a, const PastStart &b) { return a.at_ms < b.at_ms; });
    QHash<QPair<qsizetype, QByteArray>, Line> lines;
    Replayed result;
    for (const PastStart &start : std::as_const(starts)) {
        qint64 at_ms = start.at_ms;
        // All limits must have room at the same moment.
        for (qint64 before_ms = -1; before_ms != at_ms;) {
            before_ms = at_ms;
            for (const PastStart::Carried &carried : start.carried) {
                const Parameters parameters = constraints[carried.constraint].parametersFor(carried.key);
                if (!isTried(parameters))
                    continue;
                Line &line = lines[{carried.constraint, carried.key}];
                at_ms = std::max(at_ms, line.last_ms);
                if (const auto *rate = std::get_if<RateParameters>(&parameters))
                    at_ms = roomAt(line, *rate, at_ms, carried.cost);
                else
                    at_ms = roomAt(line, std::get<ConcurrencyParameters>(parameters), at_ms, carried.cost);
            }
        }
        for (const PastStart::Carried &carried : start.carried) {
            const Parameters parameters = constraints[carried.constraint].parametersFor(carried.key);
            if (isTried(parameters))
                take(lines[{carried.constraint, carried.key}], parameters, at_ms, start.ran_ms, carried.cost);
        }
        ++result.starts;
        result.startedAt_ms.append(at_ms);
        if (at_ms > start.at_ms) {
            ++result.delayed;
            result.delaySum_ms += at_ms - start.at_ms;
            result.delayMost_ms = std::max(result.delayMost_ms, at_ms - start.at_ms);
        }
    }
    return result;
}

} // namespace junban
