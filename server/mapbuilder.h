#pragma once

#include "core/isotime.h"
#include "core/msgpackwriter.h"

#include <QByteArray>
#include <QList>

// How answers are put together; only the files that encode them include this.
namespace junban::api {

// Counts the pairs of a map that are there only sometimes, so that its head can be written first.
class MapBuilder
{
public:
    MsgpackWriter &key(const char *name)
    {
        ++m_pairs;
        return m_content.text(name);
    }
    void text(const char *name, QByteArrayView value) { key(name).text(value); }
    void textIf(const char *name, QByteArrayView value)
    {
        if (!value.isEmpty())
            text(name, value);
    }
    void integer(const char *name, qint64 value) { key(name).integer(value); }
    void real(const char *name, double value) { key(name).real(value); }
    void boolean(const char *name, bool value) { key(name).boolean(value); }
    void timeIf(const char *name, qint64 at_ms)
    {
        if (at_ms > 0)
            text(name, isoTime(at_ms));
    }
    // Seconds as a number: an integer when it is one.
    void duration(const char *name, qint64 value_ms)
    {
        if (value_ms % 1000 == 0)
            integer(name, value_ms / 1000);
        else
            real(name, double(value_ms) / 1000);
    }
    QByteArray take()
    {
        MsgpackWriter whole;
        whole.map(m_pairs).raw(m_content.take());
        return whole.take();
    }

private:
    MsgpackWriter m_content;
    qsizetype m_pairs = 0;
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

inline QByteArray encodeTexts(const QList<QByteArray> &texts)
{
    return encodeAll(texts, [](const QByteArray &text) { return MsgpackWriter().text(text).take(); });
}

} // namespace junban::api
