#pragma once

#include "core/base/reasons/client.h"
#include "core/msgpack/fieldtable.h"

namespace junban::client {

// The error in a problem document; when the body is none, one made of the status.
Error decodeProblem(int status, QByteArrayView type, QByteArrayView body);
// The error in the place of an item, in a list of results.
Error readProblem(Decoder &in, const PackedValue &value);

// {results: [item | {error: problem}]}
template<typename T>
Result<QList<Result<T>>> resultsOf(const TableOf<T> &table, QByteArrayView body)
{
    QList<Result<T>> results;
    Decoder in(Decoder::Of::Answer);
    bool complete = false;
    // Each has its own decoder: one that cannot be read does not spoil the others.
    const auto take = [&](const PackedValue &element) {
        Decoder own(Decoder::Of::Answer);
        std::optional<Error> error;
        own.map(element, [&](QByteArrayView key, const PackedValue &value) {
            if (key == "error")
                error = readProblem(own, value);
            return true;
        });
        T item{};
        if (!error && !readFields(own, element, table, &item))
            error = own.failed() ? own.error() : reasons::answerUnreadable();
        results.append(error ? Result<T>(std::move(*error)) : Result<T>(std::move(item)));
        return true;
    };
    if (const std::optional<PackedValue> root = in.root(body))
        in.map(*root, [&](QByteArrayView key, const PackedValue &value) {
            complete = complete || (key == "results" && in.array(value, 0, take));
            return true;
        });
    if (complete)
        return results;
    return in.failed() ? in.error() : reasons::answerWithoutResults();
}

} // namespace junban::client
