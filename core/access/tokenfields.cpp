#include "core/access/tokenfields.h"

#include "core/base/reasons/fields.h"
#include "core/base/reasons/requests.h"
#include "core/base/text.h"
#include "core/limits.h"
#include "core/msgpack/msgpackwriter.h"

namespace junban {

namespace {

bool readLine(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    auto &line = *static_cast<QByteArray *>(member);
    return in.text(value, line, qsizetype(field.max))
        && (in.lenient() || !hasControlCharacters(line) || in.fail(value.path, reasons::fieldHasControlCharacters));
}
void writeLine(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.text(*static_cast<const QByteArray *>(member));
}
constexpr Codec lineCodec{readLine, writeLine, codecs::same<QByteArray>, "text"};

constexpr Field rolesField()
{
    Field field = field::listOf<&TokenSpec::roles, codecs::word<Role>>("roles").atMost(int(roleWords.size())).needed();
    field.words = roleWords;
    return field;
}
constexpr Field specFields[] = {
    field::bounded<&TokenSpec::note, lineCodec>("note", limits::token_note_bytes_max).rare(),
    rolesField(),
    field::listOf<&TokenSpec::names, codecs::name>("names", limits::name_bytes_max).atMost(limits::token_names_max).rare(),
    field::bounded<&TokenSpec::match, lineCodec>("match", limits::token_match_bytes_max).rare(),
    field::time<&TokenSpec::expiresAt_ms>("expires_at").rare(),
};
constexpr TableOf<TokenSpec> tokenSpecTable{nullptr, specFields};
constexpr Field newFields[] = {
    field::beside(tokenSpecTable),
    field::duration<&TokenSpec::expiresIn_ms>("expires_in", limits::ahead_s_min, limits::ahead_s_max).rare(),
};

bool checkSpec(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &seen)
{
    const auto &spec = *static_cast<const TokenSpec *>(object);
    if (spec.roles.isEmpty())
        return in.fail({&value.path, "roles", -1}, reasons::tokenNoRole);
    for (qsizetype i = 0; i < spec.roles.size(); ++i) {
        if (spec.roles.indexOf(spec.roles[i]) != i)
            return in.fail({&value.path, "roles", -1}, reasons::tokenRoleTwice);
    }
    if (!onlyOneOf(in, value, seen, "expires_at", "expires_in"))
        return false;
    if (seen.has("expires_at") && spec.expiresAt_ms == 0) // as a member this is "never"
        return in.fail({&value.path, "expires_at", -1}, reasons::timeInThePast);
    if (seen.has("names") && spec.names.isEmpty())
        return in.fail({&value.path, "names", -1}, reasons::tokenNoPattern);
    // Whether it is true of a job is not known before the job is handed out.
    if (!spec.match.isEmpty() && spec.roles.contains(Role::Worker))
        return in.fail({&value.path, "match", -1}, reasons::tokenMatchOfWorker);
    return true;
}

constexpr Field tokenRowFields[] = {
    field::name<&Token::id>("id", limits::name_bytes_max).needed(),
    field::beside<&Token::spec>(tokenSpecTable),
    field::time<&Token::createdAt_ms>("created_at"),
    field::text<&Token::createdBy>("created_by"),
    field::time<&Token::lastUsedAt_ms>("last_used_at").rare(),
};
constexpr Field createdFields[] = {
    field::beside<&CreatedToken::token>(tokenTable),
    field::text<&CreatedToken::text>("token").needed(),
};
constexpr Field listFields[] = {field::list<&TokenList::tokens>("tokens", tokenTable).atMost(limits::tokens_max).needed()};

} // namespace

const TableOf<TokenSpec> newTokenTable{"NewToken", newFields, checkSpec};
const TableOf<Token> tokenTable{"Token", tokenRowFields};
const TableOf<CreatedToken> createdTokenTable{"CreatedToken", createdFields};
const TableOf<TokenList> tokenListTable{"TokenList", listFields};

} // namespace junban
