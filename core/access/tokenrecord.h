#pragma once

#include "core/access/pepper.h"
#include "core/access/token.h"

#include <optional>

namespace junban {

// A token with what is kept of its text. When it was used last stands beside its record.
struct KeptToken {
    Token token = {};
    QByteArray hash = {};
};

// As Redis keeps it, under the pepper's seal: who can only write to Redis can neither make one nor change one.
QByteArray packToken(const Pepper &pepper, const KeptToken &kept);
// Nothing when the seal is not the pepper's, or the record is another token's.
std::optional<KeptToken> unpackToken(const Pepper &pepper, QByteArrayView id, QByteArrayView record);

} // namespace junban
