#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace junban {

// What a failure's message has in common with those of the same cause: its first line with whatever differs from one job to the next
// replaced by a placeholder (<id> <ip> <host> <url> <address> <path> <text> <n>), cut to limits::failure_title_chars_max characters.
// Time grows with the length only. Any bytes will do; UTF-8 stays UTF-8. Thread-safe.
QByteArray normalisedFailure(QByteArrayView message);

} // namespace junban
