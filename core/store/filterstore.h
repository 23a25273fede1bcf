#pragma once

#include "core/base/expected.h"
#include "core/base/result.h"
#include "core/jobs/savedfilter.h"

#include <optional>

namespace junban {

struct FilterChanged {
    std::optional<SavedFilter> before; // none: it is new, or could not be read any more
    std::optional<SavedFilter> after;  // none: it was deleted
};

// Filters that people saved by name, shared by all consoles of a namespace. Threads, callbacks and errors as Store's, but no call is
// repeated: after Ambiguous it may have been done or not.
class FilterStore
{
public:
    FilterStore() = default;
    FilterStore(const FilterStore &) = delete;
    FilterStore &operator=(const FilterStore &) = delete;
    virtual ~FilterStore() = default;

    // Those that can be read, by name. The others keep their place and are named in UnreadableRecords.
    virtual void list(Callback<FilterList> callback) = 0;
    // Gives it its revision. RevisionMismatch, Conflict (limits::filters_max). One that cannot be read has no revision, and is replaced.
    virtual void save(SavedFilter filter, Expected expected, Callback<FilterChanged> callback) = 0;
    // NotFound, RevisionMismatch, Conflict (it cannot be read).
    virtual void remove(QByteArray name, Expected expected, Callback<FilterChanged> callback) = 0;
};

} // namespace junban
