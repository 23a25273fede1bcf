#pragma once

#include "core/msgpackwriter.h"

namespace junban::client {

// A map whose pairs are counted as they come, so that fields can be left out.
class MapWriter
{
public:
    MsgpackWriter &key(QByteArrayView name)
    {
        ++m_pairs;
        return m_content.text(name);
    }
    void seconds(QByteArrayView name, qint64 value_ms)
    {
        if (value_ms % 1000 == 0)
            key(name).integer(value_ms / 1000);
        else
            key(name).real(double(value_ms) / 1000);
    }
    QByteArray take()
    {
        MsgpackWriter whole;
        return whole.map(m_pairs).raw(m_content.take()).take();
    }

private:
    MsgpackWriter m_content;
    qsizetype m_pairs = 0;
};

} // namespace junban::client
