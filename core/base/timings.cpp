#include "core/base/timings.h"

#include <algorithm>
#include <chrono>

namespace junban {

double Timings::now_s()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void Timings::add(const QByteArray &kind, double time_s)
{
    const auto bin = size_t(std::lower_bound(ends_s.begin(), ends_s.end(), time_s) - ends_s.begin());
    const std::lock_guard guard(m_lock);
    Row &row = m_rows[kind];
    ++row.bins[bin];
    row.sum_s += time_s;
}

QList<Timings::Row> Timings::rows() const
{
    const std::lock_guard guard(m_lock);
    QList<Row> rows;
    for (const auto &[kind, row] : m_rows) {
        rows.append(row);
        rows.last().kind = kind;
    }
    return rows;
}

} // namespace junban
