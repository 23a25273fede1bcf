#pragma once

#include "core/jobs/job.h"

#include <QByteArray>

// How junbanctl ends: the exit statuses of its verbs, each with a word. docs/ctl.md has the same table; a test compares both and runs it.
namespace junban::app::exits {

// Of every verb.
inline constexpr int done = 0;
inline constexpr int refused = 1;
inline constexpr int misused = 2;
inline constexpr int unwritten = 3;  // standard output could not be written to its end

// Of verbs that report the end of a job. Each reason of docs/semantics.md, "States" has its own (ofJob).
inline constexpr int failed = 10;
inline constexpr int cancelled = 20;
inline constexpr int gone = 30;      // it succeeded, and its result is there no more
inline constexpr int pending = 31;
inline constexpr int unknown = 32;
// Of one that waits for an operation.
inline constexpr int stopped = 40;

struct Status {
    int status;
    const char *word;
    const char *meaning;
};

// How a job ended that did not succeed. `reason` as the API has it; one that is not known counts as failed or cancelled.
const Status &ofJob(JobState state, const QByteArray &reason);
const Status &of(int status);

// For the help of a verb, like "push" or "audit verify", and for that of the program.
QByteArray textOf(const QByteArray &verb);
QByteArray textOfAll();

} // namespace junban::app::exits
