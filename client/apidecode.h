#pragma once

#include "client/apitypes.h"
#include "core/jobs/fsckreport.h"

#include <QByteArrayView>

// The answers of openapi/master.yaml, from MessagePack. Fields that are not known here are passed over, so that an older client
// can speak with a newer master. Errors: Malformed when the bytes are no such answer.
namespace junban::client {

// A problem document, whatever the status; one of our own making when the body is none.
Error decodeProblem(int status, QByteArrayView type, QByteArrayView body);

Result<Enqueued> decodeEnqueued(QByteArrayView body);
Result<QList<Result<Enqueued>>> decodeBatch(QByteArrayView body);
Result<QList<ClaimedJob>> decodeClaimed(QByteArrayView body);
Result<Finished> decodeFinished(QByteArrayView body);
Result<OutcomesReply> decodeOutcomes(QByteArrayView body);
Result<Heartbeat> decodeHeartbeat(QByteArrayView body);
Result<QList<Result<Heartbeat>>> decodeHeartbeats(QByteArrayView body);
Result<StateNow> decodeStateNow(QByteArrayView body);
// `header`: the answer's Junban-Result.
Result<ResultNow> decodeResult(int status, QByteArrayView header, const QByteArray &body);
Result<Job> decodeJob(QByteArrayView body);
// 200 with the outcome, or the job as it was enqueued.
Result<Answered> decodeAnswered(QByteArrayView body);
Result<MessageTaken> decodeMessageTaken(QByteArrayView body);
Result<Group> decodeJobGroup(QByteArrayView body);
Result<JobPage> decodeJobPage(QByteArrayView body);
Result<Overview> decodeOverview(QByteArrayView body);
Result<NamePage> decodeNames(QByteArrayView body);
Result<QList<Finding>> decodeFindings(QByteArrayView body);
Result<FsckReport> decodeFsckReport(QByteArrayView body);

} // namespace junban::client
