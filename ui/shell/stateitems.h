#pragma once

#include "core/jobs/administration.h"
#include "core/jobs/worker.h"
#include "ui/base/format.h"
#include "ui/shell/statestrip.h"

namespace junban::ui {

// What the strip's items open and do.
struct StatePlaces {
    std::function<void(const QByteArray &matcher, const QByteArray &constraint)> constraint;
    std::function<void()> held;
    std::function<void(const QList<QByteArray> &names)> unasked;
    std::function<void(const QByteArray &pause)> resume;
    std::function<void(const QByteArray &worker)> worker;
};

// What an operator must know on every screen, the most important first.
class StateItems
{
    Q_DECLARE_TR_FUNCTIONS(StateItems)

public:
    // `lost`: workers that were lost a short time ago.
    StateItems(const Overview &overview, const QList<Worker> &lost, const Format &format, const StatePlaces &places);

    const QList<StateItem> &all() const { return m_items; }

    static constexpr int pauses_max = 3; // shown each by itself
    static constexpr qint64 news_ms = 15 * 60'000; // how long it is said that Redis gave no answer
    static constexpr double memoryNear = 0.8;
    static constexpr int lost_max = 2; // workers that are named
    static constexpr int readingMany = 1'000; // fewer ready jobs are read again before one has read this

private:
    void addPauses();
    void addBreakers();
    void addBacklogs();
    void addUnreadable();
    void addHeld();
    void addReading();
    void addUnasked();
    void addLost();
    void addServer();

    const Overview &m_overview;
    const QList<Worker> &m_lost;
    const Format &m_format;
    const StatePlaces &m_places;
    QList<StateItem> m_items;
};

} // namespace junban::ui
