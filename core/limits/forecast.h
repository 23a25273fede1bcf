#pragma once

#include <QByteArray>
#include <QList>
#include <optional>

namespace junban {

// What was seen of some jobs lately: those that wait, how they start, and how more of them come.
struct BacklogSeen {
    double waiting = 0;            // jobs that are ready
    double starts = 0;             // within seen_s
    double seen_s = 60;
    double arrivals = 0;           // steadily, in a second
    // One key of a limit that holds some of them: their cost, and what it lets start.
    struct Gate {
        QByteArray limit;          // the constraint
        double waiting = 0;        // cost
        double arrivals = 0;       // cost in a second
        double allowed = 0;        // cost in a second
    };
    QList<Gate> gates = {};        // of all limits as they will be
    QList<Gate> gatesNow = {};     // of the limits that change, as they are; without arrivals
};

struct Forecast {
    double growth = 0;             // jobs, or cost, in a second by which the backlog grows; 0: it does not
    std::optional<double> before_s; // until it is gone, as things are; none: it does not become smaller
    // With the limits as they will be: at least, if workers take whatever these permit; and at most, at the pace of now. None: it does not
    // become smaller, or it is not known how fast jobs start.
    struct Range {
        double least_s = 0, most_s = 0;
        QByteArray limit;          // the one that sets `least_s`; empty: none does
    };
    std::optional<Range> after;
};

Forecast forecastOf(const BacklogSeen &seen);

} // namespace junban
