#include "client/administrationcalls.h"

namespace junban::client {

CallId AdministrationCalls::readiness(Callback<Readiness> callback)
{
    return m_link.send({Method::Get, QStringLiteral("/readyz")}, [callback = std::move(callback)](Result<Answer> answer) {
        if (!answer.ok()) {
            callback(answer.error());
        } else if (answer->status == 200) {
            callback(Readiness{true, {}, answer->trip_ms, answer->behindTls});
        } else if (answer->status == 503) {
            const Reason why = decodeProblem(answer->status, answer->type, answer->body).reason;
            callback(Readiness{false, why, answer->trip_ms, answer->behindTls});
        } else {
            callback(decodeProblem(answer->status, answer->type, answer->body));
        }
    });
}

} // namespace junban::client
