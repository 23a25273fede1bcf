#pragma once

#include "client/calls.h"
#include "core/access/session.h"

namespace junban::client {

// Who the client is to the master, and the browsers that signed in with its token.
class SessionCalls : Calls
{
public:
    using Calls::Calls;

    CallId session(Takes<SessionView> auto callback) { return get(QStringLiteral("/v1/session"), sessionTable, std::move(callback)); }
    // Ends all sessions of this client's token; the token itself stays. The answer has no body.
    CallId signOutEverywhere(Callback<Done> callback)
    {
        const auto read = [](const Answer &) { return Result<Done>(Done{}); };
        return m_link.call<Done>({Method::Delete, QStringLiteral("/v1/session"), {{QStringLiteral("everywhere"), "true"}}}, read,
                                 std::move(callback));
    }
};

} // namespace junban::client
