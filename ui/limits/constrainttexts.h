#pragma once

#include "core/jobs/administration.h"
#include "core/limits/limitanswers.h"
#include "core/limits/matcher.h"
#include "ui/base/format.h"
#include "ui/limits/kinds/kindview.h"

#include <QList>
#include <QString>

namespace junban::ui {

KindView viewOf(ConstraintKind kind);
// A kind's name by the API's word; a word that is not known is returned as it is.
QString kindName(const QByteArray &word);
// Whether limits of this kind open and close with single jobs.
bool opensBriefly(const QByteArray &kind);
QString modeName(ConstraintMode mode);
// The time zone that its times are in; empty: it has none of its own.
QByteArray zoneOf(const Constraint &constraint);
// What a constraint allows, in a line: "20 per 1 s, burst 40".
QString limitText(const Constraint &constraint, const Format &format);
// The same with its kind, its buckets and its mode: for lists of differences.
QString constraintText(const Constraint &constraint, const Format &format);
// "12 jobs are held · most by Mail vendor: 9". There must be some.
QString heldText(const HeldNow &held, const Format &format);
// What comes of one more job when a backlog is full, by the API's word: "each new job drops the oldest".
QString overflowText(const QByteArray &word);
// What holds jobs: the title of its matcher, which of a pause is only its reason.
QString holderText(const QByteArray &kind, const QByteArray &title);
// A bucket's key as it is shown. The key is empty where a constraint has one bucket for all jobs.
QString keyText(const QByteArray &key);
// "Line 2, column 5: No such function."
QString problemText(const cel::Problem &problem);
// What the form of a JobMatcher calls a field: "For each" for "constraints[0].by[1]".
QString fieldLabel(const QByteArray &field);
// What is wrong with a constraint, with the label of its field.
QString constraintFault(const Error &error);

// A matcher as rows of a name and a text. The order is the same for every matcher, so that revisions can be compared.
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

// A row in which matchers differ, with the text and the exact value of each; both are empty where a matcher has no such row.
struct MatcherDifference {
    QByteArray key;
    QString name;
    QStringList texts;
    QStringList values;
};
QList<MatcherDifference> differencesOf(const QList<JobMatcher> &matchers, const Format &format);

// How many jobs may run, or wait, at the same time, or start in a period. Nothing for kinds that do not limit that, and by key: the sum
// would change with the keys in use.
std::optional<qint64> capacityOf(const client::LiveConstraint &live);
// How much of it is taken: of a backlog, by jobs that wait.
qint64 takenOf(const client::LiveConstraint &live);
// How long the waiting jobs of a rate take when no more come; nothing of other kinds, by key, and where they can start in one period.
std::optional<qint64> clearsIn_ms(const client::LiveConstraint &live);

} // namespace junban::ui
