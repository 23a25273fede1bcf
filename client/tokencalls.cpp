#include "client/tokencalls.h"

#include "client/apicall.h"
#include "core/access/tokenfields.h"

namespace junban::client {

namespace {

using Method = ApiLink::Method;

} // namespace

CallId TokenCalls::createToken(const TokenSpec &spec, Callback<CreatedToken> callback)
{
    return m_link.call({Method::Post, QStringLiteral("/v1/tokens"), {}, pack(newTokenTable, spec, Written::Sparse)}, createdTokenTable,
        std::move(callback));
}

CallId TokenCalls::tokens(Callback<TokenList> callback)
{
    return m_link.call({Method::Get, QStringLiteral("/v1/tokens")}, tokenListTable, std::move(callback));
}

CallId TokenCalls::revokeToken(const QByteArray &id, Callback<Done> callback)
{
    const auto read = [callback = std::move(callback)](const Result<ApiLink::Answer> &answer) {
        if (!answer.ok())
            callback(answer.error());
        else if (answer->status == 204)
            callback(Done{});
        else
            callback(decodeProblem(answer->status, answer->type, answer->body));
    };
    return m_link.send({Method::Delete, namedPath("/v1/tokens/", id)}, read);
}

} // namespace junban::client
