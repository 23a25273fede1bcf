#include "ui/base/text.h"

#include <QCoreApplication>
#include <QStringDecoder>
#include <algorithm>

namespace junban::ui {

namespace {

QString escaped(char32_t c)
{
    switch (c) {
    case U'\n': return QStringLiteral("↵");
    case U'\t': return QStringLiteral("⇥");
    default: break;
    }
    if (c < 0x100)
        return QStringLiteral("\\x%1").arg(uint(c), 2, 16, QLatin1Char('0'));
    return QStringLiteral("\\u%1").arg(uint(c), 4, 16, QLatin1Char('0'));
}

// Cc, Cf (which holds the bidirectional controls and the zero-width ones), line and paragraph separators, and code points that
// are no characters. The joiners inside emoji are Cf, too, and are also escaped.
bool isHidden(char32_t c)
{
    switch (QChar::category(c)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_NotAssigned:
    case QChar::Other_PrivateUse:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph: return true;
    default: return false;
    }
}

} // namespace

QString shown(const QString &text)
{
    QString out;
    out.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        char32_t c = text[i].unicode();
        if (text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate())
            c = QChar::surrogateToUcs4(text[i], text[i + 1]);
        if (c == U'\r' && i + 1 < text.size() && text[i + 1] == QLatin1Char('\n'))
            continue; // one sign for both
        if (isHidden(c))
            out += escaped(c);
        else
            out += QString::fromUcs4(&c, 1);
        if (c > 0xffff)
            ++i;
    }
    return out;
}

QString shown(QByteArrayView utf8)
{
    QStringDecoder decoder(QStringConverter::Utf8, QStringConverter::Flag::Stateless);
    const QString text = decoder(utf8);
    if (!decoder.hasError())
        return shown(text);
    // Not UTF-8 as a whole: byte by byte, so that nothing is lost or replaced.
    QString out;
    for (const char byte : utf8) {
        const auto c = static_cast<uchar>(byte);
        out += c >= 0x20 && c < 0x7f ? QString(QLatin1Char(byte)) : escaped(c);
    }
    return out;
}

QString shownLines(QByteArrayView utf8)
{
    QStringList lines;
    for (QByteArray line : utf8.toByteArray().split('\n')) {
        if (line.endsWith('\r'))
            line.chop(1);
        lines.append(shown(line.replace('\t', "    ")));
    }
    while (!lines.isEmpty() && lines.last().trimmed().isEmpty())
        lines.removeLast();
    return lines.join(QLatin1Char('\n'));
}

QString shownFirstLine(QByteArrayView utf8)
{
    const QStringList lines = shownLines(utf8).split(QLatin1Char('\n'));
    const auto first = std::find_if(lines.begin(), lines.end(), [](const QString &line) { return !line.trimmed().isEmpty(); });
    if (first == lines.end())
        return {};
    return first->trimmed() + (first + 1 == lines.end() ? QString() : QStringLiteral(" …"));
}

QString clipped(const QString &text, qsizetype characters_max)
{
    if (text.size() <= characters_max)
        return text;
    qsizetype end = std::max<qsizetype>(0, characters_max - 1);
    if (end > 0 && text[end - 1].isHighSurrogate())
        --end;
    return text.first(end) + QChar(0x2026);
}

QString listed(const QStringList &parts)
{
    return parts.join(QCoreApplication::translate("Text", ", ", "between things of a list"));
}

QString plainTip(const QString &text)
{
    if (text.isEmpty())
        return {};
    QStringList lines = text.toHtmlEscaped().split(QLatin1Char('\n'));
    for (QString &line : lines) {
        const qsizetype indent = std::find_if(line.begin(), line.end(), [](QChar c) { return c != QLatin1Char(' '); }) - line.begin();
        line = QStringLiteral("&nbsp;").repeated(indent) + line.mid(indent);
    }
    return QStringLiteral("<qt>") + lines.join(QLatin1String("<br>")) + QStringLiteral("</qt>");
}

QString withoutKeys(QString text)
{
    return text.replace(QLatin1Char('&'), QLatin1String("&&"));
}

} // namespace junban::ui
