#pragma once

#include "core/operators/situation.h"
#include "core/store/journalnow.h"
#include "core/store/paststore.h"

#include <functional>
#include <memory>
#include <optional>

namespace junban {

// A namespace in numbers, for programs that watch it.
struct Figures {
    Overview overview;
    QList<NameRow> names;            // those with the most jobs enqueued, at most limits::metrics_names_max, the most first
    WholeDistributions times;
    std::optional<JournalNow> journal; // of an engine in memory; if it does not lead, there is nothing else
    NameRow others;                  // the sum of all other names, without a name
};

// Reads the figures, page after page of the names. Requests that come meanwhile get the same answer, so many watchers cost little more
// than one. Threads: the engine's. Callbacks that are still due when it is destroyed are dropped.
class Meter
{
public:
    // All must outlive it.
    Meter(Inspector &inspector, Situation &situation, PastStore &past);

    // Before the first read().
    void setJournal(std::function<JournalNow()> journal) { m_journal = std::move(journal); }
    void read(Callback<Figures> callback);

private:
    void readTimes();
    void readNames(const QByteArray &after);
    void take(const NamePage &page);
    void answer(const Result<Figures> &figures);

    Inspector &m_inspector;
    Situation &m_situation;
    PastStore &m_past;
    std::function<JournalNow()> m_journal; // null: there is no engine in memory
    QList<Callback<Figures>> m_waiting; // for the reading under way
    Figures m_figures;
    qint64 m_read = 0;                  // names
    std::shared_ptr<int> m_life = std::make_shared<int>();
};

} // namespace junban
