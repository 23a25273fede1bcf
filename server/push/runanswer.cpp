#include "server/push/runanswer.h"

#include "core/base/reasons/workers.h"
#include "core/base/text.h"
#include "core/jobs/jobcalls.h"
#include "core/jobs/jobfields.h"
#include "core/msgpack/json.h"
#include "core/msgpack/payload.h"

#include <QMessageAuthenticationCode>

namespace junban::push {

namespace {

constexpr char msgpackType[] = "application/vnd.msgpack";
constexpr char jsonType[] = "application/json";

// The lines with which a worker can tell that the request is its master's.
QByteArray signature(const CallRequest &request, const WorkerRegistration &registration, qint64 at_s)
{
    if (registration.secret.isEmpty())
        return {};
    const QByteArray time = QByteArray::number(at_s);
    const QByteArray path = QUrl(QString::fromUtf8(registration.url)).path(QUrl::FullyEncoded).toLatin1() + request.path;
    const QByteArray text = request.method + '\n' + path + '\n' + time + '\n' + request.body;
    const QByteArray code = QMessageAuthenticationCode::hash(text, registration.secret, QCryptographicHash::Sha256).toHex();
    return "Junban-Time: " + time + "\r\nJunban-Signature: " + code + "\r\n";
}

CallRequest signedRequest(CallRequest request, const WorkerRegistration &registration, qint64 at_s)
{
    request.fields = signature(request, registration, at_s);
    return request;
}

CallRequest postOf(const QByteArray &path, const QByteArray &map, const WorkerRegistration &registration, qint64 at_s)
{
    const bool asJson = registration.encoding == WorkerEncoding::Json;
    return signedRequest(
        {"POST", path, asJson ? json::fromMsgpack(map) : map, asJson ? jsonType : msgpackType}, registration, at_s);
}

Outcome failure(const QByteArray &finishedAt, const Reason &reason)
{
    Outcome outcome;
    outcome.type = OutcomeType::Failure;
    outcome.finishedAt = finishedAt;
    outcome.shouldRetry = true;
    outcome.message = reason.text;
    return outcome;
}

Result<Outcome> outcomeOf(const HttpAnswer &answer)
{
    if (!answer.contentCoding().isEmpty()) {
        const QByteArray coding = shown(answer.contentCoding(), limits::shown_bytes_max);
        return reasons::workerAnswerEncoded(coding);
    }
    QByteArray body = answer.body();
    if (answer.contentType() == jsonType) {
        Result<QByteArray> packed = json::toMsgpack(body);
        if (!packed.ok())
            return packed.error();
        body = std::move(*packed);
    }
    if (const Result<Done> valid = payload::validate(body); !valid.ok())
        return valid.error();
    return unpackRequest(messageTable, body);
}

} // namespace

CallRequest runRequest(const ClaimedJob &job, const WorkerRegistration &registration, qint64 at_s)
{
    return postOf("/v1/run", pack(claimedJobTable, job), registration, at_s);
}

CallRequest cancelRequest(const ClaimedJob &job, const WorkerRegistration &registration, qint64 at_s)
{
    static constexpr Field fields[] = {field::name<&ClaimedJob::lease>("lease", limits::name_bytes_max).needed()};
    static constexpr TableOf<ClaimedJob> leaseTable{nullptr, fields};
    return postOf("/v1/jobs/" + job.id.text() + "/cancel", pack(leaseTable, job), registration, at_s);
}

CallRequest healthRequest(const WorkerRegistration &registration, qint64 at_s)
{
    return signedRequest({"GET", "/v1/health"}, registration, at_s);
}

RunAnswer runAnswerOf(Fate fate, const HttpAnswer &answer, const Reason &trouble, const QByteArray &finishedAt)
{
    using Means = RunAnswer::Means;
    if (fate == Fate::NotSent)
        return {Means::Busy, {}, trouble};
    if (fate == Fate::Unknown)
        return {Means::Unknown, {}, trouble};
    const int status = answer.status();
    const Reason said = reasons::workerAnswered(status);
    if (status == 200) {
        Result<Outcome> outcome = outcomeOf(answer);
        if (outcome.ok())
            return {Means::Reported, std::move(*outcome), {}};
        const Reason &why = outcome.error().reason;
        return {Means::Reported, failure(finishedAt, reasons::attemptWithoutOutcome(why)), reasons::workerWithoutOutcome(why)};
    }
    if (status == 202)
        return {Means::Accepted, {}, {}};
    if (status == 429 || status == 503)
        return {Means::Busy, {}, said};
    if (status >= 300 && status < 500)
        return {Means::Refused, {}, said};
    // Another 2xx is no refusal either: the worker may have run the job.
    return {Means::Reported, failure(finishedAt, reasons::attemptAnswered(status)), said};
}

} // namespace junban::push
