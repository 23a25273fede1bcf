#include "app/ctl/terminal.h"

#include "core/base/isotime.h"
#include "core/msgpack/json.h"

#include <QDateTime>
#include <QString>
#include <algorithm>

namespace junban::app {

QByteArray forTerminal(QByteArrayView text)
{
    QByteArray out;
    const QList<uint> points = QString::fromUtf8(text).toUcs4();
    for (const uint point : points) {
        const bool control = point < 0x20 || (point >= 0x7f && point < 0xa0);
        const bool direction
            = (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069) || point == 0x200e || point == 0x200f;
        if (control || direction)
            out += "\\u" + QByteArray::number(point, 16).rightJustified(4, '0');
        else
            out += QString::fromUcs4(reinterpret_cast<const char32_t *>(&point), 1).toUtf8();
    }
    return out;
}

QByteArray jsonText(QByteArrayView msgpack)
{
    return forTerminal(json::fromMsgpack(msgpack));
}

QByteArray table(const QList<QList<QByteArray>> &given)
{
    QList<QList<QByteArray>> rows = given;
    for (QList<QByteArray> &row : rows)
        std::transform(row.begin(), row.end(), row.begin(), forTerminal);
    QList<qsizetype> widths;
    const auto width = [](const QByteArray &cell) { return QString::fromUtf8(cell).size(); };
    for (const QList<QByteArray> &row : std::as_const(rows)) {
        for (qsizetype i = 0; i < row.size(); ++i) {
            if (i == widths.size())
                widths.append(0);
            widths[i] = std::max(widths[i], width(row[i]));
        }
    }
    QByteArray text;
    for (const QList<QByteArray> &row : std::as_const(rows)) {
        QByteArray line;
        for (qsizetype i = 0; i < row.size(); ++i)
            line += row[i] + QByteArray(i + 1 < row.size() ? widths[i] - width(row[i]) + 2 : 0, ' ');
        text += line + '\n';
    }
    return text;
}

QByteArray orDash(const QByteArray &text)
{
    return text.isEmpty() ? QByteArray("-") : text;
}

QByteArray about(qint64 span_ms)
{
    const qint64 s = std::abs(span_ms) / 1000;
    if (s < 120)
        return QByteArray::number(s) + " s";
    if (s < 7'200)
        return QByteArray::number(s / 60) + " min";
    if (s < 172'800)
        return QByteArray::number(s / 3'600) + " h";
    return QByteArray::number(s / 86'400) + " d";
}

QByteArray ago(qint64 at_ms)
{
    return at_ms == 0 ? QByteArray("-") : about(QDateTime::currentMSecsSinceEpoch() - at_ms);
}

QByteArray timeText(qint64 at_ms)
{
    return at_ms == 0 ? QByteArray("-") : isoTime(at_ms);
}

} // namespace junban::app
