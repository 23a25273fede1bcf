#pragma once

#include "core/jobs/job.h"
#include "core/msgpack/fieldtable.h"

// A job's fields, wherever it is pushed, handed out, listed or shown (core/msgpack/fieldtable.h).
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
// What neither master nor scripts look at: kept in the record, handed to the worker, shown. A new one is a line here and a member.
extern const TableOf<JobSpec> passiveTable;
extern const TableOf<JobSpec> newJobTable;
extern const TableOf<ClaimedJob> claimedJobTable;
extern const TableOf<Progress> progressTable;
extern const TableOf<Attempt> attemptTable;
extern const TableOf<Transition> transitionTable;
extern const TableOf<Job> jobRowTable;       // without attempts, history and outcome: a list's
extern const TableOf<Job> jobTable;

} // namespace junban
