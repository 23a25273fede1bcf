#pragma once

#include "core/jobs/job.h"
#include "core/msgpack/fieldtable.h"

// The field tables of jobs, as they are pushed, handed out, listed and shown (core/msgpack/fieldtable.h).
namespace junban {

namespace codecs {
extern const Codec jobId;            // JobId; null when absent
extern const Codec jobState;         // JobState
} // namespace codecs

namespace field {
template<auto member>
constexpr Field jobId(QByteArrayView name)
{
    return of<member, codecs::jobId>(name);
}
template<auto member>
constexpr Field jobState(QByteArrayView name)
{
    return of<member, codecs::jobState>(name);
}
} // namespace field

extern const TableOf<Backoff> backoffTable;
extern const TableOf<Unique> uniqueTable;
// The fields that decide nothing: they are stored, handed to the worker and shown. A new one needs only a member and a line in this table.
extern const TableOf<JobSpec> passiveTable;
extern const TableOf<JobSpec> newJobTable;
extern const TableOf<ClaimedJob> claimedJobTable;
extern const TableOf<Progress> progressTable;
extern const TableOf<Attempt> attemptTable;
extern const TableOf<Transition> transitionTable;
extern const TableOf<Job> jobRowTable;       // for lists: without attempts, history and outcome
extern const TableOf<Job> jobTable;

} // namespace junban
