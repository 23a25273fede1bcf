#pragma once

#include "core/limits/limitrequests.h"
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

QByteArray encodeBreaker(const Breakers::Changed &changed);

JobMatcher pauseMatcher(const QByteArray &id, const PauseQuery &pause);
// Whether it was made so, and not by hand.
bool isPause(const JobMatcher &matcher);
QByteArray encodePause(const JobMatcher &matcher);
QByteArray encodePauses(const QList<JobMatcher> &matchers);

} // namespace junban::api
