#pragma once

#include "client/apiclient.h"
#include "ui/base/format.h"
#include "ui/overview/barpanel.h"

namespace junban::ui {

// Where the bars of the overview lead.
struct OverviewPlaces {
    std::function<void(JobState state)> state;
    std::function<void(const QList<QByteArray> &names)> unasked;
    std::function<void(int priority)> priority;
    std::function<void(const QByteArray &matcher, const QByteArray &constraint)> constraint;
    std::function<void(const QByteArray &signature)> cause;
    std::function<void(const QByteArray &worker)> worker; // empty: all of them
};

// The bars of the overview's panels, those that matter most first.
class OverviewBars
{
    Q_DECLARE_TR_FUNCTIONS(OverviewBars)

public:
    OverviewBars(Format format, OverviewPlaces places) : m_format(std::move(format)), m_places(std::move(places)) {}

    // Why jobs wait: each constraint that holds some, and what else they wait for.
    QList<Bar> reasons(const Overview &overview) const;
    // How old the oldest ready job of each priority is; one that is older than `old_ms` stands out.
    QList<Bar> oldest(const Overview &overview, qint64 old_ms) const;
    // How much of a limit in force is used, and how many jobs it holds: as many as the other figures of the overview say. One of each
    // JobMatcher: the limit that holds the most jobs, else the one that is used the most.
    QList<Bar> limits(const QList<client::LiveConstraint> &constraints, const HeldNow &held) const;
    // The groups with most failures in the last hour.
    QList<Bar> causes(const QList<FailureGroup> &groups) const;
    // How many workers are up, draining and lost, and when the last one was lost.
    QList<Bar> workers(const WorkerPage &page, qint64 now_ms) const;

    static constexpr qsizetype bars_max = BarPanel::bars_max;

private:
    Bar waiting(const QString &text, qint64 jobs, const std::function<void()> &open) const;
    Bar limit(const client::LiveConstraint &live, const HeldBy *holds) const;

    Format m_format;
    OverviewPlaces m_places;
};

} // namespace junban::ui
