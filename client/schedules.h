#pragma once

#include "core/base/result.h"
#include "core/jobs/schedule.h"

#include <QByteArray>
#include <QList>
#include <optional>

// Recurring jobs, as the HTTP API says them.
namespace junban::client {

struct ScheduleRun {
    qint64 due_ms = 0;             // 0: by hand, or only passed over
    qint64 at_ms = 0;
    RunOutcome outcome = RunOutcome::Enqueued;
    JobId job = {};                // the job made; Skipped: the one that had not ended
    bool byHand = false;
    int passedOver = 0;            // due times before it that got no job
    QByteArray why = {};
};

struct Schedule {
    QByteArray id;
    ScheduleSpec spec;             // `job` is read from `jobBody`
    bool paused = false;
    qint64 revision = 0;
    qint64 createdAt_ms = 0;
    qint64 updatedAt_ms = 0;
    qint64 next_ms = 0;            // 0: paused, or never again
    JobId lastJob = {};            // null: none yet
    std::optional<JobState> lastJobState = {};
    qint64 fired = 0;
    qint64 skipped = 0;
    QList<qint64> nextRuns = {};   // of one that was asked for by its id
    QList<ScheduleRun> runs = {};  // likewise; newest first
};

struct SchedulePage {
    QList<Schedule> schedules;
    QByteArray next;               // empty: nothing follows
};

Result<Schedule> decodeSchedule(QByteArrayView body);
Result<SchedulePage> decodeSchedules(QByteArrayView body);

// The body of a PUT. Of the job the fields that a form shows are written anew, the others stay as `spec.jobBody` has them.
QByteArray encodeSchedule(const ScheduleSpec &spec);
QByteArray encodeJobLike(const JobSpec &job, QByteArrayView body);

} // namespace junban::client
