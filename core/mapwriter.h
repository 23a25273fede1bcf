#pragma once

#include "core/msgpackwriter.h"

namespace junban {

// Writes a map whose size is known at its end only.
class MapWriter
{
public:
    MapWriter &text(const char *name, const QByteArray &value) { return begin(name, MsgpackWriter().text(value).take()); }
    MapWriter &integer(const char *name, qint64 value) { return begin(name, MsgpackWriter().integer(value).take()); }
    MapWriter &boolean(const char *name, bool value) { return begin(name, MsgpackWriter().boolean(value).take()); }
    MapWriter &raw(const char *name, const QByteArray &packed) { return begin(name, packed); }
    // Whole numbers stay integers, as they were written.
    MapWriter &number(const char *name, double value)
    {
        const bool whole = value > -1e15 && value < 1e15 && double(qint64(value)) == value;
        return begin(name, whole ? MsgpackWriter().integer(qint64(value)).take() : MsgpackWriter().real(value).take());
    }
    QByteArray take() { return MsgpackWriter().map(m_count).raw(m_content).take(); }

private:
    MapWriter &begin(const char *name, const QByteArray &packed)
    {
        ++m_count;
        m_content += MsgpackWriter().text(name).raw(packed).take();
        return *this;
    }
    qsizetype m_count = 0;
    QByteArray m_content;
};

} // namespace junban
