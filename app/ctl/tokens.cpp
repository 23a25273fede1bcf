// Who may call.
#include "app/ctl/asking.h"
#include "app/ctl/verbs.h"
#include "core/access/tokenfields.h"
#include "core/base/reasons/start.h"
#include "core/limits.h"

#include <algorithm>

namespace junban::app {

namespace {

QByteArray rolesText(const QList<Role> &roles)
{
    QByteArrayList words;
    for (const Role role : roles)
        words.append(roleWords[size_t(role)]);
    return words.join(',');
}

QList<Role> rolesOf(Flags &flags)
{
    QList<Role> roles;
    const QList<QByteArray> words = flags.texts("--role ROLE", "What it may do: pusher, worker, viewer, operator or admin.");
    for (const QByteArray &word : words) {
        const auto found = std::find(roleWords.begin(), roleWords.end(), word);
        if (found == roleWords.end())
            flags.refuse(reasons::optionWordExpected("--role", wordsOf(roleWords), word));
        else
            roles.append(static_cast<Role>(found - roleWords.begin()));
    }
    return roles;
}

QByteArray timeOrNever(qint64 at_ms)
{
    return at_ms == 0 ? QByteArray("never") : timeText(at_ms);
}

QByteArray scopeText(const TokenSpec &spec)
{
    QByteArrayList parts(spec.names.begin(), spec.names.end());
    if (!spec.match.isEmpty())
        parts.append('(' + spec.match + ')');
    return parts.isEmpty() ? QByteArray("all") : parts.join(' ');
}

// The answer to a revocation has no body.
struct Revoked {
    QByteArray id;
};
constexpr Field revokedFields[] = {field::text<&Revoked::id>("revoked")};
constexpr TableOf<Revoked> revokedTable{nullptr, revokedFields};

QByteArray makerText(const Token &token)
{
    return token.createdBy == openCaller ? QByteArray("(no token yet)") : token.createdBy;
}

constexpr Column<Token> tokenColumns[] = {
    {"id", [](const Token &token) { return token.id; }},
    {"roles", [](const Token &token) { return rolesText(token.spec.roles); }},
    {"jobs", [](const Token &token) { return scopeText(token.spec); }},
    {"created", [](const Token &token) { return timeText(token.createdAt_ms); }},
    {"by", makerText},
    {"last used", [](const Token &token) { return timeOrNever(token.lastUsedAt_ms); }},
    {"expires", [](const Token &token) { return timeOrNever(token.spec.expiresAt_ms); }},
    {"note", [](const Token &token) { return token.spec.note; }},
};

// Nobody has it, and nobody can ask for it again.
void revokeUnseen(Session &session, const QByteArray &id)
{
    session.client().revokeToken(id, [&session, id](const Result<Done> &done) {
        session.note(done.ok() ? "the token was not seen by anybody and is revoked again"
                               : "revoke the token " + id + ", which nobody has seen");
        session.end(exits::unwritten);
    });
}

} // namespace

void tokens(Session &session, Flags &flags)
{
    flags.note("The column 'by' has the id of the token that each was made with, or 'console' for the window's. '(no token yet)': it\n"
               "was made while no caller needed one; in JSON that is 'open'.");
    if (!flags.ready())
        return;
    session.client().tokens([&session](const Result<TokenList> &list) {
        session.finish(list, tokenListTable, [](const TokenList &all) { return table(tokenColumns, all.tokens); });
    });
}

void tokensCreate(Session &session, Flags &flags)
{
    TokenSpec spec;
    spec.roles = rolesOf(flags);
    spec.note = flags.text("--note NOTE", "What it is for.").value_or(QByteArray());
    spec.names = flags.texts("--names PATTERN", "Only jobs of this name, or like mail.*. Default: all.");
    spec.match = flags.text("--match EXPRESSION", "Only jobs for which this is true, like job.priority > 0.").value_or(QByteArray());
    spec.expiresAt_ms = flags.time_ms("--expires TIME", "When it ends, like 2027-01-02T03:04:05Z. Default: never.").value_or(0);
    spec.expiresIn_ms = flags.seconds_ms("--expires-in SECONDS", "How long it is valid",
        {limits::ahead_s_min, limits::ahead_s_max, {}, "for ever"});
    flags.refuseBoth(spec.expiresAt_ms > 0 && spec.expiresIn_ms, "--expires", "--expires-in");
    flags.note("Standard output is the token alone, so that it can go into a file:\n\n"
               "    (umask 077; junbanctl tokens create --role admin > admin.token)\n\n"
               "From the first token on, every caller needs one. Let the first be an admin's, for all jobs: only an admin makes more.");
    if (!flags.ready())
        return;
    session.client().createToken(spec, [&session](const Result<CreatedToken> &created) {
        if (!created.ok())
            session.fail(created.error());
        else if (session.show(*created, createdTokenTable, [](const CreatedToken &made) { return made.text + '\n'; }))
            session.end(exits::done);
        else
            revokeUnseen(session, created->token.id);
    });
}

void tokensRevoke(Session &session, Flags &flags)
{
    const QByteArray id = flags.word("ID", "The token's id, as the list shows it.");
    if (!isAgreed(session, flags, "Revoke the token " + id))
        return;
    session.client().revokeToken(id, [&session, id](const Result<Done> &done) {
        const Result<Revoked> revoked = done.ok() ? Result<Revoked>(Revoked{id}) : done.error();
        session.finish(revoked, revokedTable, [](const Revoked &gone) { return forTerminal(gone.id) + " is revoked\n"; });
    });
}

} // namespace junban::app
