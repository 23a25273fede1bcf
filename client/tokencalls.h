#pragma once

#include "client/apilink.h"
#include "core/access/token.h"

namespace junban::client {

// Who may call.
class TokenCalls
{
public:
    explicit TokenCalls(ApiLink &link) : m_link(link) {}

    CallId createToken(const TokenSpec &spec, Callback<CreatedToken> callback);
    CallId tokens(Callback<TokenList> callback);
    CallId revokeToken(const QByteArray &id, Callback<Done> callback);

private:
    ApiLink &m_link;
};

} // namespace junban::client
