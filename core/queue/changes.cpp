#include "core/queue/changes.h"

#include "core/base/isotime.h"
#include "core/base/reasons/requests.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/queue/queue.h"

#include <QTimer>

namespace junban {

namespace {

// The values that an edit replaces, under their names in the API. Of a long argument only the size is kept.
QByteArray oldValues(const Job &job, const JobEdit &edit)
{
    MsgpackWriter writer;
    int pairs = 0;
    const auto key = [&](const char *name) -> MsgpackWriter & {
        ++pairs;
        return writer.text(name);
    };
    if (edit.priority)
        key("priority").integer(job.spec.priority);
    if (edit.runAt_ms && job.runAt_ms > 0)
        key("run_at").text(isoTime(job.runAt_ms));
    if (edit.argument && job.spec.argument.size() <= limits::history_argument_bytes_max)
        key("argument").raw(job.spec.argument);
    else if (edit.argument)
        key("argument_bytes").integer(job.spec.argument.size());
    if (edit.tags) {
        key("tags").array(job.spec.tags.size());
        for (const QByteArray &tag : job.spec.tags)
            writer.text(tag);
    }
    if (edit.maxRetry)
        key("max_retry").integer(job.spec.maxRetry);
    if (edit.timeout_ms)
        key("timeout").real(double(job.spec.timeout_ms) / 1000);
    MsgpackWriter whole;
    return whole.map(pairs).raw(writer.take()).take();
}

// A job that has not started ends at its `expires_at`, whatever its start.
std::optional<Error> startsTooLate(const Job &job, const JobEdit &edit)
{
    if (!edit.runAt_ms || job.attempt > 0 || job.expiresAt_ms == 0 || *edit.runAt_ms < job.expiresAt_ms)
        return {};
    return reasons::startBehindEnd(edit.delay_ms ? "delay" : "run_at", job.expiresAt_ms);
}

} // namespace

JobSpec edited(JobSpec spec, const JobEdit &edit)
{
    spec.priority = edit.priority.value_or(spec.priority);
    spec.argument = edit.argument.value_or(spec.argument);
    spec.tags = edit.tags.value_or(spec.tags);
    spec.maxRetry = edit.maxRetry.value_or(spec.maxRetry);
    spec.timeout_ms = edit.timeout_ms.value_or(spec.timeout_ms);
    if (spec.pushed) { // `set` constraints start from the pushed values, so these are edited too
        spec.pushed->priority = edit.priority.value_or(spec.pushed->priority);
        spec.pushed->maxRetry = edit.maxRetry.value_or(spec.pushed->maxRetry);
        spec.pushed->timeout_ms = edit.timeout_ms.value_or(spec.pushed->timeout_ms);
    }
    return spec;
}

Changes::Changes(Store &store, Clock &clock)
    : m_store(store)
    , m_clock(clock)
{
}

void Changes::edit(JobId id, JobEdit edit, QByteArray by, Callback<Job> callback)
{
    if (edit.delay_ms)
        edit.runAt_ms = m_clock.now_ms() + *edit.delay_ms;
    JobSpec moved;
    moved.runAt_ms = edit.runAt_ms;
    if (refuses(moved, "", callback))
        return;
    tryEdit(id, std::move(edit), std::move(by), limits::edit_tries_max, std::move(callback));
}

// Whether the job or one of its `then` would start too far ahead. If so the callback gets the error, later.
template<typename T>
bool Changes::refuses(const JobSpec &spec, const QByteArray &within, const Callback<T> &callback) const
{
    const std::optional<Error> error = neverStarts(spec, m_clock.now_ms(), within);
    if (!error)
        return false;
    QTimer::singleShot(0, [callback, error] { callback(*error); });
    return true;
}

void Changes::tryEdit(JobId id, JobEdit edit, QByteArray by, int triesLeft, Callback<Job> callback)
{
    const auto written = [this, id, edit, by, triesLeft, callback](const Result<StateNow> &now) {
        if (now.ok())
            m_store.get(id, callback);
        else if (now.error().code == ErrorCode::RevisionMismatch && triesLeft > 1)
            tryEdit(id, edit, by, triesLeft - 1, callback);
        else
            callback(now.error());
    };
    m_store.get(id, [this, id, edit, by, written, callback, alive = std::weak_ptr(m_alive)](const Result<Job> &job) {
        if (alive.expired())
            return;
        if (!job.ok()) {
            callback(job.error());
            return;
        }
        if (const std::optional<Error> error = startsTooLate(*job, edit)) {
            callback(*error);
            return;
        }
        EditItem item{id, job->spec, edited(job->spec, edit), edit.runAt_ms, oldValues(*job, edit), by};
        m_store.edit(std::move(item), [written, alive](const Result<StateNow> &now) {
            if (!alive.expired())
                written(now);
        });
    });
}

void Changes::handOff(HandoffItem item, Callback<StateNow> callback)
{
    m_store.handOff(std::move(item), std::move(callback));
}

void Changes::message(QByteArray key, Outcome outcome, Callback<MessageTaken> callback)
{
    m_store.message({std::move(key), std::move(outcome), Queue::drawJitter()}, std::move(callback));
}

void Changes::changeGroup(QByteArray group, GroupBody change, GroupCaller caller, Callback<Group> callback)
{
    if (change.callback && refuses(*change.callback, "callback.", callback))
        return;
    m_store.changeGroup({std::move(group), m_ids.make(m_clock.now_ms()), change.open, std::move(change.callback), change.shared,
                            std::move(caller)},
        std::move(callback));
}

void Changes::group(QByteArray group, GroupCaller caller, Callback<Group> callback)
{
    m_store.group(std::move(group), std::move(caller), std::move(callback));
}

} // namespace junban
