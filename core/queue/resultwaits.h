#pragma once

#include "core/store/store.h"

#include <QHash>
#include <deque>
#include <map>
#include <memory>

namespace junban {

// The requests for results, which wait until the job has ended. For each job it asks the store with one call at a time. When that finds the
// result, all requests that wait for the job get it, though it is taken from the store only once. One thread.
class ResultWaits
{
public:
    using Id = quint64;
    using Answer = std::function<void(Result<ResultNow>)>;
    // Asks the store once: Store::takeResult(), or Store::peekResult() for who only looks.
    using Look = std::function<void(JobId job, const QByteArray &receipt, Fetch fetch, Callback<ResultNow> answer)>;

    explicit ResultWaits(Look look) : m_look(std::move(look)) {}

    // Asks the store at once. A wait whose deadline passes before the first reply is answered with that reply. `deadline_ms` is on
    // Clock::monotonic_ms().
    void add(Id id, JobId job, QByteArray receipt, Fetch fetch, qint64 deadline_ms, Answer answer);
    // Removes a wait and returns its answer; nothing when there is no such wait.
    Answer take(Id id);
    // The job may have ended: asks the store again if a request waits for it.
    void noteFinal(JobId job);
    // Asks again for a bounded number of jobs, in turn, in case a hint was lost.
    void lookAgain();
    // Answers the waits whose deadline has passed with Pending.
    void expire(qint64 now_ms);
    // Answers all waits with Pending; from now on none waits.
    void stop();
    // The earliest deadline; 0 when nothing waits.
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
        Fetch fetch = Fetch::First; // Waited once a request said so, or a reply said that the job has not ended
        bool again = false;         // something happened while a call was under way: ask again after it
        JobState state = JobState::Ready; // as the last reply said
    };

    void look(JobId job);
    void looked(JobId job, const Result<ResultNow> &now);
    void answerAll(JobId job, const Result<ResultNow> &now);

    const Look m_look;
    QHash<JobId, Watched> m_jobs;
    QHash<Id, JobId> m_jobOf;
    std::multimap<qint64, Id> m_deadlines;
    std::deque<JobId> m_turn;       // the order in which lookAgain() takes the jobs; it may have jobs for which nothing waits any more
    bool m_stopped = false;
    std::shared_ptr<int> m_alive = std::make_shared<int>();
};

} // namespace junban
