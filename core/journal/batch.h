#pragma once

#include "core/engine/writes.h"

#include <QByteArray>
#include <QList>

namespace junban::journal {

// What one pass of the event loop has decided. Its content never changes: (id of the leadership, n) names one content.
struct Batch {
    qint64 n = 0;              // 1, 2, 3 … over all leaderships of a namespace
    qint64 at_ms = 0;          // the engine time of its decisions, milliseconds since the epoch
    QList<QByteArray> words;   // as the function `apply` takes them: for each command its name, key, number of further words, these words
    qint64 bytes = 0;          // about what it takes in memory and on the wire
    qint64 sent_ms = 0;        // when it was sent last, on Clock::monotonic_ms(); 0: never
};

// The words of these writes: the commands HSET, HDEL, SET with an absolute expiry and DEL, the writes of one key together, in the order of
// keys and fields. Of several writes of one field the last one counts. Any thread.
QList<QByteArray> wordsOf(const engine::Writes &writes);
// About what these words take in memory and on the wire.
qint64 bytesOf(const QList<QByteArray> &words);

} // namespace junban::journal
