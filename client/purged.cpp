#include "client/purged.h"

#include "core/base/durations.h"

#include <algorithm>
#include <memory>
#include <numeric>

namespace junban::client {

namespace {

constexpr int pages_max = 200;           // counts that are added up; the master looks at a bounded number of jobs for each
constexpr qsizetype names_bytes_max = 3'000; // of the names in an expression

struct Look {
    JobQuery query;
    qint64 kept = 0;     // of those that are counted
    bool notOfOthers = false; // leaves out names with an age of their own
};

struct Counting {
    QList<Look> looks;
    Purged purged;
    qint64 jobs = 0;     // that the look under way has counted so far
    int pages = 0;
    std::function<void(const Result<Purged> &)> told;
};

struct End {
    JobState state;
    Kept Retention::*kept;
};
constexpr End ends[] = {
    {JobState::Succeeded, &Retention::succeeded}, {JobState::Failed, &Retention::failed}, {JobState::Cancelled, &Retention::cancelled}};

// A name's own age stands in place of the one for all. The number for all names counts the jobs of every name.
QByteArray othersIn(const RetentionSettings &settings, Kept Retention::*kept)
{
    QByteArrayList names;
    qsizetype bytes = 0;
    for (const auto &[name, own] : settings.names) {
        if ((own.*kept).age_ms) {
            names.append("job.name != \"" + QByteArray(name).replace('\\', "\\\\").replace('"', "\\\"") + '"');
            bytes += names.last().size() + 4;
        }
    }
    return bytes <= names_bytes_max ? names.join(" && ") : QByteArray(); // counts too many rather than too few
}

void goOn(ApiClient &client, QObject *context, const std::shared_ptr<Counting> &counting)
{
    if (counting->looks.isEmpty()) {
        counting->told(counting->purged);
        return;
    }
    const auto came = [&client, context, counting](const Result<JobCounts> &counts) {
        if (!counts.ok()) {
            counting->told(counts.error());
            return;
        }
        Look &look = counting->looks.first();
        const size_t state = size_t(*look.query.state);
        counting->jobs += counts->byState[state];
        look.query.cursor = counts->next;
        const bool more = !counts->next.isEmpty();
        if (!more || ++counting->pages >= pages_max) {
            // Age and number both take the oldest jobs, so the larger count has the smaller one in it. If some names have an age of their
            // own, the number may take jobs that the age does not.
            qint64 &purged = counting->purged.byState[state];
            const qint64 found = std::max<qint64>(0, counting->jobs - look.kept);
            const bool mayAdd = look.notOfOthers && purged > 0 && found > 0;
            purged = std::max(purged, found);
            counting->purged.complete = counting->purged.complete && !more && !mayAdd;
            counting->looks.removeFirst();
            counting->jobs = counting->pages = 0;
        }
        goOn(client, context, counting);
    };
    client.jobCounts(counting->looks.first().query, guarded<JobCounts>(context, came));
}

} // namespace

qint64 Purged::jobs() const
{
    return std::accumulate(byState.begin(), byState.end(), qint64(0));
}

Retention retentionOf(const RetentionSettings &settings, const QByteArray &name)
{
    if (name.isEmpty())
        return settings.all;
    const auto own = std::find_if(settings.names.begin(), settings.names.end(), [&name](const auto &each) { return each.first == name; });
    return own == settings.names.end() ? Retention() : own->second;
}

Retention retentionBelow(const RetentionSettings &settings, const QByteArray &name)
{
    const auto ms = [](double seconds) { return qint64(seconds * second_ms); };
    using namespace limits;
    return !name.isEmpty() ? settings.all : Retention{{ms(succeeded_kept_s), succeeded_kept_max}, {ms(failed_kept_s), failed_kept_max},
                                                      {ms(cancelled_kept_s), cancelled_kept_max}};
}

void countPurged(ApiClient &client, QObject *context, const RetentionSettings &settings, const QByteArray &name, const Retention &wanted,
                 std::function<void(const Result<Purged> &)> told)
{
    const auto counting = std::make_shared<Counting>();
    counting->told = std::move(told);
    const Retention now = retentionOf(settings, name), below = retentionBelow(settings, name);
    for (const auto &[state, kept] : ends) {
        const Kept &want = wanted.*kept, &is = now.*kept, &otherwise = below.*kept;
        const auto age_ms = [&](const Kept &of) { return of.age_ms ? of.age_ms : otherwise.age_ms; };
        // A name without a number of its own is bounded by the number for all names alone.
        const auto count = [&](const Kept &of) { return of.count || !name.isEmpty() ? of.count : otherwise.count; };
        JobQuery query;
        query.state = state;
        query.name = name;
        if (count(want) && count(want) != count(is))
            counting->looks.append({query, *count(want)});
        if (age_ms(want) && age_ms(want) != age_ms(is)) {
            query.match = "job.finished_at < now - duration('" + QByteArray::number(double(*age_ms(want)) / second_ms, 'f', 3) + "s')";
            const QByteArray others = name.isEmpty() ? othersIn(settings, kept) : QByteArray();
            if (!others.isEmpty())
                query.match += " && " + others;
            counting->looks.append({query, 0, !others.isEmpty()});
        }
    }
    goOn(client, context, counting);
}

} // namespace junban::client
