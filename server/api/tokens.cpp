#include "core/access/tokenfields.h"
#include "core/operators/tokens.h"
#include "server/api/handlers.h"

// Tokens: who may call.
namespace junban::api {

namespace {

void createToken(const Parts &parts, const Call &call)
{
    std::optional<TokenSpec> spec = bodyOf(call, newTokenTable);
    if (!spec)
        return;
    parts.tokens.create(std::move(*spec), call.caller.who, [call](const Result<CreatedToken> &created) {
        if (created.ok()) {
            call.auditTarget(created->token.id);
            call.auditAfter(pack(tokenTable, created->token));
        }
        answering(call, createdTokenTable, 201)(created);
    });
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
    if (const std::optional<Token> token = parts.tokens.known(*id))
        call.auditBefore(pack(tokenTable, *token));
    parts.tokens.revoke(*id, [call](const Result<Done> &revoked) {
        if (revoked.ok())
            call.replyEmpty();
        else
            call.fail(revoked.error());
    });
}

constexpr Operation tokenHandlers[] = {here("createToken", createToken), here("listTokens", listTokens), here("revokeToken", revokeToken)};

} // namespace

const std::span<const Operation> tokenOperations = tokenHandlers;

} // namespace junban::api
