#include "server/api/api.h"
#include "server/api/recordanswers.h"
#include "server/api/recordrequests.h"

// What administrators do to a namespace as a whole.
namespace junban::api {

void Api::checkNamespace(const Call &call)
{
    Result<LookRequest> request = decodeLook(call.body);
    if (!request.ok()) {
        call.fail(request.error());
        return;
    }
    m_inspector.look(request->repair, std::move(request->cursor), [call](const Result<FsckReport> &report) {
        if (report.ok())
            call.reply(200, encodeFsckReport(*report));
        else
            call.fail(report.error());
    });
}

} // namespace junban::api
