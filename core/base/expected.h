#pragma once

#include <QtGlobal>

namespace junban {

// Which revision a change is meant for.
struct Expected {
    enum class What { Any, Missing, Revision } what = What::Any;
    qint64 revision = 0;
};

} // namespace junban
