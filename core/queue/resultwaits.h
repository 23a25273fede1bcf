#pragma once

#include "core/store/store.h"

#include <QHash>
#include <deque>
#include <map>
#include <memory>

namespace junban {

// Pushers that ask for results, and wait for them when the job is not finished. One look at the store at a time for each job;
// when it finds the result, every request that waits for that job gets it (it is consumed once). Threads: one.
class ResultWaits
{
public:
    using Id = quint64;
    using Answer = std::function<void(Result<ResultNow>)>;

    explicit ResultWaits(Store &store) : m_store(store) {}

    // Looks at once. A wait whose time is up by the first look is answered with what it finds.
    void add(Id id, JobId job, QByteArray receipt, Fetch fetch, qint64 deadline_ms, Answer answer);
    // Takes a wait out; its answer, or nothing when there is no such wait.
    Answer take(Id id);
    // The job became final, perhaps: looks again if anyone waits for it.
    void noteFinal(JobId job);
    // Looks again for a bounded number of jobs, each in its turn, in case a hint was lost.
    void lookAgain();
    // Answers those whose time is up as pending.
    void expire(qint64 now_ms);
    // Answers everyone as pending; from now on nobody waits.
    void stop();
    // When the next wait's time is up; 0 when none waits.
    qint64 nextDeadline_ms() const { return m_deadlines.empty() ? 0 : m_deadlines.begin()->first; }

private:
    struct Wait {
        Id id;
        QByteArray receipt;
        Answer answer;
        std::multimap<qint64, Id>::iterator deadline;
    };
    struct Watched {
        std::deque<Wait> waits;
        bool looking = false;
        Fetch fetch = Fetch::First; // Waited once someone said so, or a look found the job unfinished
        bool again = false;         // something happened while a look was under way
        JobState state = JobState::Ready; // as of the last look
    };

    void look(JobId job);
    void looked(JobId job, const Result<ResultNow> &now);
    void answerAll(JobId job, const Result<ResultNow> &now);

    Store &m_store;
    QHash<JobId, Watched> m_jobs;
    QHash<Id, JobId> m_jobOf;
    std::multimap<qint64, Id> m_deadlines;
    std::deque<JobId> m_turn;       // whose turn it is in lookAgain(); may name jobs that nobody waits for any more
    bool m_stopped = false;
    std::shared_ptr<int> m_alive = std::make_shared<int>();
};

} // namespace junban
