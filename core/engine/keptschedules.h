#pragma once

#include "core/engine/spread.h"
#include "core/jobs/schedule.h"

#include <map>
#include <set>

namespace junban::engine {

// A recurring job as the engine keeps it.
struct KeptSchedule {
    Schedule shown;              // with its runs and its job, but without what is read elsewhere: lastJobState, nextRuns
    // Not in Redis:
    bool specChanged = false;    // this call has to write what operators say of it …
    bool changed = false;        // … or what firings change
    bool stored = false;         // Redis has it
};

// All schedules, by id. Redis has them in up to 256 hashes, two fields for each: "d<id>" what operators say of it, and "s<id>" the rest,
// which each firing changes.
class KeptSchedules
{
public:
    KeptSchedules() = default;
    KeptSchedules(const KeptSchedules &) = delete;
    KeptSchedules &operator=(const KeptSchedules &) = delete;

    KeptSchedule *find(const QByteArray &id);
    const KeptSchedule *find(const QByteArray &id) const { return const_cast<KeptSchedules *>(this)->find(id); }
    KeptSchedule &add(const QByteArray &id);
    void remove(const QByteArray &id, Writes &writes);
    const std::map<QByteArray, KeptSchedule> &all() const { return m_schedules; }
    // (when it is due, id) of those that will fire.
    const std::set<std::pair<qint64, QByteArray>> &byDue() const { return m_byDue; }
    // 0: never again, or it is paused.
    void setNext(KeptSchedule &schedule, qint64 next_ms);

    void specChanged(KeptSchedule &schedule);
    void changed(KeptSchedule &schedule);
    void writeChanges(Writes &writes);

    // For loads: a field of one of the keys that have schedules. False: it cannot be read.
    bool load(const QByteArray &key, const QByteArray &field, QByteArrayView packed);
    // After all fields of a key: the field of one whose other field is missing; empty: there is none.
    QByteArray halfLoaded() const;
    const Spread &keys() const { return m_keys; }

    // Whether two have the same schedules, with the same index.
    friend bool operator==(const KeptSchedules &a, const KeptSchedules &b);

private:
    std::map<QByteArray, KeptSchedule> m_schedules;
    std::set<std::pair<qint64, QByteArray>> m_byDue;
    Spread m_keys{"sched:", KeyKind::Schedules};
    QList<KeptSchedule *> m_changed;
    std::map<QByteArray, QByteArray> m_half; // id → the field that was loaded of it
};

} // namespace junban::engine
