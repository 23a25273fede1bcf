#pragma once

#include <QByteArrayView>
#include <QString>

namespace junban::ui {

// Text of jobs as it may be shown: control characters, line ends, bidirectional overrides and what cannot be seen stand as
// escapes (\n, \x1b, \u202e), bytes that are not UTF-8 as \xNN. No name, message or argument can disguise itself.
QString shown(QByteArrayView utf8);
inline QString shown(const QByteArray &utf8) { return shown(QByteArrayView(utf8)); }
QString shown(const QString &text);

// At most so many characters, with an ellipsis when something was cut off; never half a surrogate pair.
QString clipped(const QString &text, qsizetype characters_max);

// The same for a tooltip, which would take what looks like markup for markup.
QString plainTip(const QString &text);

} // namespace junban::ui
