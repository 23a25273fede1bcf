#pragma once

#include "core/engine/buckets.h"
#include "core/engine/jobentry.h"

// Where the ready jobs of a name wait that matchers can match: docs/decisions/enginelimits.md, "Where held jobs wait".
namespace junban::engine {

// Ready jobs of one name that are charged alike.
struct Lane {
    LaneSet *set = nullptr;
    const Charges *charges = nullptr;    // the key in LaneSet::lanes
    ReadyJobs jobs = {};
    JobEntry *head = nullptr;            // the first of them; null: there is none
    LaneGroup *group = nullptr;          // where it hangs
    size_t home = 0;                     // the place in `charges` of the bucket at which it begins
};

inline bool ByLaneHead::operator()(const Lane *a, const Lane *b) const
{
    return ByPriority()(a->head, b->head);
}

struct ByGroupHead {
    bool operator()(const LaneGroup *a, const LaneGroup *b) const { return ByPriority()(a->head, b->head); }
};

// The lanes of a name, as the matchers of one edit have read its jobs. A set that newer matchers have put aside stays until its last job
// has left it.
class LaneSet
{
public:
    LaneSet(NameEntry &itsName, quint64 itsNumber) : name(itsName), number(itsNumber), unread(itsName.ready.begin()) { free.set = this; }
    LaneSet(const LaneSet &) = delete;
    LaneSet &operator=(const LaneSet &) = delete;

    bool isCurrent() const { return name.lanes.get() == this; }
    // Whether the matchers of this edit have read the job.
    bool hasRead(const JobEntry &job) const { return job.lane && job.lane->set == this; }
    // The first job that they have not read; null: they have read all.
    JobEntry *firstUnread() const { return unread == name.ready.end() ? nullptr : *unread; }

    NameEntry &name;
    const quint64 number;                // from 1, in the order in which sets were made
    std::map<Charges, Lane> lanes;
    LaneGroup free;                      // lanes without charges
    std::set<LaneGroup *, ByGroupHead> order; // groups that are open
    ReadyJobs::iterator unread;          // all ready jobs before it were read
    qint64 jobs = 0;                     // in its lanes
};

} // namespace junban::engine
