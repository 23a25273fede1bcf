#pragma once

#include "client/apilink.h"
#include "core/jobs/administration.h"

namespace junban::client {

// What /readyz says: whether a script ran in Redis just now.
struct Readiness {
    bool ready = false;
    QByteArray detail;
    qint64 trip_ms = 0;              // how long the answer took
};

// A namespace and a master as a whole.
class AdministrationCalls
{
public:
    explicit AdministrationCalls(ApiLink &link) : m_link(link) {}

    CallId overview(Callback<Overview> callback);
    CallId doctor(Callback<Findings> callback);
    // A part of a look for broken invariants; `next` of the answer is the cursor of the next part.
    CallId fsck(Repair repair, const QByteArray &cursor, Callback<FsckReport> callback);
    CallId names(int limit, const QByteArray &after, Callback<NamePage> callback);
    CallId readiness(Callback<Readiness> callback);

private:
    ApiLink &m_link;
};

} // namespace junban::client
