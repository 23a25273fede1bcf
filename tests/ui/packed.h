#pragma once

#include "core/msgpack/json.h"

namespace junban::test {

// MessagePack of JSON in single quotes.
inline QByteArray packed(QByteArray json)
{
    return *json::toMsgpack(json.replace('\'', '"'));
}

} // namespace junban::test
