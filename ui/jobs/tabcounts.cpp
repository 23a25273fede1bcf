#include "ui/jobs/tabcounts.h"

#include <utility>

namespace junban::ui {

TabCounts::TabCounts(client::ApiClient &client, QObject *parent)
    : QObject(parent)
    , m_client(client)
{
}

void TabCounts::count(const client::JobQuery &query)
{
    forget();
    m_query = query;
    m_active = true;
    ask({});
}

void TabCounts::forget()
{
    ++m_epoch;
    m_client.cancel(m_call);
    m_call = 0;
    m_active = m_againDue = false;
    m_counts.reset();
}

void TabCounts::know(const client::JobQuery &query, const JobCounts &counts)
{
    forget();
    m_query = query;
    m_active = true;
    m_counts = counts;
    Q_EMIT changed();
}

void TabCounts::beat()
{
    if (++m_beats % (isStill() ? stillBeats : beats) == 0 && !(m_counts && m_counts->coverage.scanned > most) && m_call == 0)
        again();
}

void TabCounts::again()
{
    m_againDue = m_active && m_call != 0; // a count under way has seen jobs as they were before
    if (m_active && m_call == 0)
        ask({});
}

void TabCounts::ask(const QByteArray &cursor)
{
    if (cursor.isEmpty()) {
        m_coming = {};
        m_requests = 0;
    }
    ++m_requests;
    client::JobQuery query = m_query;
    query.cursor = cursor;
    m_call = m_client.jobCounts(query, client::guarded<JobCounts>(this, [this, epoch = m_epoch](Result<JobCounts> answer) {
        if (epoch == m_epoch)
            came(answer);
    }));
}

void TabCounts::came(const Result<JobCounts> &answer)
{
    m_call = 0;
    if (!answer.ok()) {
        m_againDue = false;
        return; // the list says what is wrong
    }
    for (size_t state = 0; state < m_coming.byState.size(); ++state)
        m_coming.byState[state] += answer->byState[state];
    m_coming.coverage.scanned += answer->coverage.scanned;
    m_coming.coverage.total = answer->coverage.total;
    m_coming.coverage.complete = answer->next.isEmpty();
    const bool goesOn = !answer->next.isEmpty() && m_requests < requests_max;
    if (goesOn)
        ask(answer->next);
    if (!goesOn || !m_counts || !m_counts->coverage.complete) // the first counts grow while they are made
        m_counts = m_coming;
    if (!goesOn && std::exchange(m_againDue, false))
        ask({});
    Q_EMIT changed();
}

} // namespace junban::ui
