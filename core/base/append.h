#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <cstring>

namespace junban {

// Appends short texts, for which QByteArray::append() takes several times as long.
inline void append(QByteArray &out, QByteArrayView text)
{
    if (text.isEmpty())
        return;
    const qsizetype begin = out.size();
    out.resize(begin + text.size());
    std::memcpy(out.data() + begin, text.data(), size_t(text.size()));
}

} // namespace junban
