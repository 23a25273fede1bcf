#pragma once

#include "client/calls.h"
#include "core/access/tokenfields.h"

namespace junban::client {

// Who may call.
class TokenCalls : Calls
{
public:
    using Calls::Calls;

    CallId createToken(const TokenSpec &spec, Takes<CreatedToken> auto callback)
    {
        const QByteArray body = pack(newTokenTable, spec, Written::Sparse);
        return post(QStringLiteral("/v1/tokens"), body, createdTokenTable, std::move(callback));
    }
    CallId tokens(Takes<TokenList> auto callback) { return get(QStringLiteral("/v1/tokens"), tokenListTable, std::move(callback)); }
    // Its answer has no body.
    CallId revokeToken(const QByteArray &id, Callback<Done> callback)
    {
        const auto read = [](const Answer &) { return Result<Done>(Done{}); };
        return m_link.call<Done>({Method::Delete, namedPath("/v1/tokens/", id)}, read, std::move(callback));
    }
};

} // namespace junban::client
