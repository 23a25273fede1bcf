#pragma once

#include "client/value.h"

#include <span>

// What the decoders of answers have in common; only they include this.
namespace junban::client {

inline Error malformed(QByteArray what)
{
    return {ErrorCode::Malformed, "The answer is not what this client expects: " + what + '.', {}, 0};
}

inline QList<QByteArray> texts(const Value &value)
{
    QList<QByteArray> list;
    value.eachElement([&](const Value &element) {
        list.append(element.text());
        return true;
    });
    return list;
}

// The field of a map whose value is an array, each element decoded; the whole fails when one does.
template<typename T>
Result<QList<T>> listOf(const Value &value, Result<T> (*decode)(QByteArrayView))
{
    QList<T> list;
    std::optional<Error> failed;
    const bool complete = value.eachElement([&](const Value &element) {
        Result<T> item = decode(element.bytes());
        if (!item.ok()) {
            failed = item.error();
            return false;
        }
        list.append(std::move(item).value());
        return true;
    });
    if (failed)
        return *failed;
    if (!complete)
        return malformed("a list is missing or cut short");
    return list;
}

// The value of one field, found by name; nil bytes when there is none.
inline Value fieldOf(QByteArrayView body, QByteArrayView name)
{
    const payload::Step step{.key = name};
    return Value(payload::find(body, std::span(&step, 1)).value_or(QByteArrayView(payload::nil, 1)));
}

} // namespace junban::client
