#include "core/access/tokenfields.h"
#include "core/operators/tokens.h"
#include "server/api/handlers.h"

// Tokens: who may call.
namespace junban::api {

namespace {

void createToken(const Parts &parts, const Call &call)
{
    if (std::optional<TokenSpec> spec = bodyOf(call, newTokenTable))
        parts.tokens.create(std::move(*spec), call.caller.who, answering(call, createdTokenTable, 201));
}

void listTokens(const Parts &parts, const Call &call)
{
    parts.tokens.list(answering(call, tokenListTable));
}

void revokeToken(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("token");
    if (!id || !hasNoBody(call))
        return;
    parts.tokens.revoke(*id, [call](const Result<Done> &revoked) {
        if (revoked.ok())
            call.exchange().reply({204, {}, {}});
        else
            call.fail(revoked.error());
    });
}

constexpr Operation tokenHandlers[] = {{"createToken", createToken}, {"listTokens", listTokens}, {"revokeToken", revokeToken}};

} // namespace

const std::span<const Operation> tokenOperations = tokenHandlers;

} // namespace junban::api
