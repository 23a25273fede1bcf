#pragma once

#include <QByteArray>
#include <QList>
#include <utility>

namespace junban::ui {

// Rows that the master sends in pages. New rows replace the old ones only when all wanted pages have been read, so that a list does not
// shrink while it is read again.
template<typename Row>
class PagedRows
{
public:
    const QList<Row> &rows() const { return m_rows; }
    // Whether the master has more rows than were wanted.
    bool more() const { return !m_next.isEmpty(); }
    void wantMore() { ++m_wanted; }

    // Begins to read again.
    void begin()
    {
        m_coming.clear();
        m_read = 0;
    }
    // Takes a page. Returns where the next page begins, or an empty value when this was the last wanted page.
    QByteArray take(const QList<Row> &page, const QByteArray &next)
    {
        m_coming += page;
        if (!next.isEmpty() && ++m_read < m_wanted)
            return next;
        m_rows = std::exchange(m_coming, {});
        m_next = next;
        return {};
    }

private:
    QList<Row> m_rows;
    QList<Row> m_coming;
    QByteArray m_next;
    int m_wanted = 1;
    int m_read = 0;
};

} // namespace junban::ui
