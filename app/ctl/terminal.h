#pragma once

#include <QByteArray>
#include <QList>

namespace junban::app {

// Text for a terminal: control characters (C0, C1, DEL), bidirectional overrides and broken UTF-8 are shown escaped, so that a job's
// name cannot move the cursor or change what an operator reads.
QByteArray forTerminal(QByteArrayView text);

// Rows in columns of equal width, two spaces apart; the first row is the head.
QByteArray table(const QList<QList<QByteArray>> &rows);

// "3 s", "2 min", "4 h", "5 d": about how long ago, or until.
QByteArray about(qint64 span_ms);

} // namespace junban::app
