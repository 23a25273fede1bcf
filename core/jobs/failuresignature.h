#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace junban {

// The form of a failure's message by which failures of the same cause are grouped: the line that tells, of a stack trace with what it was
// caused by, in which everything that differs from job to job is replaced by a placeholder (<id> <ip> <host> <url> <address> <path> <text>
// <time>, and <n> for a number or an id), cut to limits::failure_title_chars_max characters. What tells causes apart stays: a status, an
// errno, an error's number or class, an SQLSTATE, the name of a missing key or method. tests/core/jobs/failuremessages.txt and
// failuretraces.txt have examples. It accepts any bytes, and UTF-8 stays UTF-8. It takes linear time. May be called from
// any thread.
QByteArray normalisedFailure(QByteArrayView message);

// The message, of which lists and the history keep the beginning: of a stack trace that does not begin with it, the line that tells is put
// on top.
QByteArray headedFailure(const QByteArray &message);

} // namespace junban
