#pragma once

#include "core/base/isotime.h"
#include "core/msgpack/mapwriter.h"

#include <QByteArray>
#include <QList>

// How answers are put together; only the files that encode them include this.
namespace junban::api {

// A map of an answer, some fields of which are there only when they say something.
class MapBuilder : public MapWriter
{
public:
    void textIf(const char *name, QByteArrayView value)
    {
        if (!value.isEmpty())
            text(name, value);
    }
    void timeIf(const char *name, qint64 at_ms)
    {
        if (at_ms > 0)
            text(name, isoTime(at_ms));
    }
};

template<typename T, typename Encode>
QByteArray encodeAll(const QList<T> &items, Encode encode)
{
    MsgpackWriter writer;
    writer.array(items.size());
    for (const T &item : items)
        writer.raw(encode(item));
    return writer.take();
}

} // namespace junban::api
