#pragma once

#include "core/matcher.h"
#include "ui/format.h"

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

// A matcher as rows of a name and a text, in the same order for every matcher: what revisions differ in.
struct MatcherRow {
    QByteArray key;   // "expression", or a constraint's id
    QString name;
    QString text;
};
QList<MatcherRow> matcherRows(const JobMatcher &matcher, const Format &format);

} // namespace junban::ui
