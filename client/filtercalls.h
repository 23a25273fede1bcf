#pragma once

#include "client/calls.h"
#include "core/jobs/savedfilter.h"

namespace junban::client {

// Filters that are saved by name. Not a part of ApiClient: only the menus and the palette need them.
class FilterCalls : Calls
{
public:
    using Calls::Calls;

    CallId filters(Takes<FilterList> auto callback) { return get(QStringLiteral("/v1/filters"), filterListTable, std::move(callback)); }
    // Only over this revision; 0: only if there is none. Otherwise RevisionMismatch.
    CallId save(const QByteArray &name, const FilterBody &body, qint64 revision, Takes<SavedFilter> auto callback)
    {
        return put(namedPath("/v1/filters/", name), pack(filterBodyTable, body), savedFilterTable, std::move(callback), onlyAt(revision));
    }
    CallId remove(const QByteArray &name, qint64 revision, Takes<SavedFilter> auto callback)
    {
        return Calls::remove(namedPath("/v1/filters/", name), savedFilterTable, std::move(callback), onlyAt(revision));
    }
};

} // namespace junban::client
