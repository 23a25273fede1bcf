#include "core/base/text.h"

#include "core/base/reasons/fields.h"

#include <QString>
#include <algorithm>

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

namespace {

// Characters that show nothing wherever they stand (Default_Ignorable_Code_Point), and separators of lines.
bool isUnseen(char32_t c)
{
    switch (c) {
    case 0x034f: case 0x115f: case 0x1160: case 0x17b4: case 0x17b5: case 0x2800: case 0x3164: case 0xffa0: return true;
    default: break;
    }
    if ((c >= 0x180b && c <= 0x180f) || (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xe0000 && c <= 0xe0fff))
        return true;
    const QChar::Category category = QChar::category(c);
    return category == QChar::Other_Format || category == QChar::Separator_Line || category == QChar::Separator_Paragraph;
}

std::optional<Error> whyBadSpaces(QStringView text, QByteArrayView field)
{
    if (text.isEmpty() || (!text.front().isSpace() && !text.back().isSpace()))
        return {};
    if (text.trimmed().isEmpty())
        return reasons::nameBlank(field);
    return reasons::nameHasOuterSpace(field);
}

} // namespace

std::optional<Error> whyNoName(QByteArrayView utf8, QByteArrayView field)
{
    if (hasControlCharacters(utf8))
        return reasons::fieldHasControlCharacters(field);
    const bool isAscii = std::all_of(utf8.begin(), utf8.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (isAscii)
        return whyBadSpaces(QString::fromLatin1(utf8), field);
    if (utf8.startsWith("\xef\xbb\xbf")) // Qt does not read it
        return reasons::nameHasUnseenCharacter(field, "U+FEFF");
    const QString text = QString::fromUtf8(utf8);
    for (const char32_t c : text.toUcs4()) {
        if (isUnseen(c))
            return reasons::nameHasUnseenCharacter(field, "U+" + QByteArray::number(uint(c), 16).toUpper().rightJustified(4, '0'));
    }
    if (std::optional<Error> error = whyBadSpaces(text, field))
        return error;
    if (text.normalized(QString::NormalizationForm_C) != text)
        return reasons::nameNotNormal(field);
    return {};
}

bool isPlainText(QByteArrayView text, qsizetype bytes_max)
{
    return !text.isEmpty() && text.size() <= bytes_max && text.isValidUtf8() && !hasControlCharacters(text);
}

} // namespace junban
