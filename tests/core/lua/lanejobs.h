#pragma once

#include "core/jobs/job.h"

#include <QByteArray>
#include <QList>
#include <QPair>
#include <map>
#include <optional>

// Jobs as the walk of lanes knows them (test_lanes.cpp), and brute force's choice among them.
namespace junban::test {

struct Waiting {
    JobSpec spec;
    JobId id;
    int failures = 0;
    int silent = 0;
};
struct Running {
    Waiting job;
    QByteArray lease;
    qint64 expires_ms = 0;
    QByteArray message; // the key under which the outcome comes; empty: it runs
};
struct Scheduled {
    Waiting job;
    qint64 due_ms = 0;
};
using ReadyJobs = std::map<QPair<qint32, JobId>, Waiting>;

// The best job of these names (none: of all) that `admits`; `turnOf` says the time of its key where it takes turns. Among those that take
// turns the best is of the key whose time is earliest; that one and the best of the others go by (priority, id).
template<typename Admits, typename TurnOf>
const Waiting *bestOf(const ReadyJobs &ready, const QList<QByteArray> &names, Admits admits, TurnOf turnOf)
{
    const Waiting *byOrder = nullptr, *byTurn = nullptr;
    qint64 earliest = 0;
    for (const auto &[key, job] : ready) {
        if ((!names.isEmpty() && !names.contains(job.spec.name)) || !admits(job.spec))
            continue;
        const std::optional<qint64> turn = turnOf(job.spec);
        if (!turn) {
            byOrder = byOrder ? byOrder : &job;
        } else if (!byTurn || (job.spec.priority == byTurn->spec.priority && *turn < earliest)) {
            byTurn = &job;
            earliest = *turn;
        }
    }
    const auto order = [](const Waiting *job) { return std::pair(job->spec.priority, job->id); };
    return !byTurn || (byOrder && order(byOrder) < order(byTurn)) ? byOrder : byTurn;
}

} // namespace junban::test
