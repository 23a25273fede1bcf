#pragma once

#include "core/jobs/job.h"
#include "core/jobs/outcome.h"
#include "core/jobs/worker.h"
#include "server/push/httpcall.h"

namespace junban::push {

// The request that gives a job to a worker; `at_s` is the time that is signed, in seconds since 1970.
CallRequest runRequest(const ClaimedJob &job, const WorkerRegistration &registration, qint64 at_s);
CallRequest cancelRequest(const ClaimedJob &job, const WorkerRegistration &registration, qint64 at_s);
CallRequest healthRequest(const WorkerRegistration &registration, qint64 at_s);

// What the answer to a run means for the job.
struct RunAnswer {
    enum class Means {
        Reported,                    // `outcome` says how the attempt ended
        Accepted,                    // the worker reports later
        Busy,                        // the worker never had the job
        Refused,                     // the worker does not want the job
        Unknown,                     // the lease decides
    };
    Means means = Means::Unknown;
    std::optional<Outcome> outcome = {};
    Reason trouble = {};             // what was wrong with the worker; empty: nothing
};
RunAnswer runAnswerOf(Fate fate, const HttpAnswer &answer, const Reason &trouble, const QByteArray &finishedAt);

} // namespace junban::push
