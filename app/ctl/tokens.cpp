// Who may call.
#include "app/ctl/terminal.h"
#include "app/ctl/verbs.h"
#include "core/access/tokenfields.h"
#include "core/base/isotime.h"
#include "core/msgpack/json.h"

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
    const QList<QByteArray> words = flags.texts("--role ROLE", "pusher, worker, viewer, operator or admin; repeatable.");
    for (const QByteArray &word : words) {
        const auto found = std::find(roleWords.begin(), roleWords.end(), word);
        if (found == roleWords.end())
            flags.refuse("--role ROLE", "must be pusher, worker, viewer, operator or admin");
        else
            roles.append(static_cast<Role>(found - roleWords.begin()));
    }
    return roles;
}

QByteArray timeOr(qint64 at_ms, const char *otherwise)
{
    return at_ms == 0 ? QByteArray(otherwise) : isoTime(at_ms);
}

bool asJson(Flags &flags)
{
    return flags.on("--json", "Print the master's answer as JSON.");
}

template<typename T>
QByteArray jsonOf(const TableOf<T> &table, const T &value)
{
    return json::fromMsgpack(pack(table, value)) + '\n';
}

QByteArray scopeText(const TokenSpec &spec)
{
    QByteArrayList parts(spec.names.begin(), spec.names.end());
    if (!spec.match.isEmpty())
        parts.append('(' + spec.match + ')');
    return parts.isEmpty() ? QByteArray("all") : forTerminal(parts.join(' '));
}

QByteArray tokensText(const TokenList &list)
{
    QList<QList<QByteArray>> rows{{"ID", "ROLES", "JOBS", "CREATED", "BY", "LAST USED", "EXPIRES", "NOTE"}};
    for (const Token &token : list.tokens) {
        rows.append({forTerminal(token.id), rolesText(token.spec.roles), scopeText(token.spec), isoTime(token.createdAt_ms),
            forTerminal(token.createdBy), timeOr(token.lastUsedAt_ms, "never"),
            timeOr(token.spec.expiresAt_ms, "never"), forTerminal(token.spec.note)});
    }
    return table(rows);
}

} // namespace

void tokens(Session &session, Flags &flags)
{
    const bool json = asJson(flags);
    if (!flags.ready())
        return;
    session.client().tokens([&session, json](const Result<TokenList> &list) {
        session.finish(list, [json](const TokenList &all) { return json ? jsonOf(tokenListTable, all) : tokensText(all); });
    });
}

void tokensCreate(Session &session, Flags &flags)
{
    TokenSpec spec;
    spec.roles = rolesOf(flags);
    spec.note = flags.text("--note NOTE", "What it is for.").value_or(QByteArray());
    spec.names = flags.texts("--names PATTERN", "Only jobs of this name, or like mail.*; repeatable. Default: all.");
    spec.match = flags.text("--match EXPRESSION", "Only jobs for which this is true, like job.priority > 0.").value_or(QByteArray());
    spec.expiresAt_ms = flags.time_ms("--expires TIME", "When it ends, like 2027-01-02T03:04:05Z. Default: never.").value_or(0);
    const bool json = asJson(flags);
    flags.note("Standard output is the token alone, so that it can go into a file:\n\n"
               "    (umask 077; junbanctl tokens create --role worker > worker.token)\n\n"
               "From the first token on, every caller needs one.");
    if (!flags.ready())
        return;
    session.client().createToken(spec, [&session, json](const Result<CreatedToken> &created) {
        session.finish(created, [json](const CreatedToken &made) { return json ? jsonOf(createdTokenTable, made) : made.text + '\n'; });
    });
}

void tokensRevoke(Session &session, Flags &flags)
{
    const QByteArray id = flags.word("ID", "The token's id, as the list shows it.");
    if (!flags.ready())
        return;
    session.client().revokeToken(id, [&session, id](const Result<Done> &revoked) {
        session.finish(revoked, [id](const Done &) { return forTerminal(id) + " revoked\n"; });
    });
}

} // namespace junban::app
