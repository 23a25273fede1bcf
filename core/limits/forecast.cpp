#include "core/limits/forecast.h"

#include <QHash>
#include <algorithm>
#include <cmath>
#include <limits>

namespace junban {

namespace {

constexpr double setsPace = 0.8;   // a limit is taken to set the pace when a backlog that it alone holds would last so much of the time
constexpr double noticed = 0.05;   // a backlog grows when so much more comes than starts; less is chance

// Of each limit the sum over its keys, as jobs of different keys are different jobs; of several limits the worst.
double growthAt(const QList<BacklogSeen::Gate> &gates)
{
    QHash<QByteArray, double> byLimit;
    for (const BacklogSeen::Gate &gate : gates)
        byLimit[gate.limit] += std::max(0.0, gate.arrivals - gate.allowed);
    return byLimit.isEmpty() ? 0 : *std::max_element(byLimit.cbegin(), byLimit.cend());
}

// How long the gates alone hold what waits at them, while more comes. Infinite: it does not become smaller.
Forecast::Range heldBy(const QList<BacklogSeen::Gate> &gates)
{
    Forecast::Range longest;
    for (const BacklogSeen::Gate &gate : gates) {
        if (gate.waiting <= 0)
            continue;
        const double net = gate.allowed - gate.arrivals;
        const double lasts_s = net > 0 ? gate.waiting / net : std::numeric_limits<double>::infinity();
        if (lasts_s > longest.least_s)
            longest = {lasts_s, lasts_s, gate.limit};
    }
    return longest;
}

} // namespace

Forecast forecastOf(const BacklogSeen &seen)
{
    Forecast forecast;
    forecast.growth = growthAt(seen.gates);
    if (seen.starts <= 0)
        return forecast;
    const double pace = seen.starts / seen.seen_s, net = pace - seen.arrivals;
    if (seen.waiting <= 0)
        forecast.before_s = 0;
    else if (net > 0)
        forecast.before_s = seen.waiting / net;
    // The pace of now stays, unless it is what the limits permit now: then workers may be quicker, by as much as the new ones permit more.
    const double lasts_s = seen.waiting / pace, permitted_s = heldBy(seen.gatesNow).least_s;
    const bool paced = permitted_s > 0 && std::isfinite(permitted_s) && permitted_s >= lasts_s * setsPace;
    Forecast::Range after = heldBy(seen.gates);
    if (paced)
        after.most_s = after.least_s * lasts_s / permitted_s;
    else if (seen.waiting > 0 && seen.arrivals > pace * (1 + noticed))
        forecast.growth = std::max(forecast.growth, seen.arrivals - pace);
    if (!paced)
        after.most_s = forecast.before_s ? std::max(*forecast.before_s, after.least_s) : std::numeric_limits<double>::infinity();
    after.most_s = std::max(after.most_s, after.least_s);
    if (forecast.growth == 0 && std::isfinite(after.most_s))
        forecast.after = after;
    return forecast;
}

} // namespace junban
