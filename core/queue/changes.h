#pragma once

#include "core/base/clock.h"
#include "core/store/store.h"

#include <QObject>
#include <memory>

namespace junban {

// Changes that come one at a time: edits, hand-offs and the messages that end them, groups. What many ask for at once is Queue's.
//
// Threads: the engine's. Callbacks as Store's; dropped when this is destroyed.
class Changes
{
public:
    // Store and clock must outlive it.
    Changes(Store &store, Clock &clock);

    // Reads the job, changes it, and reads it again: the job as it is then. Conflict when its state does not allow it;
    // RevisionMismatch when others changed it all the time.
    void edit(JobId id, JobEdit edit, Callback<Job> callback);
    void handOff(HandoffItem item, Callback<StateNow> callback);
    void message(QByteArray key, Outcome outcome, Callback<MessageTaken> callback);
    // The group's callback job is made here when there is one.
    void changeGroup(QByteArray group, std::optional<bool> open, std::optional<JobSpec> callbackJob, Callback<Group> callback);
    void group(QByteArray group, Callback<Group> callback);

private:
    template<typename T>
    bool refuses(const JobSpec &spec, const QByteArray &within, const Callback<T> &callback) const;
    void tryEdit(JobId id, JobEdit edit, int triesLeft, Callback<Job> callback);

    Store &m_store;
    Clock &m_clock;
    IdMaker m_ids;
    std::shared_ptr<int> m_alive = std::make_shared<int>();
};

} // namespace junban
