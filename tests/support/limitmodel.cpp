#include "tests/support/limitmodel.h"

#include "core/msgpack/msgpackwriter.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace junban::test {

namespace {

constexpr const char *kindWords[] = {"concurrency", "rate", "pause", "window", "cooldown", "share", "breaker", "fair"};
constexpr const char *algorithmWords[] = {"gcra", "sliding", "fixed"};

void writeNumbers(MsgpackWriter &writer, const ModelLimit::Numbers &numbers)
{
    writer.text("l").integer(numbers.limit).text("b").integer(numbers.burst).text("pr").integer(numbers.probes);
    writer.text("mx").integer(numbers.cooldown_ms);
}

void writeShare(MsgpackWriter &writer, const ModelShare &share)
{
    writer.map((share.min >= 0) + (share.max >= 0) + (share.percent >= 0));
    if (share.min >= 0)
        writer.text("mn").integer(share.min);
    if (share.max >= 0)
        writer.text("mx").integer(share.max);
    if (share.percent >= 0)
        writer.text("pc").integer(share.percent);
}

// The window at `now_ms`; nothing after the last known one.
std::optional<qint64> fixedWindow(const ModelLimit &limit, qint64 now_ms)
{
    if (limit.boundaries.isEmpty())
        return now_ms / limit.period_ms * limit.period_ms;
    for (qsizetype i = 1; i < limit.boundaries.size(); ++i) {
        if (limit.boundaries[i - 1] <= now_ms && now_ms < limit.boundaries[i])
            return limit.boundaries[i - 1];
    }
    return {};
}

bool windowOpen(const ModelLimit &limit, qint64 now_ms)
{
    // Openings and closings in turn; after the last opening it stays open.
    const auto passed = std::count_if(limit.boundaries.begin(), limit.boundaries.end(), [&](qint64 at_ms) { return at_ms <= now_ms; });
    return passed % 2 == 1;
}

qint64 slotOf(const ModelLimit &limit, qint64 at_ms)
{
    return qint64(std::floor(double(at_ms) / (double(limit.window_ms) / 60)));
}

} // namespace

const ModelLimit::Numbers &ModelLimit::of(const QByteArray &key) const
{
    const auto own = overrides.find(key);
    return own == overrides.end() ? numbers : own->second;
}

QByteArray ModelLimit::packed() const
{
    MsgpackWriter writer;
    writer.map(18 + cancelAtClose + (reserve_ms >= 0) + (until_ms >= 0) + (!boundaries.isEmpty() || kind == Window) + !overrides.empty());
    writer.text("k").text(kindWords[kind]).text("m").text(mode);
    writeNumbers(writer, numbers);
    writer.text("a").text(algorithmWords[algorithm]).text("p").integer(period_ms);
    writer.text("cap").integer(capacity).text("bo").boolean(borrow).text("df");
    writeShare(writer, otherwise);
    writer.text("sh").map(qsizetype(shares.size()));
    for (const auto &[key, share] : shares) {
        writer.text(key);
        writeShare(writer, share);
    }
    writer.text("w").integer(window_ms).text("ms").integer(samples).text("fr").real(failureRate).text("of").integer(openFor_ms);
    writer.text("fa").real(factor).text("mo").integer(openMost_ms);
    if (cancelAtClose)
        writer.text("oc").boolean(true);
    if (reserve_ms >= 0)
        writer.text("ra").integer(reserve_ms);
    if (until_ms >= 0)
        writer.text("t").integer(until_ms);
    if (!boundaries.isEmpty() || kind == Window) {
        writer.text("bd").array(boundaries.size());
        for (const qint64 at_ms : boundaries)
            writer.integer(at_ms);
    }
    if (!overrides.empty()) {
        writer.text("o").map(qsizetype(overrides.size()));
        for (const auto &[key, own] : overrides) {
            writer.text(key).map(4);
            writeNumbers(writer, own);
        }
    }
    return writer.take();
}

QByteArray ModelLimit::shown() const
{
    const auto number = [](qint64 value) { return QByteArray::number(value); };
    QByteArray text = QByteArray(kindWords[kind]) + ' ' + mode;
    if (kind == Rate)
        text += QByteArray(" ") + algorithmWords[algorithm] + " burst " + number(numbers.burst);
    if (kind == Rate || kind == Concurrency)
        text += " limit " + number(numbers.limit);
    if (kind == Share)
        text += " capacity " + number(capacity) + (borrow ? " borrow" : "");
    return text + (overrides.empty() ? "" : " with overrides");
}

