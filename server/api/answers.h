#pragma once

#include "core/base/result.h"
#include "core/operators/inspector.h"
#include "core/queue/queue.h"

#include <QByteArray>

// The answers of openapi/master.yaml as MessagePack.
namespace junban::api {

// The HTTP status of an error (openapi/master.yaml, "Errors").
int statusOf(const Error &error);
// An RFC 9457 problem document.
QByteArray encodeProblem(const Error &error);
QByteArray encodeProblem(int status, QByteArrayView code, QByteArrayView detail);

QByteArray encodeEnqueued(const Enqueued &enqueued);
QByteArray encodeBatch(const QList<Result<Enqueued>> &results);
QByteArray encodeClaimed(const QList<ClaimedJob> &jobs);
QByteArray encodeFinished(const Finished &finished);
QByteArray encodeOutcomes(const QList<Result<Finished>> &results, const QList<ClaimedJob> &jobs);
QByteArray encodeHeartbeat(const Heartbeat &heartbeat);
QByteArray encodeHeartbeats(const QList<Result<Heartbeat>> &results);
QByteArray encodeState(const StateNow &now);
QByteArray encodePending(JobState state);
QByteArray encodeJob(const Job &job);
QByteArray encodeJobRow(const Job &job);   // without attempts and history: a list's
// A push that was waited for, with the outcome object (or nil).
QByteArray encodeAnswered(const Enqueued &enqueued, QByteArrayView outcome);
QByteArray encodeMessageTaken(const MessageTaken &taken);
QByteArray encodeJobGroup(const Group &group);
QByteArray encodeList(const Inspector::List &list);
QByteArray encodeOverview(const Inspector::Overview &overview);
QByteArray encodeFindings(const QList<Finding> &findings);
QByteArray encodeNames(const QList<NameCounts> &names, int limit);

} // namespace junban::api
