#pragma once

#include <QByteArray>
#include <QList>

namespace junban::app {

// Text for a terminal: control characters (C0, C1, DEL), bidirectional overrides and broken UTF-8 are shown escaped, so that a job's
// name cannot move the cursor or change what an operator reads.
QByteArray forTerminal(QByteArrayView text);

// The same for several lines: line ends stay.
QByteArray linesForTerminal(const QByteArray &lines);
// How many columns a text takes on a terminal: two for each wide character, none for one that combines with the one before.
qsizetype columnsOf(QByteArrayView text);

// A MessagePack value as JSON that is safe on a terminal. It is the same value still: only characters within strings are ever escaped.
QByteArray jsonText(QByteArrayView msgpack);

// Rows in columns of equal width (columnsOf), two spaces apart, every cell safe on a terminal; the first row is the head.
QByteArray table(const QList<QList<QByteArray>> &rows);

template<typename Row>
struct Column {
    const char *heading;
    QByteArray (*cell)(const Row &row);
};
template<typename Row, size_t n>
QByteArray table(const Column<Row> (&columns)[n], const QList<Row> &rows)
{
    QList<QList<QByteArray>> cells(1);
    for (const Column<Row> &column : columns)
        cells.first().append(column.heading);
    for (const Row &row : rows) {
        QList<QByteArray> &line = cells.emplace_back();
        for (const Column<Row> &column : columns)
            line.append(column.cell(row));
    }
    return table(cells);
}

inline QByteArray number(qint64 value)
{
    return QByteArray::number(value);
}
// Or "-" where there is nothing to say.
QByteArray orDash(const QByteArray &text);
// "3 s", "2 min", "4 h", "5 d": about how long it is.
QByteArray about(qint64 span_ms);
// About how long ago, or from now; "-" for 0. By the clock of this machine until another time was set.
QByteArray ago(qint64 at_ms);
void setNow(qint64 now_ms);
// ISO 8601; "-" for 0. In UTC, or in the zone that was set.
QByteArray timeText(qint64 at_ms);
// For all times that are shown to people. False when there is no such zone. "local" is the machine's.
bool setZone(const QByteArray &zone);

} // namespace junban::app