const LimitModel::State &LimitModel::state(const Key &key) const
{
    static const State none;
    const auto found = m_states.find(key);
    return found == m_states.end() ? none : found->second;
}

int LimitModel::used(int constraint, const QByteArray &key) const
{
    const State &of = state({constraint, key});
    return std::accumulate(of.running.begin(), of.running.end(), 0, [](int sum, const auto &job) { return sum + job.second; });
}

int LimitModel::wouldHold(int constraint, const QByteArray &key) const
{
    return state({constraint, key}).would;
}

void LimitModel::waits(const QList<CarriedBucket> &carried, int n, qint64 now_ms)
{
    for (const CarriedBucket &bucket : carried) {
        State &of = m_states[{bucket.constraint, bucket.key}];
        if (n > 0 && of.waiting == 0) // its state is kept for a while
            of.turn = of.lastStart_ms + qint64(limits::bucket_margin_s * 1000) >= now_ms ? std::max(of.turn, m_latestTurn) : m_latestTurn;
        of.waiting += n;
    }
}

std::optional<qint64> LimitModel::turn(const QList<CarriedBucket> &carried) const
{
    for (const CarriedBucket &bucket : carried) {
        const auto limit = m_limits.find(bucket.constraint);
        if (limit != m_limits.end() && limit->second.kind == ModelLimit::Fair && limit->second.mode == "enforce")
            return state({bucket.constraint, bucket.key}).turn;
    }
    return {};
}

void LimitModel::setTurns(const std::function<qint64(int, const QByteArray &)> &turnOf, qint64 latest)
{
    for (auto &[key, of] : m_states) {
        const auto limit = m_limits.find(key.first);
        if (limit != m_limits.end() && limit->second.kind == ModelLimit::Fair)
            of.turn = turnOf(key.first, key.second);
    }
    m_latestTurn = latest;
}

bool LimitModel::shareAdmits(const Key &key, const ModelLimit &limit, int cost, Backlog backlog) const
{
    const auto share = [&limit](const QByteArray &of) {
        const auto own = limit.shares.find(of);
        return own == limit.shares.end() ? limit.otherwise : own->second;
    };
    const auto least = [&](const ModelShare &of) {
        return of.min >= 0 ? of.min : of.percent >= 0 ? limit.capacity * of.percent / 100 : 0;
    };
    const ModelShare own = share(key.second);
    const int mine = used(key.first, key.second);
    std::optional<int> most;
    if (own.max >= 0)
        most = own.max;
    else if (!limit.borrow && (own.percent >= 0 || own.min >= 0))
        most = own.percent >= 0 ? limit.capacity * own.percent / 100 : own.min;
    if (most && (*most <= 0 || (mine > 0 && mine + cost > *most)))
        return false;
    int all = 0, lacking = 0;
    for (const auto &[other, of] : m_states) {
        if (other.first != key.first)
            continue;
        const int its = used(other.first, other.second);
        all += its;
        if (other.second != key.second && of.waiting > 0)
            lacking += std::max(0, least(share(other.second)) - its);
    }
    if (all + cost > limit.capacity)
        return all == 0;
    if (!limit.borrow || mine + cost <= least(own) || backlog == Backlog::Unknown)
        return true;
    return all + cost + lacking <= limit.capacity;
}

// What a bucket knows of its starts, oldest first. Of gcra and fixed these are two sums, at the time of the last start in each.
std::vector<LimitModel::Start> LimitModel::logOf(const State &state)
{
    if (state.counted == ModelLimit::Sliding)
        return state.starts;
    std::vector<Start> log;
    if (state.earlierUsed > 0)
        log.push_back({state.earlierAt_ms, 0, state.earlierUsed, {}});
    if (state.windowUsed > 0)
        log.push_back({qint64(state.latest_ms), 0, state.windowUsed, {}});
    return log;
}

