#include "core/base/text.h"

#include <QString>

namespace junban {

QByteArray shown(QByteArrayView bytes, qsizetype bytes_max)
{
    static constexpr char ellipsis[] = "…";
    static constexpr qsizetype ellipsis_bytes = sizeof ellipsis - 1;
    QString text = QString::fromUtf8(bytes.first(qMin(bytes.size(), bytes_max + 1)));
    for (QChar &character : text) {
        if (character.category() == QChar::Other_Control)
            character = QChar::ReplacementCharacter;
    }
    QByteArray utf8 = text.toUtf8();
    if (utf8.size() <= bytes_max && bytes.size() <= bytes_max)
        return utf8;
    qsizetype end = qMin(utf8.size(), qMax(bytes_max - ellipsis_bytes, qsizetype(0)));
    while (end > 0 && end < utf8.size() && (static_cast<unsigned char>(utf8[end]) & 0xc0) == 0x80)
        --end;
    utf8.truncate(end);
    return utf8 + ellipsis;
}

bool hasControlCharacters(QByteArrayView utf8)
{
    for (qsizetype i = 0; i < utf8.size(); ++i) {
        const auto byte = static_cast<unsigned char>(utf8[i]);
        if (byte < 0x20 || byte == 0x7f)
            return true;
        // C1: U+0080…U+009F
        if (byte == 0xc2 && i + 1 < utf8.size() && static_cast<unsigned char>(utf8[i + 1]) < 0xa0)
            return true;
    }
    return false;
}

bool isPlainText(QByteArrayView text, qsizetype bytes_max)
{
    return !text.isEmpty() && text.size() <= bytes_max && text.isValidUtf8() && !hasControlCharacters(text);
}

} // namespace junban
