#pragma once

#include "core/store/constraintstore.h"
#include "tests/support/await.h"

namespace junban::test {

// Charges running and awaiting jobs to the buckets that this classifier gives them, as a master does after a change of the matchers.
inline bool chargeRunning(ConstraintStore &store, const Classifier &classifier)
{
    for (const auto which : {ConstraintStore::WhichJobs::Running, ConstraintStore::WhichJobs::Awaiting}) {
        quint64 cursor = 0;
        bool end = false;
        while (!end) {
            const auto page = await<ConstraintStore::Unread>([&](auto done) { store.unread(which, cursor, done); });
            if (!page.ok())
                return false;
            cursor = page->next;
            end = page->end;
            const bool last = end && which == ConstraintStore::WhichJobs::Awaiting;
            QList<JobBuckets> jobs;
            for (const StoredJob &job : page->jobs)
                jobs.append(readAgain(classifier, job));
            const auto how = last ? ConstraintStore::Recharged::All : ConstraintStore::Recharged::Some;
            if (!await<Done>([&](auto done) { store.recharge(page->epoch, jobs, how, done); }).ok())
                return false;
        }
    }
    return true;
}

} // namespace junban::test
