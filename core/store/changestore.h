#pragma once

#include "core/base/result.h"
#include "core/jobs/administration.h"

#include <algorithm>
#include <array>

namespace junban {

// For each kind of thing, the transaction that changed one last; 0: none did.
struct LastChanges {
    std::array<qint64, topicWords.size()> at{};

    qint64 revision() const { return *std::max_element(at.begin(), at.end()); }
};

// Says what was changed last, by any master. Threads, callbacks and errors as for Store.
class ChangeStore
{
public:
    ChangeStore() = default;
    ChangeStore(const ChangeStore &) = delete;
    ChangeStore &operator=(const ChangeStore &) = delete;
    virtual ~ChangeStore() = default;

    virtual void lastChanges(Callback<LastChanges> callback) = 0;
};

} // namespace junban
