#include "core/base/reasons/store.h"
#include "core/engine/engine.h"

// Jobs that their workers have handed off: transition 15 (`hand-off`), and 8, 9 and 10 by the message that such a job awaits.
namespace junban::engine {

Decided<Result<StateNow>> Engine::handOff(const HandoffItem &item, const Moment &at)
{
    return decided<Result<StateNow>>(at, [&] { return handOffOne(item); });
}

Decided<Result<MessageTaken>> Engine::takeMessage(const MessageItem &item, const Moment &at)
{
    return decided<Result<MessageTaken>>(at, [&] { return takeMessageOne(item); });
}

Result<StateNow> Engine::handOffOne(const HandoffItem &item)
{
    if (const JobEntry *job = m_jobs.find(item.id); job && job->course && !item.lease.isEmpty() && job->course->handoff.lease == item.lease)
        return StateNow{JobState::Awaiting, false}; // a repeated call: the same answer, whatever the job's state is now
    const Result<JobEntry *> found = leased(item.id, item.lease);
    if (!found.ok())
        return found.error();
    const QByteArray key = Messages::hashOf(item.key);
    if (m_jobs.awaiting(key))
        return ofField(reasons::messageKeyTaken(), "key");
    JobEntry &job = **found;
    Course &course = job.run();
    m_messages.forget(key, m_writes); // of an earlier job
    course.handoff = {course.lease, key};
    course.ended = {course.lease, EndedBy::Handoff, JobState::Awaiting, 0};
    course.deadline_ms = m_now_ms + item.timeout_ms;
    move(job, JobState::Awaiting, course.deadline_ms); // what it is charged it keeps
    tell(job, "handed_off", course.worker);
    return StateNow{JobState::Awaiting, false};
}

Result<MessageTaken> Engine::takeMessageOne(const MessageItem &item)
{
    const QByteArray key = Messages::hashOf(item.key);
    JobEntry *job = m_jobs.awaiting(key);
    if (!job) {
        const AnsweredMessage *known = m_messages.find(key, m_now_ms);
        return known && known->type == item.outcome.type ? Result<MessageTaken>({known->id, {known->state, known->runAt_ms}})
                                                         : reasons::messageKeyNotFound();
    }
    const Finished finished = item.outcome.type == OutcomeType::Success
        ? succeed(*job, EndedBy::Message, item.outcome.packed())
        : endBadly(*job, reported(EndedBy::Message, item.outcome, item.jitter));
    tell(*job, "message", "pusher");
    m_messages.remember(key, {job->id, item.outcome.type, finished.state, finished.runAt_ms, m_now_ms}, m_writes);
    return MessageTaken{job->id, finished};
}

} // namespace junban::engine
