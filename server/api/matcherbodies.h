#pragma once

#include "core/operators/breakers.h"
#include "core/operators/constraintinspector.h"
#include "core/operators/matchereditor.h"
#include "core/operators/previewer.h"
#include "core/operators/rereader.h"

#include <QByteArray>

// The bodies of matchers and constraints in openapi/master.yaml.
namespace junban::api {

QByteArray encodeNames(const cel::NameSet &names);
QByteArray encodeMatcher(const JobMatcher &matcher);
QByteArray encodeMatchers(const MatcherSet &set, int limit, const QByteArray &after, qint64 reading);
QByteArray encodeHistory(const MatcherStore::History &history);
// A problem document with the places of what is wrong.
QByteArray encodeProblems(const QList<ExpressionProblem> &problems);
QByteArray encodeConstraints(const ConstraintInspector::List &list);
QByteArray encodeBuckets(const ConstraintInspector::BucketPage &page);
QByteArray encodeHeld(const ConstraintInspector::Held &held);
QByteArray encodeExplained(const ConstraintInspector::Explained &explained);

QByteArray encodePreview(const Previewer::Preview &preview);

// The matcher to look at, with the saved one's id, or one that no saved matcher has; and the job to try it on.
struct PreviewBody {
    JobMatcher matcher;
    std::optional<Previewer::Subject> subject;
};
Result<PreviewBody> decodePreview(QByteArrayView body);
Result<qint64> decodeRevert(QByteArrayView body);

// `to`: what the request does.
Result<Breakers::Change> decodeBreaker(QByteArrayView body, BreakerState to);
QByteArray encodeBreaker(const Breakers::Changed &changed);

struct PauseBody {
    QByteArray match;              // empty: everything
    PauseParameters parameters;
};
Result<PauseBody> decodePause(QByteArrayView body);
JobMatcher pauseMatcher(const QByteArray &id, const PauseBody &body);
// Whether it was made so, and not by hand.
bool isPause(const JobMatcher &matcher);
QByteArray encodePause(const JobMatcher &matcher);
QByteArray encodePauses(const QList<JobMatcher> &matchers);
// The id, or nothing for all.
Result<QByteArray> decodeResume(QByteArrayView body);

} // namespace junban::api