double LimitModel::paidBy(const std::vector<Start> &log, double step)
{
    double paid = 0;
    for (const Start &start : log)
        paid = std::max(paid, double(start.at_ms)) + start.cost * step;
    return paid;
}

// After an edit of the step: the whole burst or the old debt by a shorter step; else what lets at most limit + burst start in any period.
double LimitModel::paidAt(const State &of, const ModelLimit &limit, const ModelLimit::Numbers &numbers, double step)
{
    if (of.step_ms == 0 || of.step_ms == step)
        return of.tat_ms;
    if (step < of.step_ms)
        return std::min(of.tat_ms, of.latest_ms + std::max(double(numbers.burst), (of.tat_ms - of.latest_ms) / of.step_ms) * step);
    const double closest = of.tat_ms - of.step_ms + (1 - of.step_ms / step) * (double(limit.period_ms) + (numbers.burst - 1) * step);
    return std::max(of.tat_ms, std::min(closest, paidBy(logOf(of), step) - step));
}

// The state as it would be if this limit's algorithm had counted the starts.
LimitModel::State LimitModel::carriedOver(State state, const ModelLimit &limit, const ModelLimit::Numbers &numbers, qint64 now_ms)
{
    if (!state.counted || state.counted == limit.algorithm)
        return state;
    const std::vector<Start> log = logOf(state);
    state.counted = limit.algorithm;
    state.starts = log;
    if (limit.algorithm == ModelLimit::Sliding)
        return state;
    const qint64 aligned_ms = now_ms / limit.period_ms * limit.period_ms;
    const qint64 from_ms = limit.algorithm == ModelLimit::Gcra ? aligned_ms : fixedWindow(limit, now_ms).value_or(now_ms);
    state.windowStart_ms = from_ms;
    state.windowUsed = state.earlierUsed = 0;
    state.latest_ms = state.tat_ms = 0;
    state.starts.clear();
    state.step_ms = double(limit.period_ms) / numbers.limit;
    state.stepSince_ms = now_ms;
    for (const Start &start : log) {
        if (start.at_ms >= from_ms) {
            state.windowUsed += start.cost;
            state.starts.push_back({start.at_ms, from_ms, start.cost, {}});
        } else if (start.at_ms > now_ms - limit.period_ms) {
            state.earlierUsed += start.cost;
            state.earlierAt_ms = start.at_ms;
        }
        state.latest_ms = double(start.at_ms);
    }
    state.tat_ms = paidBy(log, state.step_ms);
    return state;
}

void LimitModel::noteStart(State &state, const ModelLimit &limit, int cost, qint64 window_ms, qint64 now_ms)
{
    if (state.windowStart_ms < window_ms) {
        if (state.windowUsed > 0) {
            state.earlierUsed = state.windowUsed + (state.earlierAt_ms > now_ms - limit.period_ms ? state.earlierUsed : 0);
            state.earlierAt_ms = qint64(state.latest_ms);
        }
        state.windowStart_ms = window_ms;
        state.windowUsed = 0;
    }
    state.windowUsed += cost;
    state.latest_ms = double(now_ms);
}

bool LimitModel::rateAdmits(
    const State &known, const ModelLimit &limit, const ModelLimit::Numbers &numbers, int cost, qint64 now_ms) const
{
    if (numbers.limit <= 0)
        return false;
    const State of = carriedOver(known, limit, numbers, now_ms);
    int used = 0;
    switch (limit.algorithm) {
    case ModelLimit::Gcra: {
        const double step = double(limit.period_ms) / numbers.limit;
        return paidAt(of, limit, numbers, step) - std::max(0, numbers.burst - cost) * step <= double(now_ms) + 0.01;
    }
    case ModelLimit::Sliding:
        for (const Start &start : of.starts)
            used += start.at_ms > now_ms - limit.period_ms ? start.cost : 0;
        break;
    case ModelLimit::Fixed: {
        const auto window = fixedWindow(limit, now_ms);
        if (!window)
            return false;
        for (const Start &start : of.starts) {
            if (start.window_ms > now_ms)
                return false; // the clock went back
            used += start.window_ms >= *window ? start.cost : 0;
        }
        break;
    }
    }
    return used == 0 || used + cost <= numbers.limit;
}

