#pragma once

#include "app/ctl/verbs.h"
#include "core/limits.h"

#include <algorithm>
#include <cstdio>

namespace junban::app {

inline constexpr int rows_max = 100'000;     // of one list, over all pages

inline int rowsOf(Flags &flags)
{
    return flags.whole("--limit N", "Show so many at most", {1, rows_max, limits::page_rows_max}).value_or(limits::page_rows_max);
}

// A list over several of the master's pages.
template<typename Page, typename Row>
struct Paging {
    QList<Row> Page::*rows;
    int perPage_max;
    std::function<void(int limit, const QByteArray &after, Callback<Page> callback)> ask;
};

// Gets pages until there are `limit` rows or nothing follows. `take` gets all rows in one page, whose other fields are the last page's.
template<typename Page, typename Row>
void gather(const Paging<Page, Row> &paging, int limit, Callback<Page> take, QList<Row> sofar = {}, const QByteArray &after = {})
{
    const int wanted = std::min<int>(limit - int(sofar.size()), paging.perPage_max);
    paging.ask(wanted, after, [paging, limit, take, sofar](Result<Page> page) mutable {
        if (!page.ok()) {
            take(std::move(page));
            return;
        }
        sofar += (*page).*(paging.rows);
        if (!page->next.isEmpty() && sofar.size() < limit) {
            const QByteArray from = page->next;
            gather(paging, limit, std::move(take), std::move(sofar), from);
            return;
        }
        (*page).*(paging.rows) = std::move(sofar);
        take(std::move(page));
    });
}

// Shows such a list, and ends. For people it says so when more follow.
template<typename Page, typename Row, typename Say>
void showList(Session &session, const Paging<Page, Row> &paging, int limit, const TableOf<Page> &table, Say say)
{
    gather<Page, Row>(paging, limit, [&session, &table, say](const Result<Page> &page) {
        if (page.ok() && !page->next.isEmpty() && !session.json())
            std::fprintf(stderr, "junbanctl: more follow; raise --limit\n");
        session.finish(page, table, say);
    });
}

} // namespace junban::app
