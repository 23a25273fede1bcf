#include "app/ctl/terminal.h"

#include "core/base/isotime.h"
#include "core/msgpack/json.h"

#include <QDateTime>
#include <QString>
#include <QTimeZone>
#include <algorithm>
#include <iterator>
#include <optional>

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

QByteArray linesForTerminal(const QByteArray &lines)
{
    QList<QByteArray> safe = lines.split('\n');
    std::transform(safe.begin(), safe.end(), safe.begin(), forTerminal);
    return safe.join('\n');
}

namespace {

struct Range32 {
    uint first, last;
};
// East Asian Width W and F, of Unicode 15.
constexpr Range32 wide[] = {{0x1100, 0x115f}, {0x231a, 0x231b}, {0x2329, 0x232a}, {0x23e9, 0x23ec}, {0x23f0, 0x23f0}, {0x23f3, 0x23f3},
    {0x25fd, 0x25fe}, {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267f, 0x267f}, {0x2693, 0x2693}, {0x26a1, 0x26a1}, {0x26aa, 0x26ab},
    {0x26bd, 0x26be}, {0x26c4, 0x26c5}, {0x26ce, 0x26ce}, {0x26d4, 0x26d4}, {0x26ea, 0x26ea}, {0x26f2, 0x26f3}, {0x26f5, 0x26f5},
    {0x26fa, 0x26fa}, {0x26fd, 0x26fd}, {0x2705, 0x2705}, {0x270a, 0x270b}, {0x2728, 0x2728}, {0x274c, 0x274c}, {0x274e, 0x274e},
    {0x2753, 0x2755}, {0x2757, 0x2757}, {0x2795, 0x2797}, {0x27b0, 0x27b0}, {0x27bf, 0x27bf}, {0x2b1b, 0x2b1c}, {0x2b50, 0x2b50},
    {0x2b55, 0x2b55}, {0x2e80, 0x303e}, {0x3041, 0x3247}, {0x3250, 0x4dbf}, {0x4e00, 0xa4cf}, {0xa960, 0xa97f}, {0xac00, 0xd7a3},
    {0xf900, 0xfaff}, {0xfe10, 0xfe19}, {0xfe30, 0xfe6f}, {0xff01, 0xff60}, {0xffe0, 0xffe6}, {0x16fe0, 0x18aff}, {0x18b00, 0x18d08},
    {0x1aff0, 0x1b2fb}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a}, {0x1f200, 0x1f320},
    {0x1f32d, 0x1f335}, {0x1f337, 0x1f37c}, {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca}, {0x1f3cf, 0x1f3d3}, {0x1f3e0, 0x1f3f0},
    {0x1f3f4, 0x1f3f4}, {0x1f3f8, 0x1f43e}, {0x1f440, 0x1f440}, {0x1f442, 0x1f4fc}, {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f54e},
    {0x1f550, 0x1f567}, {0x1f57a, 0x1f57a}, {0x1f595, 0x1f596}, {0x1f5a4, 0x1f5a4}, {0x1f5fb, 0x1f64f}, {0x1f680, 0x1f6c5},
    {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2}, {0x1f6d5, 0x1f6d7}, {0x1f6dc, 0x1f6df}, {0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc},
    {0x1f7e0, 0x1f7eb}, {0x1f7f0, 0x1f7f0}, {0x1f90c, 0x1f93a}, {0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff}, {0x1fa70, 0x1faff},
    {0x20000, 0x3fffd}};

int columnsOfCharacter(uint point)
{
    const QChar::Category category = QChar::category(char32_t(point));
    if (category == QChar::Mark_NonSpacing || category == QChar::Mark_Enclosing || category == QChar::Other_Format)
        return 0;
    const auto isBefore = [](const Range32 &one, uint other) { return one.last < other; };
    const Range32 *range = std::lower_bound(std::begin(wide), std::end(wide), point, isBefore);
    return range != std::end(wide) && range->first <= point ? 2 : 1;
}

// What people are shown times in; nothing: UTC. It is set once, when the program starts.
std::optional<QTimeZone> shownZone;
std::optional<qint64> shownNow_ms;

} // namespace

qsizetype columnsOf(QByteArrayView text)
{
    qsizetype columns = 0;
    const QList<uint> points = QString::fromUtf8(text).toUcs4();
    for (const uint point : points)
        columns += columnsOfCharacter(point);
    return columns;
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
    for (const QList<QByteArray> &row : std::as_const(rows)) {
        for (qsizetype i = 0; i < row.size(); ++i) {
            if (i == widths.size())
                widths.append(0);
            widths[i] = std::max(widths[i], columnsOf(row[i]));
        }
    }
    QByteArray text;
    for (const QList<QByteArray> &row : std::as_const(rows)) {
        QByteArray line;
        for (qsizetype i = 0; i < row.size(); ++i)
            line += row[i] + QByteArray(i + 1 < row.size() ? widths[i] - columnsOf(row[i]) + 2 : 0, ' ');
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
    return at_ms == 0 ? QByteArray("-") : about(shownNow_ms.value_or(QDateTime::currentMSecsSinceEpoch()) - at_ms);
}

void setNow(qint64 now_ms)
{
    shownNow_ms = now_ms;
}

QByteArray timeText(qint64 at_ms)
{
    if (at_ms == 0)
        return "-";
    return shownZone ? QDateTime::fromMSecsSinceEpoch(at_ms, *shownZone).toString(Qt::ISODateWithMs).toUtf8() : isoTime(at_ms);
}

bool setZone(const QByteArray &zone)
{
    const QTimeZone found = zone == "local" ? QTimeZone::systemTimeZone() : QTimeZone(zone);
    if (found.isValid())
        shownZone = found;
    return found.isValid();
}

} // namespace junban::app
