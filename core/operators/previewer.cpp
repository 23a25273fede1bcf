#include "core/operators/previewer.h"

#include "core/base/clock.h"
#include "core/base/reasons/cel.h"
#include "core/base/reasons/store.h"
#include "core/limits/bucketkey.h"
#include "core/limits/jobvariables.h"
#include "core/limits/startreplay.h"

#include <QHash>
#include <QMap>
#include <algorithm>
#include <cmath>
#include <limits>

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
constexpr double setsPace = 0.8; // a limit is taken to set the pace when a backlog that it alone holds would last so much of the time

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
    qint64 until_ms = 0;
    qint64 since_ms = 0;                           // starts from this time on are replayed
    QList<PastStart> starts = {};
    using Costs = QHash<QPair<qsizetype, QByteArray>, qint64>; // by constraint and key
    Costs readyCost = {};
    QHash<QPair<QByteArray, QByteArray>, qint64> savedCost = {}; // the same under the saved revision, by the constraint's id and key
    QHash<QPair<qsizetype, QByteArray>, QList<qint64>> arrivedCost = {}; // in each minute from since_ms on
    qint64 arrived = 0;                            // jobs that were enqueued from then on
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
                look->preview.answer.replay.complete = end;
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
            remember(look, job, past);
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
    remember(look, job, now);
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
    for (const QByteArray &other : look.saved->classify(spec, spec.pusher, look.evaluation).matchers) {
        if (other != look.matcher.id)
            ++look.overlaps[other];
    }
}

// Notes when the job started last and when it was enqueued, if that was lately, and what it will cost, if it waits.
void Previewer::remember(Look &look, const Job &job, const Classification &matched) const
{
    QList<PastStart::Carried> carried;
    for (const BucketHit &hit : matched.buckets) {
        for (qsizetype i = 0; i < look.matcher.constraints.size(); ++i) {
            if (look.matcher.constraints[i].id == hit.constraint)
                carried.append({i, bucketkey::text(hit.key), hit.amount});
        }
    }
    if (job.id.created_ms() >= look.since_ms) {
        ++look.arrived;
        const qint64 minute = std::min<qint64>((job.id.created_ms() - look.since_ms) / 60'000, replayMinutes - 1);
        for (const PastStart::Carried &each : std::as_const(carried)) {
            QList<qint64> &minutes = look.arrivedCost[{each.constraint, each.key}];
            minutes.resize(replayMinutes);
            minutes[minute] += each.cost;
        }
    }
    if (job.state == JobState::Ready) {
        for (const PastStart::Carried &each : std::as_const(carried))
            look.readyCost[{each.constraint, each.key}] += each.cost;
    } else if (job.startedAt_ms >= look.since_ms && look.starts.size() < limits::preview_starts_max) {
        const qint64 end_ms = job.finishedAt_ms > 0 ? job.finishedAt_ms : m_clock.now_ms();
        look.starts.append({job.startedAt_ms, std::max<qint64>(0, end_ms - job.startedAt_ms), carried});
    }
}

void Previewer::reckon(Look &look) const
{
    answers::MatcherPreview &answer = look.preview.answer;
    double ran_s = 0;
    qint64 first_ms = m_clock.now_ms();
    for (const PastStart &start : std::as_const(look.starts)) {
        ran_s += double(start.ran_ms) / 1000;
        first_ms = std::min(first_ms, start.at_ms);
    }
    // For how long there were starts: such jobs may be new, or their workers.
    const double seen_s = std::clamp(double(m_clock.now_ms() - first_ms) / 1000, 60.0, limits::preview_replay_s);
    const double starts = double(look.starts.size());
    const double meanRun_s = starts > 0 ? ran_s / starts : 0;
    const bool complete = answer.replay.complete && look.starts.size() < limits::preview_starts_max;
    const Replayed replayed = replay(std::move(look.starts), look.matcher.constraints);
    const double meanDelay_s = replayed.delayed > 0 ? double(replayed.delaySum_ms) / double(replayed.delayed) / 1000 : 0;
    answer.replay = {replayed.starts, replayed.delayed, meanDelay_s, double(replayed.delayMost_ms) / 1000, complete};
    answer.arrivals.perSecond = double(look.arrived) / limits::preview_replay_s;
    for (auto each = look.arrivedCost.cbegin(); each != look.arrivedCost.cend(); ++each) {
        if (const auto most = allowed(look.matcher.constraints[each.key().first], each.key().second, meanRun_s))
            answer.arrivals.growth += std::max(0.0, steadyRate(each.value()) - *most);
    }
    if (starts == 0 || answer.arrivals.growth > 0)
        return;
    answers::PreviewDrain drain;
    drain.before_s = double(answer.states.first().matched) * seen_s / starts;
    const double permitted_s = drainOf(look, meanRun_s);
    if (std::isinf(permitted_s)) // a backlog that grows, or may not start at all, has no end
        return;
    // The pace of now stays, unless it is what the saved constraints permit: then workers may be quicker, by as much as the new ones permit
    // more.
    const double saved_s = permittedBySaved(look, meanRun_s);
    const bool paced = saved_s > 0 && saved_s >= drain.before_s * setsPace;
    drain.after_s = paced ? drain.before_s * permitted_s / saved_s : std::max(drain.before_s, permitted_s);
    answer.drain = drain;
}

// For how many seconds the ready jobs that match last when the constraints of the request alone hold them; those that come later start
// after them. 0: they hold none; infinite: the backlog does not become smaller.
double Previewer::drainOf(const Look &look, double meanRun_s)
{
    double longest_s = 0;
    for (auto each = look.readyCost.cbegin(); each != look.readyCost.cend(); ++each) {
        const Constraint &constraint = look.matcher.constraints[each.key().first];
        const auto most = constraint.mode == ConstraintMode::Enforce ? allowed(constraint, each.key().second, meanRun_s) : std::nullopt;
        if (!most)
            continue;
        const bool shrinks = *most > steadyRate(look.arrivedCost.value(each.key()));
        longest_s = std::max(longest_s, shrinks ? double(each.value()) / *most : std::numeric_limits<double>::infinity());
    }
    return longest_s;
}

// For how many seconds they last at the pace that the saved constraints permit; 0: these hold none.
double Previewer::permittedBySaved(const Look &look, double meanRun_s) const
{
    const JobMatcher *saved = m_matchers.matcher(look.matcher.id);
    double longest_s = 0;
    for (auto each = look.savedCost.cbegin(); saved && saved->enabled && each != look.savedCost.cend(); ++each) {
        const auto &[id, key] = each.key();
        const auto constraint = std::find_if(saved->constraints.begin(), saved->constraints.end(),
            [&id = id](const Constraint &one) { return one.id == id && one.mode == ConstraintMode::Enforce; });
        const auto most = constraint == saved->constraints.end() ? std::nullopt : allowed(*constraint, key, meanRun_s);
        if (most && *most > 0)
            longest_s = std::max(longest_s, double(each.value()) / *most);
    }
    return longest_s;
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
