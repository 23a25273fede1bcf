#pragma once

#include "core/base/clock.h"
#include "core/store/store.h"

#include <QObject>
#include <memory>

namespace junban {

// The job as an edit makes it; `set` constraints have not read it again.
JobSpec edited(JobSpec spec, const JobEdit &edit);

// The changes that are not batched: edits, hand-offs, the messages that end them, and groups. Queue has the verbs that are.
//
// Threads: the engine's. Callbacks and errors as for Store; callbacks that are still due when this is destroyed are dropped.
class Changes
{
public:
    // Store and clock must outlive it.
    Changes(Store &store, Clock &clock);

    // Reads the job, changes it, and reads it again; the answer is the job as it is then. NotFound; Conflict when its state does not allow
    // the edit; RevisionMismatch when others changed it in each of limits::edit_tries_max tries.
    void edit(JobId id, JobEdit edit, QByteArray by, Callback<Job> callback);
    void handOff(HandoffItem item, Callback<StateNow> callback);
    void message(QByteArray key, Outcome outcome, Callback<MessageTaken> callback);
    // Makes or changes a group. The id of its callback job, if there is one, is made here.
    void changeGroup(QByteArray group, GroupBody change, GroupCaller caller, Callback<Group> callback);
    void group(QByteArray group, GroupCaller caller, Callback<Group> callback);

private:
    template<typename T>
    bool refuses(const JobSpec &spec, const QByteArray &within, const Callback<T> &callback) const;
    void tryEdit(JobId id, JobEdit edit, QByteArray by, int triesLeft, Callback<Job> callback);

    Store &m_store;
    Clock &m_clock;
    IdMaker m_ids;
    std::shared_ptr<int> m_alive = std::make_shared<int>();
};

} // namespace junban
