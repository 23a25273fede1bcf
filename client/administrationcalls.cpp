#include "client/administrationcalls.h"

namespace junban::client {

CallId AdministrationCalls::readiness(Callback<Readiness> callback)
{
    return m_link.send({Method::Get, QStringLiteral("/readyz")}, [callback = std::move(callback)](Result<Answer> answer) {
        if (!answer.ok()) {
            callback(answer.error());
        } else if (answer->status == 200) {
            callback(Readiness{true, {}, answer->trip_ms});
        } else if (answer->status == 503) {
            callback(Readiness{false, decodeProblem(answer->status, answer->type, answer->body).reason, answer->trip_ms});
        } else {
            callback(decodeProblem(answer->status, answer->type, answer->body));
        }
    });
}

} // namespace junban::client
