#pragma once

#include "client/calls.h"
#include "core/jobs/administration.h"

namespace junban::client {

// The answer of /readyz: whether a script ran in Redis just now.
struct Readiness {
    bool ready = false;
    Reason why = {};                 // it is not ready
    qint64 trip_ms = 0;              // how long the answer took
    bool behindTls = false;          // the master was started with --behind-tls
};

// A namespace and a master as a whole.
class AdministrationCalls : Calls
{
public:
    using Calls::Calls;

    CallId overview(Takes<Overview> auto callback) { return get(QStringLiteral("/v1/overview"), overviewTable, std::move(callback)); }
    // Waits for a change after the revision `since`; without it the answer is the present revision, at once.
    CallId changes(std::optional<qint64> since, qint64 wait_ms, Takes<News> auto callback)
    {
        Query query;
        if (since)
            query = {{QStringLiteral("since"), QByteArray::number(*since)}, {QStringLiteral("wait"), seconds(wait_ms)}};
        return m_link.call<News>({Method::Get, QStringLiteral("/v1/changes"), query, {}, wait_ms}, newsTable, std::move(callback));
    }
    CallId doctor(Takes<Findings> auto callback) { return get(QStringLiteral("/v1/doctor"), findingsTable, std::move(callback)); }
    // Checks a part of the namespace for broken invariants; `next` of the answer is the cursor of the next part.
    CallId fsck(Repair repair, const QByteArray &cursor, Takes<FsckReport> auto callback)
    {
        const QByteArray body = pack(fsckBodyTable, {repair == Repair::Yes, cursor}, Written::Sparse);
        return post(QStringLiteral("/v1/fsck"), body, fsckReportTable, std::move(callback));
    }
    CallId names(int limit, const QByteArray &after, Takes<NamePage> auto callback)
    {
        return get(QStringLiteral("/v1/names"), pageQuery(limit, "after", after), namePageTable, std::move(callback));
    }
    CallId readiness(Callback<Readiness> callback);
};

} // namespace junban::client
