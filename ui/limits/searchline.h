#pragma once

#include <QByteArray>
#include <QString>

namespace junban::ui {

// What a filter is for: jobs (or what belongs to single jobs, as their results), or groups of failures.
enum class Searched { Jobs, Failures };

// How a line of a search is meant. Text: each of its words is looked for in the name, the message, the tags, the id, and the argument or
// its keys and fields (of failures: the name, the message and the workers); a part in double quotes is one word. Pattern: words with * or ?
// are patterns of the name, others are text. Expression: of the matcher language.
enum class Meant { Nothing, Text, Pattern, Expression };

// A text as it is written in an expression.
QByteArray quotedText(QByteArray text);
// The condition that a name fits a pattern, in which * stands for any characters and ? for one.
QByteArray namePattern(const QString &pattern);
bool hasJoker(const QString &text);

// What a line is taken for, unless the operator chooses. An expression reads `job` and can be parsed, or begins as one that does; so an
// error that a worker reported is text, whatever signs are in it.
Meant meantBy(const QString &line, Searched searched);
// The expression that such a line stands for.
QByteArray searchExpression(const QString &line, Meant meant, Searched searched);
// Both conditions; an empty one is none.
QByteArray bothOf(const QByteArray &one, const QByteArray &other);

} // namespace junban::ui
