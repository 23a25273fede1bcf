#pragma once

#include "core/base/reason.h"

namespace junban {

// A reason as a newer master may give one: with a sentence, but no name that this program knows.
inline Reason sentence(const QByteArray &text)
{
    return Reason({}, {}, text);
}

} // namespace junban
