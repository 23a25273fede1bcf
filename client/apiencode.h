#pragma once

#include "client/apitypes.h"

// The request bodies of openapi/master.yaml, as MessagePack. Fields that stand at their default are left out.
namespace junban::client {

// `then`: follow-ups besides the job's own, as MessagePack maps that go as they are.
QByteArray encodeJob(const JobSpec &job, const QList<QByteArray> &then = {});
QByteArray encodeBatch(const QList<JobSpec> &jobs);
QByteArray encodeClaim(const QByteArray &worker, const ClaimQuery &query);
QByteArray encodeReport(const Report &report);
QByteArray encodeReports(const QByteArray &worker, const QList<Report> &reports, const std::optional<ClaimQuery> &next);
QByteArray encodeHeartbeat(const Lease &lease, const std::optional<Progress> &progress);
QByteArray encodeHeartbeats(const QByteArray &worker, const QList<Lease> &leases);
QByteArray encodeRelease(const Lease &lease, qint64 delay_ms);
QByteArray encodeEdit(const JobEdit &edit);
QByteArray encodeHandoff(const Lease &lease, const QByteArray &key, qint64 timeout_ms);
QByteArray encodeMessage(const Outcome &outcome);
QByteArray encodeGroup(const GroupChange &change);
QByteArray encodeCancel(CancelMode mode);
QByteArray encodeNothing();

} // namespace junban::client
