#pragma once

#include "core/msgpack/decoder.h"
#include "server/api/requests.h"

#include <array>

// What the decoders of requests have in common; only they include this.
namespace junban::api {

// The whole body as one map of known fields.
template<typename T, typename Decode>
Result<T> whole(QByteArrayView body, T value, Decode decode)
{
    Decoder in;
    const std::optional<PackedValue> root = in.root(body);
    if (!root || !decode(in, *root, value))
        return in.error();
    return value;
}

// One word of an enumeration whose values stand in the order of `words`, from 0.
template<typename Enum, size_t count>
bool decodeWord(Decoder &in, const PackedValue &field, Enum &out, const std::array<const char *, count> &words)
{
    QByteArray list;
    for (size_t i = 0; i < count; ++i) {
        if (field.head.type == payload::Type::String && field.head.bytes == words[i]) {
            out = static_cast<Enum>(i);
            return true;
        }
        list += (i == 0 ? "\"" : i + 1 == count ? " or \"" : ", \"") + QByteArray(words[i]) + '"';
    }
    return in.fail(field.path, "must be " + list);
}

// A string that is a job's id.
inline bool decodeId(Decoder &in, const PackedValue &field, JobId &out)
{
    const auto id = field.head.type == payload::Type::String ? JobId::fromText(field.head.bytes) : std::nullopt;
    out = id.value_or(JobId());
    return (id && !id->isNull()) || in.fail(field.path, "must be a job id");
}

// What a claim has besides its worker (claims.cpp).
bool decodeClaimField(Decoder &in, QByteArrayView key, const PackedValue &field, ClaimBody &claim);

} // namespace junban::api
