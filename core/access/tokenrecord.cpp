#include "core/access/tokenrecord.h"

#include "core/access/tokenfields.h"

namespace junban {

namespace {

constexpr qsizetype mac_bytes = 32; // of the seal and of the hash, which stand before the token's fields

} // namespace

QByteArray packToken(const Pepper &pepper, const KeptToken &kept)
{
    const QByteArray sealed = kept.hash + pack(tokenTable, kept.token);
    return pepper.seal(sealed) + sealed;
}

std::optional<KeptToken> unpackToken(const Pepper &pepper, QByteArrayView id, QByteArrayView record)
{
    if (record.size() <= 2 * mac_bytes || !sameSecret(pepper.seal(record.sliced(mac_bytes)), record.first(mac_bytes)))
        return {};
    Result<Token> token = unpackAnswer(tokenTable, record.sliced(2 * mac_bytes));
    if (!token.ok() || token->id != id)
        return {};
    return KeptToken{std::move(*token), record.sliced(mac_bytes, mac_bytes).toByteArray()};
}

} // namespace junban
