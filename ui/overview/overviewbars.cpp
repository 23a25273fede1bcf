#include "ui/overview/overviewbars.h"

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/limits/constrainttexts.h"

#include <algorithm>
#include <limits>
#include <variant>

namespace junban::ui {

namespace {

// The largest first, each as a part of the largest.
QList<Bar> ranked(QList<Bar> bars)
{
    std::stable_sort(bars.begin(), bars.end(), [](const Bar &a, const Bar &b) { return a.part > b.part; });
    const double most = bars.isEmpty() ? 1 : std::max(1.0, bars.first().part);
    for (Bar &bar : bars)
        bar.part /= most;
    return bars;
}

// Ready jobs that no limit holds, that were read since the last change, and whose names workers ask for. How many are two or three of these
// at once, such as not read and not asked for, is not known: none, unless more are counted than there are.
qint64 unhindered(const Overview &overview)
{
    const qint64 ready = overview.count(JobState::Ready);
    const qint64 held = overview.held.jobs, unasked = overview.unasked.jobs, unread = overview.held.reading;
    const qint64 all = held + unasked + unread;
    return ready - (all <= ready ? all : std::max({held, unasked, unread}));
}

} // namespace

Bar OverviewBars::waiting(const QString &text, qint64 jobs, const std::function<void()> &open) const
{
    return {.text = text, .value = m_format.count(jobs), .part = double(jobs), .open = open};
}

QList<Bar> OverviewBars::reasons(const Overview &overview) const
{
    QList<Bar> bars;
    for (const HeldBy &by : overview.held.by) {
        const QString title = shown(by.title.isEmpty() ? by.matcher : by.title);
        bars.append(waiting(tr("%1: %2", "a kind of limit, a JobMatcher").arg(kindName(by.kind), title), by.jobs,
                            [open = m_places.constraint, by] { open(by.matcher, by.constraint); }));
    }
    // In one line, or many names would leave no room for the other reasons.
    if (const QList<UnaskedName> &names = overview.unasked.names; !names.isEmpty()) {
        const QString first = tr("No worker asks for %1", "a name").arg(shown(names.first().name));
        const QString all = names.size() == 1 ? first : tr("%1 and %Ln more name(s)", nullptr, int(names.size() - 1)).arg(first);
        QList<QByteArray> words;
        for (const UnaskedName &name : names)
            words.append(name.name);
        bars.append(waiting(all, overview.unasked.jobs, [open = m_places.unasked, words] { open(words); }));
        bars.last().tone = Bar::Tone::Alarm;
    }
    const std::tuple<JobState, qint64, QString> others[] = {
        {JobState::Scheduled, overview.count(JobState::Scheduled), tr("Scheduled for later (delays, retries)")},
        {JobState::Depends, overview.count(JobState::Depends), tr("Waiting for other jobs")},
        {JobState::Awaiting, overview.count(JobState::Awaiting), tr("Waiting for a message")},
        {JobState::Ready, overview.held.reading, tr("Not yet read since the last change of a JobMatcher")},
        {JobState::Ready, unhindered(overview), tr("Waiting for a free worker")}};
    for (const auto &[state, jobs, text] : others) {
        if (jobs > 0)
            bars.append(waiting(text, jobs, [open = m_places.state, state = state] { open(state); }));
    }
    if (!overview.held.complete && unhindered(overview) > 0) // some of these are held, too
        bars.last().value = tr("%1 or fewer", "a number").arg(bars.last().value);
    return ranked(bars);
}

// The first ones start first, so jobs of the last ones wait longest. When there are more than there is room for, those with the oldest jobs
// are shown.
QList<Bar> OverviewBars::oldest(const Overview &overview, qint64 old_ms) const
{
    QList<PriorityNow> shownOnes = overview.priorities;
    const auto older = [](const PriorityNow &a, const PriorityNow &b) { return a.oldestAt_ms < b.oldestAt_ms; };
    while (shownOnes.size() > bars_max)
        shownOnes.erase(std::max_element(shownOnes.begin(), shownOnes.end(), older));
    qint64 most_ms = 1;
    for (const PriorityNow &each : std::as_const(shownOnes))
        most_ms = std::max(most_ms, overview.now_ms - each.oldestAt_ms);
    QList<Bar> bars;
    for (const PriorityNow &each : std::as_const(shownOnes)) {
        const qint64 age_ms = std::max<qint64>(0, overview.now_ms - each.oldestAt_ms);
        bars.append({.text = tr("Priority %1: %Ln ready job(s)", nullptr, int(std::min<qint64>(each.jobs, std::numeric_limits<int>::max())))
                                 .arg(each.priority),
                     .value = m_format.age(age_ms), .part = double(age_ms) / double(most_ms),
                     .tone = age_ms > old_ms ? Bar::Tone::Alarm : Bar::Tone::Plain,
                     .open = [open = m_places.priority, priority = each.priority] { open(priority); }});
    }
    return bars;
}

Bar OverviewBars::limit(const client::LiveConstraint &live, const HeldBy *holds) const
{
    Bar bar;
    bar.text = shown(live.matcherTitle.isEmpty() ? live.matcher : live.matcherTitle);
    const QString jobs = m_format.count(holds ? holds->jobs : live.waiting);
    if (const std::optional<qint64> capacity = capacityOf(live)) {
        bar.part = *capacity > 0 ? double(takenOf(live)) / double(*capacity) : 1;
        bar.value = tr("%1 of %2", "used, a limit").arg(m_format.count(takenOf(live)), m_format.count(*capacity));
        if (const auto *rate = std::get_if<RateParameters>(&live.constraint.parameters))
            bar.value = tr("%1 in %2", "used of a limit, a period").arg(bar.value, m_format.span(qint64(rate->period_s * 1000)));
        if (live.waiting > 0 && live.constraint.kind() != ConstraintKind::Backlog)
            bar.value = tr("%1 · %2 waiting", "a use of a limit, jobs").arg(bar.value, jobs);
    } else {
        bar.part = live.buckets > 0 ? double(live.closed) / double(live.buckets) : 0;
        // Neither "open" nor "closed": a breaker's mean the opposite of a limit's.
        const bool breaker = live.constraint.kind() == ConstraintKind::Breaker;
        bar.value = live.closed > 0  ? (breaker ? tr("tripped · %1 waiting") : tr("full · %1 waiting")).arg(jobs)
            : holds                  ? tr("holds %1", "a limit, jobs").arg(jobs)
            : live.waiting > 0       ? tr("not full · %1 waiting").arg(jobs) : tr("not full", "a limit");
    }
    if (const std::optional<qint64> clears = clearsIn_ms(live))
        bar.value = tr("%1 · about %2", "a use of a limit, a duration").arg(bar.value, m_format.estimate(*clears));
    bar.tone = bar.part >= 1 ? Bar::Tone::Alarm : Bar::Tone::Plain;
    bar.open = [open = m_places.constraint, matcher = live.matcher, id = live.constraint.id] { open(matcher, id); };
    return bar;
}

QList<Bar> OverviewBars::limits(const QList<client::LiveConstraint> &constraints, const HeldNow &held) const
{
    struct Tightest {
        QByteArray matcher;
        qint64 holds = 0;
        Bar bar;
    };
    QList<Tightest> tightest;
    for (const client::LiveConstraint &live : constraints) {
        if (!live.enabled || live.constraint.mode != ConstraintMode::Enforce || (live.used == 0 && live.waiting == 0))
            continue;
        const auto isIt = [&](const HeldBy &by) { return by.constraint == live.constraint.id; };
        const auto by = std::find_if(held.by.begin(), held.by.end(), isIt);
        const HeldBy *holds = by == held.by.end() ? nullptr : &*by;
        const Tightest one{live.matcher, holds ? holds->jobs : 0, limit(live, holds)};
        const auto isOfIt = [&](const Tightest &each) { return each.matcher == one.matcher; };
        const auto other = std::find_if(tightest.begin(), tightest.end(), isOfIt);
        if (other == tightest.end())
            tightest.append(one);
        else if (std::pair(one.holds, one.bar.part) > std::pair(other->holds, other->bar.part))
            *other = one;
    }
    QList<Bar> bars;
    for (const Tightest &each : std::as_const(tightest))
        bars.append(each.bar);
    std::stable_sort(bars.begin(), bars.end(), [](const Bar &a, const Bar &b) { return a.part > b.part; });
    return bars;
}

QList<Bar> OverviewBars::causes(const QList<FailureGroup> &groups) const
{
    QList<Bar> bars;
    for (const FailureGroup &group : groups) {
        if (group.lastHour == 0)
            continue;
        const QString title = group.title.isEmpty() ? tr("(no message)") : Look::message(group.title);
        bars.append({.text = tr("%1: %2", "a name, a cause").arg(shown(group.name), title), .value = m_format.count(group.lastHour),
                     .part = double(group.lastHour),
                     .open = [open = m_places.cause, signature = group.signature] { open(signature); }});
    }
    return ranked(bars);
}

QList<Bar> OverviewBars::workers(const WorkerPage &page, qint64 now_ms) const
{
    QList<Bar> bars;
    const std::pair<WorkerState, QString> states[] = {
        {WorkerState::Up, tr("online")}, {WorkerState::Draining, tr("draining")}, {WorkerState::Late, tr("late")},
        {WorkerState::Unreachable, tr("unreachable")},
        {WorkerState::Lost, tr("lost")}};
    for (const auto &[state, word] : states) {
        qint64 count = 0;
        const Worker *last = nullptr; // that was heard of
        for (const Worker &worker : page.workers) {
            if (worker.state != state)
                continue;
            ++count;
            if (!last || worker.lastContact_ms > last->lastContact_ms)
                last = &worker;
        }
        if (count == 0)
            continue;
        const bool lost = state == WorkerState::Lost || state == WorkerState::Late || state == WorkerState::Unreachable;
        const QString age = m_format.age(std::max<qint64>(0, now_ms - last->lastContact_ms));
        const QString number = m_format.count(count);
        const QString text = tr("%1 for %2: %3", "a state, a duration, a worker").arg(word, age, shown(last->worker));
        bars.append({.text = lost ? text : word,
                     .value = page.next.isEmpty() ? number : tr("%1 or more", "a number").arg(number),
                     .part = double(count) / double(page.workers.size()), .tone = lost ? Bar::Tone::Alarm : Bar::Tone::Plain,
                     .open = [open = m_places.worker, id = lost ? last->worker : QByteArray()] { open(id); }});
    }
    return bars;
}

} // namespace junban::ui
