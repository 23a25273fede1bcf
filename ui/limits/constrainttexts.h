#pragma once

#include "core/limits/matcher.h"
#include "ui/base/format.h"

#include <QList>
#include <QString>

namespace junban::ui {

// A kind of constraint by its name, such as "Rate".
QString kindName(ConstraintKind kind);
// The same of the API's word; a word that is not known as it is.
QString kindName(const QByteArray &word);
// What a kind is for, in a sentence.
QString kindHelp(ConstraintKind kind);
QString modeName(ConstraintMode mode);
// What a constraint allows, in a line: "20 per 1 s, burst 40".
QString limitText(const Constraint &constraint, const Format &format);
// The same with its kind, its buckets and its mode: for lists of differences.
QString constraintText(const Constraint &constraint, const Format &format);
// A bucket's key as it is shown; that of the only bucket is empty.
QString keyText(const QByteArray &key);
// "Line 2, column 5: No such function."
QString problemText(const cel::Problem &problem);
// What is wrong with a constraint, and in which of its fields: "constraints[0].by" is told as "by".
QString constraintFault(const Error &error);

// A matcher as rows of a name and a text, in the same order for every matcher: what revisions differ in.
struct MatcherRow {
    QByteArray key;   // "expression"; of a constraint: constraintRow and its id
    QString name;
    QString text;
    QString exact;    // the same in full where the text leaves something out
};
inline constexpr const char *constraintRow = "constraint ";
QList<MatcherRow> matcherRows(const JobMatcher &matcher, const Format &format);
// The rows' keys of its constraints, in their order.
QList<QByteArray> constraintKeys(const JobMatcher &matcher);

// A row in which matchers differ: the texts and exact values of each of them, empty where one has no such row.
struct MatcherDifference {
    QByteArray key;
    QString name;
    QStringList texts;
    QStringList values;
};
QList<MatcherDifference> differencesOf(const QList<JobMatcher> &matchers, const Format &format);

} // namespace junban::ui
