#include "client/administrationcalls.h"

#include "client/apicall.h"

namespace junban::client {

namespace {

using Method = ApiLink::Method;
using Answer = ApiLink::Answer;

} // namespace

CallId AdministrationCalls::overview(Callback<Overview> callback)
{
    return m_link.call({Method::Get, QStringLiteral("/v1/overview")}, overviewTable, std::move(callback));
}

CallId AdministrationCalls::doctor(Callback<Findings> callback)
{
    return m_link.call({Method::Get, QStringLiteral("/v1/doctor")}, findingsTable, std::move(callback));
}

CallId AdministrationCalls::fsck(Repair repair, const QByteArray &cursor, Callback<FsckReport> callback)
{
    const QByteArray body = pack(fsckBodyTable, {repair == Repair::Yes, cursor}, Written::Sparse);
    return m_link.call({Method::Post, QStringLiteral("/v1/fsck"), {}, body}, fsckReportTable, std::move(callback));
}

CallId AdministrationCalls::names(int limit, const QByteArray &after, Callback<NamePage> callback)
{
    return m_link.call(
        {Method::Get, QStringLiteral("/v1/names"), pageQuery(limit, QStringLiteral("after"), after)}, namePageTable, std::move(callback));
}

CallId AdministrationCalls::readiness(Callback<Readiness> callback)
{
    return m_link.send({Method::Get, QStringLiteral("/readyz")}, [callback = std::move(callback)](Result<Answer> answer) {
        if (!answer.ok()) {
            callback(answer.error());
        } else if (answer->status == 200) {
            callback(Readiness{true, answer->body.trimmed(), answer->trip_ms});
        } else if (answer->status == 503) {
            const Error problem = decodeProblem(answer->status, answer->type, answer->body);
            callback(Readiness{false, problem.message, answer->trip_ms});
        } else {
            callback(decodeProblem(answer->status, answer->type, answer->body));
        }
    });
}

} // namespace junban::client
