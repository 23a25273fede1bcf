#include "core/redis/replies.h"

#include "core/base/reasons/requests.h"
#include "core/base/reasons/store.h"
#include "core/lua/schema.h"
#include "core/msgpack/payload.h"
#include "core/redis/numbers.h"

#include <QHash>
#include <algorithm>

namespace junban::redis {

namespace {

// Makes a QList from a list of items, with a function for each.
template<typename T, typename Make>
QList<T> listOf(const Reply &items, Make make)
{
    QList<T> list;
    list.reserve(items.size());
    for (qsizetype i = 0; i < items.size(); ++i)
        list.append(make(items[i]));
    return list;
}

// {field, value, field, value, …}
QHash<QByteArray, Reply> fieldsOf(const Reply &flat)
{
    QHash<QByteArray, Reply> fields;
    for (qsizetype i = 0; i + 1 < flat.size(); i += 2)
        fields.insert(flat[i].bytes(), flat[i + 1]);
    return fields;
}

// Another number stands there only when something else wrote to Redis; fsck reports it.
Result<JobState> stateOf(const Reply &number)
{
    const qint64 state = number.integer();
    if (state < qint64(JobState::Scheduled) || state > qint64(JobState::Cancelled))
        return reasons::storedJobStateUnreadable();
    return JobState(state);
}

// Makes an answer with the state that this number stands for.
template<typename Make>
auto withState(const Reply &number, Make make) -> Result<decltype(make(JobState()))>
{
    const Result<JobState> state = stateOf(number);
    if (!state.ok())
        return state.error();
    return make(*state);
}

JobId idOf(const Reply &bytes)
{
    return JobId::fromBytes(bytes.view()).value_or(JobId());
}

// Reads the hash with a job's state. A job without one is ready and has never run.
Result<Done> readFields(Job &job, const QHash<QByteArray, Reply> &s)
{
    if (s.contains(field::state) && !s[field::state].isNil()) {
        const Result<JobState> state = stateOf(s[field::state]);
        if (!state.ok())
            return state.error();
        job.state = *state;
    }
    if (const qint64 pushed_ms = s[field::created].integer())
        job.createdAt_ms = pushed_ms;
    job.attempt = int(s[field::attempt].integer());
    job.failures = int(s[field::failures].integer());
    job.releases = int(s[field::releases].integer());
    job.worker = s[field::worker].bytes();
    job.startedAt_ms = s[field::started].integer();
    job.finishedAt_ms = s[field::finished].integer();
    job.reason = s[field::reason].bytes();
    job.message = s[field::message].bytes();
    if (job.state == JobState::Scheduled)
        job.runAt_ms = s[field::run_at].integer();
    if (job.state == JobState::Running || job.state == JobState::Awaiting) {
        job.deadline_ms = s[field::deadline].integer();
        job.cancelRequested = s[field::cancel].integer() != 0;
    }
    job.dependenciesLeft = int(s[field::depends].integer());
    job.expiresAt_ms = s[field::expires].integer();
    job.progress.done = s[field::done].bytes().toDouble();
    job.progress.total = s[field::total].bytes().toDouble();
    job.progress.message = s[field::progress].bytes();
    job.tracked = s[field::tracked].integer() != 0;
    job.deletedAt_ms = s[field::deleted].integer();
    return Done{};
}

// Reads what a script packed with cmsgpack, whose numbers may be integers or floats.
class Unpacker
{
public:
    explicit Unpacker(QByteArrayView packed) : m_reader(packed) { m_reader.next(); }
    qint64 number()
    {
        const auto token = m_reader.next();
        return !token ? 0 : token->type == payload::Type::Int ? token->integer : qint64(token->real);
    }
    QByteArray text()
    {
        const auto token = m_reader.next();
        return token ? token->bytes.toByteArray() : QByteArray();
    }
    bool boolean()
    {
        const auto token = m_reader.next();
        return token && token->boolean;
    }

private:
    payload::Reader m_reader;
};

// An entry of the list h:<id>: an attempt [number, worker, started, ended, how, message, should_retry, next run] or an event [what, at,
// actor, attempt, details].
void readEntry(Job &job, QByteArrayView packed)
{
    payload::Reader reader(packed);
    reader.next();
    const auto first = reader.next();
    Unpacker in(packed);
    if (first && first->type == payload::Type::String) {
        Event event;
        event.what = in.text();
        event.at_ms = in.number();
        event.actor = in.text();
        event.attempt = int(in.number());
        event.details = in.text();
        event.afterEnd = !job.attempts.isEmpty() && job.attempts.last().number >= event.attempt;
        job.events.append(std::move(event));
        return;
    }
    Attempt attempt;
    attempt.number = int(in.number());
    attempt.worker = in.text();
    attempt.startedAt_ms = in.number();
    attempt.endedAt_ms = in.number();
    attempt.ended = in.text();
    attempt.message = in.text();
    attempt.shouldRetry = in.boolean();
    attempt.nextRunAt_ms = in.number();
    job.attempts.append(std::move(attempt));
}

// Adds the last attempt if it has succeeded or is still running: then it is in the fields and not in the list.
void addLastAttempt(Job &job)
{
    if (job.attempt == 0 || (!job.attempts.isEmpty() && job.attempts.last().number == job.attempt))
        return;
    if (job.state != JobState::Running && job.state != JobState::Awaiting && job.state != JobState::Succeeded)
        return; // it was released untouched, which is no attempt
    Attempt attempt;
    attempt.number = job.attempt;
    attempt.worker = job.worker;
    attempt.startedAt_ms = job.startedAt_ms;
    if (job.state == JobState::Succeeded) {
        attempt.endedAt_ms = job.finishedAt_ms;
        attempt.ended = "success";
    }
    job.attempts.append(attempt);
}

// Where Redis' clock was set back, a time that is stored may be earlier than the one before it. It is shown as that one, so that the times
// of a job never go back.
void putTimesInOrder(Job &job)
{
    qint64 last_ms = job.createdAt_ms;
    const auto later = [&last_ms](qint64 &at_ms) {
        if (at_ms > 0)
            last_ms = at_ms = std::max(at_ms, last_ms);
    };
    for (Attempt &attempt : job.attempts) {
        later(attempt.startedAt_ms);
        later(attempt.endedAt_ms);
    }
    qint64 event_ms = job.createdAt_ms;
    for (Event &event : job.events) {
        for (const Attempt &attempt : std::as_const(job.attempts)) {
            if (attempt.number == event.attempt)
                event_ms = std::max(event_ms, attempt.startedAt_ms);
        }
        event_ms = event.at_ms = std::max(event.at_ms, event_ms);
    }
    if (!job.attempts.isEmpty() && job.attempts.last().number == job.attempt)
        job.startedAt_ms = job.attempts.last().startedAt_ms;
    else if (job.startedAt_ms > 0)
        job.startedAt_ms = std::max(job.startedAt_ms, job.createdAt_ms);
    later(job.finishedAt_ms);
    if (job.finishedAt_ms > 0)
        job.finishedAt_ms = std::max(job.finishedAt_ms, job.startedAt_ms);
    later(job.deletedAt_ms);
}

bool readRecord(Job &job, QByteArrayView record, qint64 recordBytes)
{
    std::optional<JobSpec> spec = unpackRecord(record);
    if (!spec)
        return false;
    job.spec = std::move(*spec);
    job.argument_bytes = job.spec.argument.size() + recordBytes - record.size();
    if (recordBytes > record.size())
        job.spec.argument = payload::nil;
    return true;
}

// What stands behind `prefix` in the names of fields.
QList<QByteArray> behind(QByteArrayView prefix, const QHash<QByteArray, Reply> &fields)
{
    QList<QByteArray> rests;
    for (auto each = fields.cbegin(); each != fields.cend(); ++each) {
        if (each.key().startsWith(prefix))
            rests.append(each.key().sliced(prefix.size()));
    }
    return rests;
}

} // namespace

Error errorOfWord(QByteArrayView word)
{
    if (word == "LEASE_LOST")
        return ofField(reasons::leaseLost(), "lease");
    if (word == "NOT_FOUND")
        return reasons::jobNotFound();
    if (word == "CONFLICT")
        return reasons::jobStateConflict();
    if (word == "CHANGED")
        return reasons::jobChanged();
    if (word.startsWith("FAILED_OFTEN "))
        return ofField(reasons::maxRetryBelowFailures(word.sliced(13).toLongLong()), "max_retry");
    if (word == "UNIQUE")
        return ofField(reasons::uniqueKeyTaken(), "unique");
    if (word == "GROUP")
        return ofField(reasons::groupOfAnother(), "group");
    if (word == "KEY_USED")
        return ofField(reasons::messageKeyTaken(), "key");
    if (word.startsWith("NO_DEPENDENCY "))
        return ofField(reasons::dependencyUnknown(), "depends_on[" + word.sliced(14).toByteArray() + ']');
    if (word.startsWith("BACKLOG_FULL "))
        return retryAfter(reasons::backlogFull(), limits::backlog_retry_s);
    if (word == "IDEMPOTENCY_MISMATCH")
        return ofField(reasons::idempotencyKeyReused(), "idempotency_key");
    return reasons::storeAnswered(word);
}

Error backlogFull(QByteArrayView word, const Classifier &classifier)
{
    const qsizetype from = word.indexOf(' ') + 1, to = word.indexOf(' ', from);
    const QByteArray matcher = classifier.matcherOf(word.sliced(from, to - from).toInt());
    const QByteArray key = word.sliced(to + 1).toByteArray();
    return retryAfter(matcher.isEmpty() ? reasons::backlogFull()
            : key.isEmpty()        ? reasons::backlogFullOf(matcher)
                                   : reasons::backlogFullForKey(matcher, key),
        limits::backlog_retry_s);
}

QByteArray expectation(const Expected &expected)
{
    switch (expected.what) {
    case Expected::What::Any: return {};
    case Expected::What::Missing: return "0";
    case Expected::What::Revision: return QByteArray::number(expected.revision);
    }
    return {};
}

Result<Enqueued> enqueuedOf(const Reply &item)
{
    if (item.kind() != Reply::Kind::Array)
        return errorOfWord(item.view());
    return withState(item[0], [&](JobState state) { return Enqueued{idOf(item[1]), state, item[2].integer() != 0}; });
}

Result<Finished> finishedOf(const Reply &item)
{
    if (item.kind() != Reply::Kind::Array)
        return errorOfWord(item.view());
    return withState(item[0], [&](JobState state) {
        Finished finished{state, item[1].integer()};
        if (item.size() > 3) {
            finished.worker = item[2].bytes();
            finished.ran_ms = item[3].integer();
        }
        return finished;
    });
}

Claimed claimedOf(const Reply &jobs, QList<Unusable> &unusable)
{
    Claimed claimed;
    claimed.full = jobs.kind() != Reply::Kind::Array;
    for (qsizetype i = 0; i < jobs.size(); ++i) {
        const Reply row = jobs[i];
        std::optional<JobSpec> spec = unpackRecord(row[1].view());
        const Reason why = spec ? unreadableWhy(*spec) : reasons::recordDamaged();
        if (!why.isEmpty()) {
            unusable.append({idOf(row[0]), row[3].bytes(), why, spec.has_value()});
            continue;
        }
        ClaimedJob job;
        job.id = idOf(row[0]);
        job.spec = std::move(*spec);
        job.attempt = int(row[2].integer());
        job.lease = row[3].bytes();
        job.leaseExpiresAt_ms = row[4].integer();
        job.deadline_ms = row[5].integer();
        claimed.jobs.append(std::move(job));
    }
    return claimed;
}

Result<Heartbeat> heartbeatOf(const Reply &item)
{
    if (item.kind() != Reply::Kind::Array)
        return errorOfWord(item.view());
    return Heartbeat{item[0].integer(), item[1].integer() != 0};
}

Result<StateNow> stateNowOf(const Reply &item)
{
    if (item.kind() != Reply::Kind::Array)
        return errorOfWord(item.view());
    return withState(item[0], [&](JobState state) { return StateNow{state, item[1].integer() != 0}; });
}

Result<StateNow> placedOf(const Reply &item)
{
    if (item.kind() != Reply::Kind::Array)
        return errorOfWord(item.view());
    return withState(item[0], [&](JobState state) { return StateNow{state, false, item[1].integer()}; });
}

Result<MessageTaken> messageTakenOf(const Reply &item)
{
    if (item.kind() != Reply::Kind::Array) {
        return item.view() == "NOT_FOUND" ? reasons::messageKeyNotFound()
                                          : errorOfWord(item.view());
    }
    return withState(item[0], [&](JobState state) { return MessageTaken{idOf(item[2]), {state, item[1].integer()}}; });
}

Result<Group> groupOf(const Reply &item)
{
    if (item.kind() != Reply::Kind::Array) {
        return item.view() == "NOT_FOUND" ? reasons::groupNotFound() : errorOfWord(item.view());
    }
    namespace at = field_of::group;
    const QHash<QByteArray, Reply> fields = fieldsOf(item);
    Group group;
    group.group = fields[at::name].bytes();
    group.total = fields[at::total].integer();
    group.pending = fields[at::pending].integer();
    group.succeeded = fields[at::succeeded].integer();
    group.failed = fields[at::failed].integer();
    group.cancelled = fields[at::cancelled].integer();
    group.open = fields[at::open].integer() != 0;
    group.hasCallback = fields.contains(at::callback);
    group.callback = idOf(fields[at::called]);
    if (fields.contains(at::refused))
        group.callbackRefused = errorOfWord(fields[at::refused].view()).reason;
    group.pusher = fields[at::token].bytes();
    group.shared = fields[at::shared].integer() != 0;
    group.createdAt_ms = fields[at::made].integer();
    group.endedAt_ms = fields[at::ended].integer();
    return group;
}

Swept sweptOf(const Reply &reply)
{
    Swept swept;
    swept.expired = int(reply[2].integer());
    swept.promoted = int(reply[3].integer());
    swept.purged = int(reply[4].integer());
    swept.more = reply[5].integer() != 0;
    swept.nextDue_ms = reply[6].integer();
    swept.readyNames = listOf<QByteArray>(reply[7], [](const Reply &name) { return name.bytes(); });
    swept.finished = listOf<JobId>(reply[8], idOf);
    swept.windowsWanted = listOf<JobId>(reply[9], idOf);
    return swept;
}

Result<ResultNow> resultNowOf(const Reply &reply)
{
    ResultNow now;
    if (reply[1].view() == "ready") {
        now.status = ResultStatus::Ready;
        now.outcome = reply[2].bytes();
    } else if (reply[1].view() == "pending") {
        const Result<JobState> state = stateOf(reply[3]);
        if (!state.ok())
            return state.error();
        now.status = ResultStatus::Pending;
        now.state = *state;
    }
    return now;
}

Result<Job> jobOf(JobId id, const Reply &reply)
{
    if (reply[1].isNil())
        return errorOfWord("NOT_FOUND");
    Job job;
    job.id = id;
    job.createdAt_ms = id.created_ms();
    if (!readRecord(job, reply[1].view(), reply[1].view().size()))
        return reasons::storedJobUnreadable();
    const QHash<QByteArray, Reply> fields = fieldsOf(reply[2]);
    if (const Result<Done> read = readFields(job, fields); !read.ok())
        return read.error();
    if (job.state == JobState::Running)
        job.holder = fields[field::holder].bytes();
    job.sharers = behind(field::sharer, fields);
    if (job.state != JobState::Succeeded) // of a success it would be an earlier failure's
        job.outcome = fields[field::outcome].bytes();
    for (qsizetype i = 0; i < reply[3].size(); ++i)
        readEntry(job, reply[3][i].view());
    addLastAttempt(job);
    job.leaseExpiresAt_ms = reply[4].integer();
    putTimesInOrder(job);
    job.resultKept = reply[5].integer() != 0;
    if (!reply[6].view().isEmpty())
        job.spec.then = unpackPushes(reply[6].view()).value_or(std::vector<JobSpec>());
    return job;
}

Result<Job> resultOwnerOf(JobId id, const Reply &reply)
{
    const QHash<QByteArray, Reply> fields = fieldsOf(reply[2]);
    if (fields.isEmpty())
        return errorOfWord("NOT_FOUND");
    Job job;
    job.id = id;
    const QByteArrayView record = fields[field_of::result_owner::record].view();
    if (!readRecord(job, record, record.size()))
        return reasons::storedJobRestUnreadable();
    job.spec.argument = payload::nil;
    job.sharers = behind(field_of::result_owner::sharer, fields);
    return job;
}

Page pageOf(const Reply &reply, JobState state)
{
    // In the order of Page.fields (core/lua/pieces/paging.lua).
    static const char *const names[] = {field::attempt, field::state, field::run_at, field::depends, field::expires, field::tracked,
        field::finished, field::reason, field::message, field::created, field::failures, field::releases, field::worker, field::started,
        field::deadline, field::cancel, field::done, field::total, field::progress, field::deleted};
    Page page;
    page.now_ms = reply[0].integer();
    page.total = reply[1].integer();
    page.end = reply[2].integer() != 0;
    const Reply rows = reply[3];
    for (qsizetype i = 0; i < rows.size(); ++i) {
        const Reply row = rows[i];
        Job job;
        job.id = idOf(row[1]);
        page.last = {row[0].bytes().toDouble(), job.id};
        job.createdAt_ms = job.id.created_ms();
        job.state = state;
        if (!readRecord(job, row[2].view(), row[3].integer()))
            continue;
        QHash<QByteArray, Reply> fields;
        const Reply values = row[5]; // only as many as jobs in this state can have
        for (qsizetype field = 0; field < values.size(); ++field) {
            if (!values[field].isNil())
                fields.insert(names[field], values[field]);
        }
        if (!readFields(job, fields).ok())
            continue;
        putTimesInOrder(job);
        job.leaseExpiresAt_ms = row[4].integer();
        page.jobs.append(std::move(job));
        page.orders.append(page.last->first);
    }
    return page;
}

Page pushedPageOf(const Reply &reply, JobState state)
{
    Page page;
    page.now_ms = reply[0].integer();
    page.total = reply[1].integer();
    page.end = reply[2].integer() != 0;
    const Reply found = reply[3]; // id, order, id, order, …
    page.jobs.reserve(found.size() / 2);
    page.orders.reserve(found.size() / 2);
    eachRecord(reply[4], [&](qsizetype at, const Reply &record) {
        Job job;
        job.id = idOf(found[2 * at]);
        page.last = {found[2 * at + 1].bytes().toDouble(), job.id};
        job.createdAt_ms = job.id.created_ms();
        job.state = state;
        if (!readRecord(job, record.view(), record.view().size()))
            return;
        page.jobs.append(std::move(job));
        page.orders.append(page.last->first);
    });
    return page;
}

// So limits::page_bytes_max shortens only pages with whole arguments.
static_assert(limits::page_rows_max * limits::page_record_bytes_max <= limits::page_bytes_max);

QByteArray cutAt(PageDetail detail)
{
    return number(detail == PageDetail::Listed ? limits::page_record_bytes_max : 0);
}

Overview countsOf(const Reply &reply)
{
    const QHash<QByteArray, Reply> totals = fieldsOf(reply[1]);
    const auto total = [&totals](const char *name) { return totals[name].integer(); };
    Overview counts;
    counts.now_ms = reply[0].integer();
    counts.totals = {total("enqueued"), total("started"), total("succeeded"), total("failed"), total("failures"), total("retried"),
        total("expired"), total("cancelled"), total("deleted")};
    counts.byState[size_t(JobState::Ready)] = total("ready");
    static constexpr std::pair<JobState, int> counted[] = {{JobState::Scheduled, 2}, {JobState::Running, 3}, {JobState::Succeeded, 4},
        {JobState::Failed, 5}, {JobState::Cancelled, 6}, {JobState::Depends, 10}, {JobState::Awaiting, 11}};
    for (const auto &[state, at] : counted)
        counts.byState[size_t(state)] = reply[at].integer();
    counts.resultsKept = reply[7].integer();
    if (const auto oldest = JobId::fromBytes(reply[8].view()))
        counts.oldestReadyAt_ms = oldest->created_ms();
    return counts;
}

QList<NameRow> namesOf(const Reply &reply)
{
    return listOf<NameRow>(reply[1], [](const Reply &row) {
        const QHash<QByteArray, Reply> totals = fieldsOf(row[2]);
        NameRow counts{.name = row[0].bytes(), .ready = row[1].integer()};
        counts.totals.enqueued = totals[field_of::name_totals::enqueued].integer();
        counts.totals.succeeded = totals[field_of::name_totals::succeeded].integer();
        counts.totals.failed = totals[field_of::name_totals::failed].integer();
        counts.totals.failures = totals[field_of::name_totals::failures].integer();
        return counts;
    });
}

Hints hintsOf(const Reply &told)
{
    return {listOf<QByteArray>(told[0], [](const Reply &name) { return name.bytes(); }), listOf<JobId>(told[1], idOf), told[2].integer()};
}

Hints hintsOf(QByteArrayView message, QByteArrayView ownEngine)
{
    Hints hints;
    payload::Reader reader(message);
    reader.next();
    const auto engine = reader.next();
    if (!engine || engine->bytes == ownEngine)
        return hints;
    if (const auto names = reader.next()) {
        for (quint32 i = 0; i < names->count; ++i) {
            if (const auto name = reader.next())
                hints.readyNames.append(name->bytes.toByteArray());
        }
    }
    if (const auto ids = reader.next()) {
        for (quint32 i = 0; i < ids->count; ++i) {
            const auto id = reader.next();
            if (id && id->bytes.size() == JobId::size)
                hints.finished.append(*JobId::fromBytes(id->bytes));
        }
    }
    if (const auto opens = reader.next())
        hints.opens_ms = opens->integer;
    return hints;
}

} // namespace junban::redis