bool LimitModel::passes(const CarriedBucket &bucket, qint64 now_ms, Backlog backlog) const
{
    const auto found = m_limits.find(bucket.constraint);
    if (found == m_limits.end())
        return true;
    const ModelLimit &limit = found->second;
    const ModelLimit::Numbers &numbers = limit.of(bucket.key);
    const State &of = state({bucket.constraint, bucket.key});
    switch (limit.kind) {
    case ModelLimit::Concurrency: {
        const int mine = used(bucket.constraint, bucket.key);
        return numbers.limit > 0 && (mine == 0 || mine + bucket.cost <= numbers.limit);
    }
    case ModelLimit::Rate: return rateAdmits(of, limit, numbers, bucket.cost, now_ms);
    case ModelLimit::Pause: return limit.until_ms >= 0 && limit.until_ms <= now_ms;
    case ModelLimit::Window: return windowOpen(limit, now_ms);
    case ModelLimit::Cooldown: return of.cooldown_ms <= now_ms;
    case ModelLimit::Share: return shareAdmits({bucket.constraint, bucket.key}, limit, bucket.cost, backlog);
    case ModelLimit::Breaker:
        if (of.breaker == State::Closed)
            return true;
        if (of.breaker == State::Open)
            return of.openUntil_ms <= now_ms && numbers.probes > 0;
        return of.probesGood >= numbers.probes || int(of.probes.size()) + of.probesGood < numbers.probes;
    case ModelLimit::Fair: return true;
    }
    return true;
}

bool LimitModel::admits(const CarriedBucket &bucket, qint64 now_ms, Backlog backlog) const
{
    const auto found = m_limits.find(bucket.constraint);
    if (found == m_limits.end() || found->second.mode != "enforce")
        return true;
    const bool ofRunning = found->second.kind == ModelLimit::Concurrency || found->second.kind == ModelLimit::Share;
    return !(m_charging && ofRunning) && passes(bucket, now_ms, backlog);
}

bool LimitModel::admits(const QList<CarriedBucket> &carried, qint64 now_ms, Backlog backlog) const
{
    return std::all_of(carried.begin(), carried.end(), [&](const CarriedBucket &bucket) { return admits(bucket, now_ms, backlog); });
}

void LimitModel::chargeRate(State &of, const ModelLimit &limit, const ModelLimit::Numbers &numbers, const Start &start)
{
    if (numbers.limit <= 0) {
        m_uncounted[start.job] = m_carried[start.job];
        return;
    }
    of = carriedOver(of, limit, numbers, start.at_ms);
    of.counted = limit.algorithm;
    if (limit.algorithm == ModelLimit::Gcra) {
        const double step = double(limit.period_ms) / numbers.limit;
        const double paid = paidAt(of, limit, numbers, step);
        if (step != of.step_ms) {
            of.stepSince_ms = of.step_ms > 0 ? start.at_ms : 0;
            of.step_ms = step;
        }
        noteStart(of, limit, start.cost, start.at_ms / limit.period_ms * limit.period_ms, start.at_ms);
        of.tat_ms = std::max(paid, double(start.at_ms)) + start.cost * step;
        return;
    }
    Start charged = start;
    std::erase_if(of.starts, [&](const Start &old) {
        return limit.algorithm == ModelLimit::Sliding && old.at_ms <= start.at_ms - limit.period_ms;
    });
    charged.window_ms = fixedWindow(limit, start.at_ms).value_or(start.at_ms);
    for (const Start &old : of.starts)
        charged.window_ms = std::max(charged.window_ms, old.window_ms);
    of.starts.push_back(charged);
    if (limit.algorithm == ModelLimit::Fixed)
        noteStart(of, limit, start.cost, fixedWindow(limit, start.at_ms).value_or(start.at_ms), start.at_ms);
}

