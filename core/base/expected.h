#pragma once

#include <QtGlobal>

namespace junban {

// What a change expects to find. If it finds something else, it is refused with RevisionMismatch.
struct Expected {
    enum class What { Any, Missing, Revision } what = What::Any; // Any: no check; Missing: it must not exist yet
    qint64 revision = 0;                                         // of What::Revision
};

} // namespace junban
