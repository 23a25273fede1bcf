#pragma once

#include <QByteArrayView>
#include <QString>
#include <QStringList>

namespace junban::ui {

// Text from a job, made safe to show in one line: a line end becomes ↵ and a tab ⇥, other control characters, bidirectional overrides and
// invisible characters become escapes (\x1b, \u202e), and bytes that are not UTF-8 become \xNN. So no name, message or argument can look
// like something else.
QString shown(QByteArrayView utf8);
inline QString shown(const QByteArray &utf8) { return shown(QByteArrayView(utf8)); }
QString shown(const QString &text);
// The same with its lines; tabs are blanks.
QString shownLines(QByteArrayView utf8);
// Its first line that is not blank, with an ellipsis when there are more.
QString shownFirstLine(QByteArrayView utf8);

// At most so many characters, with an ellipsis when something was cut off; never half a surrogate pair.
QString clipped(const QString &text, qsizetype characters_max);

// "a, b, c", as the window's language writes a list.
QString listed(const QStringList &parts);
// The same for a tooltip. Qt would render text that looks like markup as rich text.
QString plainTip(const QString &text);
// A text for a menu, a button or a label, where & would underline the next letter.
QString withoutKeys(QString text);

} // namespace junban::ui