void LimitModel::refundRate(State &of, const ModelLimit &limit, const ModelLimit::Numbers &numbers, int cost, const QByteArray &job,
    qint64 startedAt_ms)
{
    if (numbers.limit <= 0 || of.counted != limit.algorithm) // no start yet under this algorithm
        return;
    if (limit.algorithm == ModelLimit::Gcra) {
        const double step = double(limit.period_ms) / numbers.limit;
        if (step == of.step_ms && startedAt_ms > of.stepSince_ms) {
            of.tat_ms -= cost * step;
            if (startedAt_ms >= of.windowStart_ms)
                of.windowUsed -= cost;
        }
        return;
    }
    const bool fixed = limit.algorithm == ModelLimit::Fixed;
    if (fixed && startedAt_ms < of.windowStart_ms)
        return;
    if (fixed)
        of.windowUsed -= cost;
    // The newest start of the job is the one that is undone.
    for (size_t i = of.starts.size(); i-- > 0;) {
        if (of.starts[i].job == job && (!fixed || of.starts[i].at_ms >= of.windowStart_ms)) {
            of.starts.erase(of.starts.begin() + qptrdiff(i));
            return;
        }
    }
    for (Start &carried : of.starts) { // a sum that another algorithm counted
        if (fixed && carried.job.isEmpty() && carried.at_ms >= of.windowStart_ms && carried.cost >= cost) {
            carried.cost -= cost;
            return;
        }
    }
}

void LimitModel::started(const QByteArray &job, const QList<CarriedBucket> &carried, qint64 now_ms)
{
    for (const CarriedBucket &bucket : carried) {
        const auto found = m_limits.find(bucket.constraint);
        if (found != m_limits.end() && found->second.mode == "observe" && !passes(bucket, now_ms))
            ++m_states[{bucket.constraint, bucket.key}].would;
    }
    m_carried[job] = carried;
    m_startedAt_ms[job] = now_ms;
    for (const CarriedBucket &bucket : carried) {
        State &of = m_states[{bucket.constraint, bucket.key}];
        of.running[job] = bucket.cost;
        const auto found = m_limits.find(bucket.constraint);
        if (found == m_limits.end())
            continue;
        const ModelLimit &limit = found->second;
        const ModelLimit::Numbers &numbers = limit.of(bucket.key);
        if (limit.kind == ModelLimit::Rate)
            chargeRate(of, limit, numbers, {now_ms, 0, bucket.cost, job});
        if (limit.kind == ModelLimit::Fair) {
            m_latestTurn = std::max(m_latestTurn, of.turn);
            of.turn += 10'080 / bucket.cost;
            of.lastStart_ms = now_ms;
        }
        if (limit.kind != ModelLimit::Breaker)
            continue;
        if (of.breaker == State::Open && of.openUntil_ms <= now_ms) {
            of.breaker = State::HalfOpen;
            of.probesGood = 0;
        }
        if (of.breaker == State::HalfOpen && of.probesGood >= numbers.probes) {
            of.breaker = State::Closed; // more probes have succeeded than are needed now
            of.openings = 0;
        } else if (of.breaker == State::HalfOpen) {
            of.probes[job] = true;
        }
    }
}

void LimitModel::breakerOpens(State &of, const ModelLimit &limit, qint64 long_ms, qint64 now_ms)
{
    const double own_ms = double(limit.openFor_ms) * std::pow(limit.factor, of.openings);
    of.openUntil_ms = now_ms + (long_ms >= 0 ? long_ms : qint64(std::floor(std::min(own_ms, double(limit.openMost_ms)))));
    ++of.openings;
    of.breaker = State::Open;
    of.samples.clear();
    of.probes.clear();
}

void LimitModel::breakerCloses(State &of)
{
    of.breaker = State::Closed;
    of.openings = 0;
    of.samples.clear();
    of.probes.clear();
}

void LimitModel::trip(int constraint, const QByteArray &key, qint64 long_ms, qint64 now_ms)
{
    State &of = m_states[{constraint, key}];
    if (of.breaker == State::Open && of.openUntil_ms > now_ms)
        --of.openings; // it counts as the same opening, which begins again
    breakerOpens(of, m_limits.at(constraint), long_ms, now_ms);
}

void LimitModel::reset(int constraint, const QByteArray &key)
{
    breakerCloses(m_states[{constraint, key}]);
}

