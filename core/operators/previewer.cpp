#include "core/operators/previewer.h"

#include "core/base/clock.h"
#include "core/base/reasons/cel.h"
#include "core/base/reasons/store.h"
#include "core/limits/bucketkey.h"
#include "core/limits/forecast.h"
#include "core/limits/jobvariables.h"
#include "core/limits/startreplay.h"

#include <QHash>
#include <QMap>
#include <algorithm>
#include <numeric>

namespace junban {

namespace {

void sample(QList<answers::PreviewJob> &rows, const Job &job)
{
    if (rows.size() < limits::preview_samples_max)
        rows.append({job.id, job.spec.name, job.state});
}

answers::TestedTerms tested(const cel::Program &predicate, const JobSpec &spec, cel::Evaluation &evaluation)
{
    const cel::SpecBindings bindings(spec, spec.pusher);
    const cel::Value value = evaluation.evaluate(predicate, bindings);
    const cel::Terms terms = cel::judgeTerms(predicate, bindings, evaluation);
    answers::TestedTerms test{value.isTrue(), {}, terms.terms, terms.complete};
    if (value.isError())
        test.fault = predicate.explain(value).reason;
    else if (value.type() != cel::ValueType::Bool)
        test.fault = reasons::evaluationNeitherTrueNorFalse();
    return test;
}

// Most jobs first; of the same number, by key.
QList<answers::CountOf> byCount(const QHash<QByteArray, qint64> &counts)
{
    QList<answers::CountOf> sorted;
    for (auto each = counts.cbegin(); each != counts.cend(); ++each)
        sorted.append({each.key(), each.value()});
    std::sort(sorted.begin(), sorted.end(),
        [](const auto &a, const auto &b) { return a.jobs != b.jobs ? a.jobs > b.jobs : a.what < b.what; });
    return sorted;
}

// How much cost a bucket lets start in a second; nothing: any.
std::optional<double> allowed(const Constraint &constraint, const QByteArray &key, double meanRun_s)
{
    const Parameters parameters = constraint.parametersFor(key);
    if (const auto *rate = std::get_if<RateParameters>(&parameters))
        return double(rate->limit) / rate->period_s;
    const auto *most = std::get_if<ConcurrencyParameters>(&parameters);
    if (most && (most->limit == 0 || meanRun_s > 0))
        return most->limit == 0 ? 0 : double(most->limit) / meanRun_s;
    return {};
}

} // namespace

constexpr int replayMinutes = int(limits::preview_replay_s / 60);

struct Previewer::Look {
    JobMatcher matcher = {};
    std::optional<TestedJob> subject = {};         // a job to try it on
    const Masker *mask = nullptr;
    Callback<Preview> callback = {};
    Preview preview = {};
    QList<QHash<QByteArray, qint64>> keys = {};    // of each constraint: jobs by key, at most limits::preview_distinct_max
    QMap<QByteArray, answers::CountOf> faults = {}; // by cause (cel::causeWord)
    QHash<QByteArray, qint64> overlaps = {};       // by saved matcher: jobs that both match
    answers::PreviewCount &countOf(JobState state)
    {
        return *std::find_if(preview.answer.states.begin(), preview.answer.states.end(),
            [state](const answers::PreviewCount &each) { return each.state == state; });
    }
    std::shared_ptr<const MatcherSet> alone = {}; // only the previewed matcher
    std::shared_ptr<const MatcherSet> saved = {};
    std::shared_ptr<const MatcherSet> before = {}; // only its saved revision; null when there is none
    cel::Evaluation evaluation = {};
    QList<QPair<JobState, QByteArray>> left = {};  // states still to be looked through; ready jobs name by name, if the names are known
    std::optional<QPair<double, JobId>> after = {};
    // Starts of jobs that ended before this time were not looked at.
    void cutAt(qint64 at_ms)
    {
        coveredSince_ms = std::max(coveredSince_ms, at_ms);
        preview.answer.replay.complete = false;
    }
    qint64 oldestEnd_ms = 0;                       // of a job that succeeded
    qint64 until_ms = 0;
    qint64 since_ms = 0;                           // starts from this time on are replayed
    QList<PastStart> starts = {};
    qint64 coveredSince_ms = 0;                    // all starts from this time on were looked at
    using Bucket = QPair<QByteArray, QByteArray>;  // a constraint's id, and a key
    struct Carried {
        qint64 ready = 0;                          // the cost of the ready jobs that match
        QList<qint64> arrived = QList<qint64>(replayMinutes); // of those that came in each minute from since_ms on
    };
    QHash<Bucket, Carried> carried = {};           // under the constraints of the request
    QHash<Bucket, Carried> elsewhere = {};         // under those of other matchers
    QHash<Bucket, qint64> savedCost = {};          // the cost of the ready ones under the saved revision
    QList<qint64> arrived = QList<qint64>(replayMinutes); // jobs
};

Previewer::Previewer(Store &store, Matchers &matchers, Clock &clock)
    : m_store(store)
    , m_matchers(matchers)
    , m_clock(clock)
{
}

void Previewer::preview(PreviewQuery query, const Masker *mask, Callback<Preview> callback)
{
    auto look = std::make_shared<Look>();
    look->matcher = query.matcher();
    for (Constraint &constraint : look->matcher.constraints)
        settleTimes(constraint, m_clock.now_ms());
    look->subject = std::move(query.test);
    look->mask = mask;
    look->callback = std::move(callback);
    if (!look->subject || !look->subject->id) {
        load(look);
        return;
    }
    m_store.get(*look->subject->id, [this, look, alive = std::weak_ptr(m_life)](const Result<Job> &job) {
        if (alive.expired())
            return;
        if (job.ok()) {
            look->subject->spec = asPushed(job->spec);
            if (look->mask)
                look->mask->hide(look->subject->spec);
            load(look);
        } else if (job.error().code == ErrorCode::NotFound) {
            look->callback(ofField(reasons::jobNotFound(), "test.job"));
        } else {
            look->callback(job.error());
        }
    });
}

void Previewer::load(const LookPtr &look)
{
    m_matchers.refresh([this, look, alive = std::weak_ptr(m_life)](const Result<Done> &loaded) {
        if (alive.expired())
            return;
        if (loaded.ok())
            begin(look);
        else
            look->callback(loaded.error());
    });
}

void Previewer::begin(const LookPtr &look)
{
    const JobMatcher *before = m_matchers.matcher(look->matcher.id);
    giveConstraintIds(look->matcher, before, [&](const QByteArray &id) { return m_matchers.isOfAnother(id, look->matcher.id); });
    look->matcher.enabled = true; // show what it would do if it was enabled
    const MatcherCompilation compilation = CompiledMatcher::compile(look->matcher);
    if (!compilation.matcher) {
        look->preview.problems = compilation.problems;
        look->callback(std::move(look->preview));
        return;
    }
    const auto alone = MatcherSet::make({compilation.matcher});
    if (!alone.ok()) {
        look->callback(alone.error());
        return;
    }
    look->alone = *alone;
    look->saved = m_matchers.share();
    if (const auto compiled = m_matchers.set().matcher(look->matcher.id)) {
        const auto only = MatcherSet::make({compiled});
        look->before = only.ok() ? *only : nullptr;
    }
    answers::MatcherPreview &answer = look->preview.answer;
    answer.names = compilation.matcher->shownNames();
    if (look->subject)
        answer.test = tested(compilation.matcher->predicate(), look->subject->spec, look->evaluation);
    look->keys.resize(look->matcher.constraints.size());
    // Jobs that only the saved revision matches may have other names.
    cel::NameSet names = compilation.matcher->names();
    if (look->before && before)
        names = names.united(look->before->matchers().first()->names());
    if (names.prefixes().isEmpty()) {
        for (const QByteArray &name : names.names())
            look->left.append({JobState::Ready, name});
    } else {
        look->left.append({JobState::Ready, QByteArray()});
    }
    answer.states.append({JobState::Ready, 0, 0, 0, true});
    for (const JobState state : {JobState::Running, JobState::Awaiting, JobState::Scheduled, JobState::Depends, JobState::Failed}) {
        look->left.append({state, QByteArray()});
        answer.states.append({state, 0, 0, 0, true});
    }
    look->left.append({JobState::Succeeded, QByteArray()}); // only their starts are needed
    look->since_ms = m_clock.now_ms() - qint64(limits::preview_replay_s * 1000);
    look->coveredSince_ms = look->since_ms;
    look->until_ms = Clock::monotonic_ms() + qint64(limits::preview_s_max * 1000);
    nextState(look);
}

void Previewer::nextState(const LookPtr &look)
{
    look->after = {};
    if (!look->left.isEmpty()) {
        nextPage(look);
        return;
    }
    m_store.counts([this, look, alive = std::weak_ptr(m_life)](const Result<Overview> &counts) {
        if (alive.expired())
            return;
        if (!counts.ok()) {
            look->callback(counts.error());
            return;
        }
        // Ready jobs of names that cannot match were not looked at, but are there.
        qint64 &ready = look->countOf(JobState::Ready).total;
        ready = std::max(ready, counts->count(JobState::Ready));
        // The oldest that is kept is not old enough, and older ones have been purged.
        const bool purged = counts->totals.succeeded > counts->count(JobState::Succeeded);
        if (purged && look->oldestEnd_ms > look->since_ms)
            look->cutAt(look->oldestEnd_ms);
        reckon(*look);
        summarise(*look);
        look->callback(std::move(look->preview));
    });
}

void Previewer::nextPage(const LookPtr &look)
{
    const auto [state, name] = look->left.first();
    m_store.page({state, name, limits::page_rows_max, look->after,
                     state == JobState::Ready ? PageDetail::Pushed : PageDetail::Whole},
        [this, look, state = state, alive = std::weak_ptr(m_life)](const Result<Page> &page) {
            if (alive.expired())
                return;
            if (!page.ok()) {
                look->callback(page.error());
                return;
            }
            take(*look, *page);
            const bool past = state == JobState::Succeeded && !page->jobs.isEmpty() && page->jobs.last().finishedAt_ms < look->since_ms;
            const bool end = page->end || past;
            if (!end && Clock::monotonic_ms() < look->until_ms) {
                look->after = page->last;
                nextPage(look);
                return;
            }
            if (state == JobState::Succeeded) {
                look->oldestEnd_ms = page->jobs.isEmpty() ? look->oldestEnd_ms : page->jobs.last().finishedAt_ms;
                if (!end)
                    look->cutAt(look->oldestEnd_ms);
            } else {
                answers::PreviewCount &count = look->countOf(state);
                count.total += page->total;
                count.complete = count.complete && end;
            }
            look->left.removeFirst();
            nextState(look);
        });
}

void Previewer::take(Look &look, const Page &page) const
{
    for (const Job &job : page.jobs)
        judge(look, job);
}

void Previewer::judge(Look &look, const Job &job) const
{
    if (job.state == JobState::Succeeded) {
        JobSpec started = asPushed(job.spec);
        if (look.mask)
            look.mask->hide(started);
        const Classification past = look.alone->classify(started, started.pusher, look.evaluation);
        if (!past.matchers.isEmpty())
            remember(look, job, past, look.saved->classify(started, started.pusher, look.evaluation));
        return;
    }
    answers::MatcherPreview &answer = look.preview.answer;
    answers::PreviewCount &count = look.countOf(job.state);
    ++count.scanned;
    JobSpec spec = asPushed(job.spec);
    if (look.mask)
        look.mask->hide(spec);
    const Classification now = look.alone->classify(spec, spec.pusher, look.evaluation);
    const bool matches = !now.matchers.isEmpty();
    const Classification saved = look.before ? look.before->classify(spec, spec.pusher, look.evaluation) : Classification();
    const bool matched = !saved.matchers.isEmpty();
    for (const MatcherFault &fault : now.faults) {
        answers::CountOf &same = look.faults[cel::causeWord(fault.cause)];
        if (same.jobs++ == 0)
            same.sample = job.id;
    }
    if (look.before && matched != matches) {
        ++(matches ? answer.newlyMatchedCount : answer.noLongerMatchedCount);
        sample(matches ? answer.newlyMatched : answer.noLongerMatched, job);
    }
    if (!matches)
        return;
    ++count.matched;
    sample(answer.samples, job);
    const Classification all = look.saved->classify(spec, spec.pusher, look.evaluation);
    remember(look, job, now, all);
    for (const BucketHit &hit : saved.buckets) {
        if (job.state == JobState::Ready)
            look.savedCost[{hit.constraint, bucketkey::text(hit.key)}] += hit.amount;
    }
    for (const BucketHit &hit : now.buckets) {
        const auto &constraints = look.matcher.constraints;
        for (qsizetype i = 0; i < constraints.size(); ++i) {
            QHash<QByteArray, qint64> &jobs = look.keys[i];
            const QByteArray key = bucketkey::text(hit.key);
            if (constraints[i].id == hit.constraint && (jobs.contains(key) || jobs.size() < limits::preview_distinct_max))
                ++jobs[key];
        }
    }
    for (const QByteArray &other : all.matchers) {
        if (other != look.matcher.id)
            ++look.overlaps[other];
    }
}

// Notes when the job started last and when it was enqueued, if that was lately, and what it costs, if it waits. `all`: by the saved
// matchers.
void Previewer::remember(Look &look, const Job &job, const Classification &matched, const Classification &all) const
{
    const bool waits = job.state == JobState::Ready, came = job.id.created_ms() >= look.since_ms;
    const qsizetype minute = std::clamp<qint64>((job.id.created_ms() - look.since_ms) / 60'000, 0, replayMinutes - 1);
    look.arrived[minute] += came;
    const auto note = [&](QHash<Look::Bucket, Look::Carried> &buckets, const BucketHit &hit) {
        if (!waits && !came)
            return;
        Look::Carried &bucket = buckets[{hit.constraint, bucketkey::text(hit.key)}];
        bucket.ready += waits ? hit.amount : 0;
        bucket.arrived[minute] += came ? hit.amount : 0;
    };
    QList<PastStart::Carried> carried;
    for (const BucketHit &hit : matched.buckets) {
        note(look.carried, hit);
        for (qsizetype i = 0; i < look.matcher.constraints.size(); ++i) {
            if (look.matcher.constraints[i].id == hit.constraint)
                carried.append({i, bucketkey::text(hit.key), hit.amount});
        }
    }
    for (const BucketHit &hit : all.buckets) {
        const Matchers::Place place = m_matchers.constraint(hit.constraint);
        if (place.constraint && place.matcher->id != look.matcher.id)
            note(look.elsewhere, hit);
    }
    if (waits || job.startedAt_ms < look.since_ms)
        return;
    if (look.starts.size() == limits::preview_starts_max) {
        look.cutAt(job.finishedAt_ms);
        return;
    }
    const qint64 end_ms = job.finishedAt_ms > 0 ? job.finishedAt_ms : m_clock.now_ms();
    look.starts.append({job.startedAt_ms, std::max<qint64>(0, end_ms - job.startedAt_ms), carried});
}

void Previewer::reckon(Look &look) const
{
    answers::MatcherPreview &answer = look.preview.answer;
    look.starts.removeIf([&look](const PastStart &start) { return start.at_ms < look.coveredSince_ms; });
    double ran_s = 0;
    qint64 first_ms = m_clock.now_ms();
    for (const PastStart &start : std::as_const(look.starts)) {
        ran_s += double(start.ran_ms) / 1000;
        first_ms = std::min(first_ms, start.at_ms);
    }
    // For how long there were starts: such jobs may be new, or their workers.
    const double seen_s = std::clamp(double(m_clock.now_ms() - first_ms) / 1000, 60.0, limits::preview_replay_s);
    const double starts = double(look.starts.size());
    const bool complete = answer.replay.complete;
    QList<qint64> startedAt_ms;
    for (const PastStart &start : std::as_const(look.starts))
        startedAt_ms.append(start.at_ms);
    const Replayed replayed = replay(std::move(look.starts), look.matcher.constraints);
    const double meanDelay_s = replayed.delayed > 0 ? double(replayed.delaySum_ms) / double(replayed.delayed) / 1000 : 0;
    answer.replay = {replayed.starts, replayed.delayed, meanDelay_s, double(replayed.delayMost_ms) / 1000, seen_s, complete};
    const auto lately = [&](const QList<qint64> &moments_ms) {
        const qint64 step_ms = qint64(answer.replay.step_s * 1000);
        return inSteps(moments_ms, m_clock.now_ms(), step_ms, qsizetype(limits::preview_replay_s / answer.replay.step_s));
    };
    answer.replay.asItWas = lately(startedAt_ms);
    answer.replay.limited = lately(replayed.startedAt_ms);
    const BacklogSeen seen = backlogOf(look, starts, seen_s, starts > 0 ? ran_s / starts : 0);
    const Forecast forecast = forecastOf(seen);
    const double covered_s = double(m_clock.now_ms() - look.coveredSince_ms) / 1000;
    const qint64 arrived = std::accumulate(look.arrived.cbegin() + firstCovered(look), look.arrived.cend(), qint64(0));
    answer.arrivals = {seen.arrivals > 0 ? seen.arrivals : double(arrived) / std::max(60.0, covered_s), starts / seen_s, forecast.growth};
    // The jobs that came last are ready ones, and they were not looked at.
    if (!forecast.after || !answer.states.first().complete)
        return;
    answer.drain = {forecast.before_s, forecast.after->most_s, forecast.after->least_s, {}};
    if (const JobMatcher *other = m_matchers.constraint(forecast.after->limit).matcher; other && other->id != look.matcher.id)
        answer.drain->limit = forecast.after->limit;
}

// The first minute of which all starts were looked at.
qsizetype Previewer::firstCovered(const Look &look)
{
    return std::min<qsizetype>((look.coveredSince_ms - look.since_ms + 59'999) / 60'000, replayMinutes - 1);
}

BacklogSeen Previewer::backlogOf(const Look &look, double starts, double seen_s, double meanRun_s) const
{
    const auto steady = [from = firstCovered(look)](const QList<qint64> &minutes) { return steadyRate(minutes.mid(from)); };
    BacklogSeen seen{double(look.preview.answer.states.first().matched), starts, seen_s, steady(look.arrived), {}, {}};
    const auto add = [&](const QHash<Look::Bucket, Look::Carried> &buckets, const auto &limitOf) {
        for (auto each = buckets.cbegin(); each != buckets.cend(); ++each) {
            const auto &[id, key] = each.key();
            const Constraint *constraint = limitOf(id);
            const bool holds = constraint && constraint->mode == ConstraintMode::Enforce;
            if (const auto most = holds ? allowed(*constraint, key, meanRun_s) : std::nullopt)
                seen.gates.append({id, double(each->ready), steady(each->arrived), *most});
        }
    };
    add(look.carried, [&look](const QByteArray &id) {
        const auto found = std::find_if(look.matcher.constraints.cbegin(), look.matcher.constraints.cend(),
            [&id](const Constraint &one) { return one.id == id; });
        return found == look.matcher.constraints.cend() ? nullptr : &*found;
    });
    add(look.elsewhere, [this](const QByteArray &id) {
        const Matchers::Place place = m_matchers.constraint(id);
        return place.matcher && place.matcher->enabled ? place.constraint : nullptr;
    });
    const JobMatcher *saved = m_matchers.matcher(look.matcher.id);
    for (auto each = look.savedCost.cbegin(); saved && saved->enabled && each != look.savedCost.cend(); ++each) {
        const Constraint *constraint = m_matchers.constraint(each.key().first).constraint;
        const auto most = constraint && constraint->mode == ConstraintMode::Enforce ? allowed(*constraint, each.key().second, meanRun_s)
                                                                                    : std::nullopt;
        if (most && *most > 0)
            seen.gatesNow.append({each.key().first, double(each.value()), 0, *most});
    }
    return seen;
}

// Puts into the answer what was counted.
void Previewer::summarise(Look &look) const
{
    answers::MatcherPreview &answer = look.preview.answer;
    for (qsizetype i = 0; i < look.keys.size(); ++i) {
        answer.keys.append({kindWord(look.matcher.constraints[i].kind()), look.keys[i].size(),
            byCount(look.keys[i]).mid(0, limits::preview_keys_max)});
    }
    for (auto each = look.faults.cbegin(); each != look.faults.cend(); ++each)
        answer.faults.append({each.key(), each->jobs, each->sample});
    answer.overlaps = byCount(look.overlaps);
}

} // namespace junban
