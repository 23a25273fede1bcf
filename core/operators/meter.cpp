#include "core/operators/meter.h"

#include <QTimer>
#include <algorithm>
#include <utility>

namespace junban {

namespace {

bool hasMore(const NameRow &a, const NameRow &b)
{
    return a.totals.enqueued != b.totals.enqueued ? a.totals.enqueued > b.totals.enqueued : a.name < b.name;
}

void add(NameRow &sum, const NameRow &row)
{
    sum.ready += row.ready;
    sum.totals.enqueued += row.totals.enqueued;
    sum.totals.succeeded += row.totals.succeeded;
    sum.totals.failed += row.totals.failed;
    sum.totals.failures += row.totals.failures;
}

} // namespace

Meter::Meter(Inspector &inspector, Situation &situation, PastStore &past)
    : m_inspector(inspector)
    , m_situation(situation)
    , m_past(past)
{
}

void Meter::read(Callback<Figures> callback)
{
    m_waiting.append(std::move(callback));
    if (m_waiting.size() > 1)
        return;
    m_figures = {};
    if (m_journal)
        m_figures.journal = m_journal();
    if (m_figures.journal && m_figures.journal->leadsSince_ms == 0) {
        QTimer::singleShot(0, [this, alive = std::weak_ptr(m_life)] {
            if (!alive.expired())
                answer(m_figures);
        });
        return;
    }
    m_read = 0;
    m_situation.overview([this, alive = std::weak_ptr(m_life)](Result<Overview> overview) {
        if (alive.expired())
            return;
        if (!overview.ok()) {
            answer(overview.error());
            return;
        }
        m_figures.overview = std::move(*overview);
        readTimes();
    });
}

void Meter::readTimes()
{
    m_past.measured([this, alive = std::weak_ptr(m_life)](const Result<WholeDistributions> &times) {
        if (alive.expired())
            return;
        if (!times.ok()) {
            answer(times.error());
            return;
        }
        m_figures.times = *times;
        readNames({});
    });
}

void Meter::readNames(const QByteArray &after)
{
    m_inspector.names(limits::names_page_max, after, [this, alive = std::weak_ptr(m_life)](const Result<NamePage> &page) {
        if (alive.expired())
            return;
        if (!page.ok()) {
            answer(page.error());
            return;
        }
        take(*page);
        if (page->next.isEmpty() || m_read >= limits::metrics_names_read_max)
            answer(std::exchange(m_figures, {}));
        else
            readNames(page->next);
    });
}

// Keeps the names with the most jobs in order, and adds up those that fall out.
void Meter::take(const NamePage &page)
{
    m_read += page.names.size();
    QList<NameRow> &names = m_figures.names;
    names += page.names;
    std::sort(names.begin(), names.end(), hasMore);
    while (names.size() > limits::metrics_names_max)
        add(m_figures.others, names.takeLast());
}

void Meter::answer(const Result<Figures> &figures)
{
    for (const Callback<Figures> &callback : std::exchange(m_waiting, {}))
        callback(figures);
}

} // namespace junban