void LimitModel::breakerHears(
    State &of, const ModelLimit &limit, const ModelLimit::Numbers &numbers, const QByteArray &job, End how, qint64 now_ms)
{
    const bool probe = of.breaker == State::HalfOpen && of.probes.erase(job) > 0;
    const bool bad = how == End::Failure || how == End::Expiry;
    if (!bad && how != End::Success)
        return;
    if (probe && bad) {
        breakerOpens(of, limit, -1, now_ms);
    } else if (probe) {
        if (++of.probesGood >= numbers.probes)
            breakerCloses(of);
    } else if (of.breaker == State::Closed) {
        const auto newest = [&](bool which) { // after the clock went back the newest slot is used on
            qint64 slot = slotOf(limit, now_ms);
            for (const auto &[at, wasBad] : of.samples)
                slot = wasBad == which ? std::max(slot, at) : slot;
            return slot;
        };
        of.samples.emplace_back(newest(bad), bad);
        int good = 0, failed = 0;
        for (const auto &[at, wasBad] : of.samples) {
            if (at > newest(wasBad) - 60)
                ++(wasBad ? failed : good);
        }
        if (good + failed >= limit.samples && failed >= limit.failureRate * (good + failed))
            breakerOpens(of, limit, -1, now_ms);
    }
}

void LimitModel::ended(const QByteArray &job, End how, qint64 retryAfter_ms, qint64 now_ms)
{
    const QList<CarriedBucket> carried = m_carried[job];
    const qint64 startedAt_ms = m_startedAt_ms[job];
    m_carried.erase(job);
    m_startedAt_ms.erase(job);
    const QList<CarriedBucket> uncounted = std::move(m_uncounted[job]);
    m_uncounted.erase(job);
    for (const CarriedBucket &bucket : carried) {
        State &of = m_states[{bucket.constraint, bucket.key}];
        of.running.erase(job);
        const auto found = m_limits.find(bucket.constraint);
        if (found == m_limits.end())
            continue;
        const ModelLimit &limit = found->second;
        const ModelLimit::Numbers &numbers = limit.of(bucket.key);
        if (limit.kind == ModelLimit::Rate && how == End::Untouched && !uncounted.contains(bucket))
            refundRate(of, limit, numbers, bucket.cost, job, startedAt_ms);
        if (limit.kind == ModelLimit::Cooldown && how == End::Failure && retryAfter_ms > 0)
            of.cooldown_ms = std::max(of.cooldown_ms, now_ms + std::min(retryAfter_ms, numbers.cooldown_ms));
        if (limit.kind == ModelLimit::Breaker)
            breakerHears(of, limit, numbers, job, how, now_ms);
    }
}

void LimitModel::recharged(const QByteArray &job, const QList<CarriedBucket> &carried, Counted counted)
{
    for (const CarriedBucket &bucket : carried) {
        if (counted == Counted::Forgotten || !m_carried[job].contains(bucket))
            m_uncounted[job].append(bucket);
    }
    for (const CarriedBucket &old : std::as_const(m_carried[job])) {
        if (carried.contains(old))
            continue;
        State &of = m_states[{old.constraint, old.key}];
        of.running.erase(job);
        of.probes.erase(job);
    }
    for (const CarriedBucket &bucket : carried)
        m_states[{bucket.constraint, bucket.key}].running[job] = bucket.cost;
    m_carried[job] = carried;
}

QByteArray LimitModel::shown(const QList<CarriedBucket> &carried, qint64 now_ms) const
{
    QByteArray text;
    for (const CarriedBucket &bucket : carried) {
        text += "; " + QByteArray::number(bucket.constraint) + '.' + bucket.key + " cost " + QByteArray::number(bucket.cost);
        const auto limit = m_limits.find(bucket.constraint);
        if (limit != m_limits.end()) {
            text += " of " + limit->second.shown() + " running " + QByteArray::number(used(bucket.constraint, bucket.key))
                + (admits(bucket, now_ms) ? " open" : " closed");
            if (limit->second.kind == ModelLimit::Rate) {
                text += " limit here " + QByteArray::number(limit->second.of(bucket.key).limit);
            }
            if (limit->second.kind == ModelLimit::Breaker) {
                const State &of = state({bucket.constraint, bucket.key});
                for (const qsizetype part : {qsizetype(of.breaker), qsizetype(of.samples.size()), qsizetype(limit->second.samples),
                         qsizetype(of.probes.size()), qsizetype(of.probesGood), qsizetype(limit->second.of(bucket.key).probes)})
                    text += ' ' + QByteArray::number(part);
            }
        }
    }
    return text;
}

} // namespace junban::test
