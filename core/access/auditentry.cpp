#include "core/access/auditentry.h"

#include "core/base/text.h"
#include "core/limits.h"
#include "core/msgpack/msgpackwriter.h"

#include <algorithm>
#include <array>
#include <utility>

namespace junban {

namespace {

constexpr Field auditRolesField()
{
    Field field = field::listOf<&AuditEntry::roles, codecs::word<Role>>("roles").atMost(int(roleWords.size()));
    field.words = roleWords;
    return field;
}
constexpr Field auditEntryFields[] = {
    field::time<&AuditEntry::at_ms>("at").needed(),
    field::text<&AuditEntry::actor>("actor").needed(),
    field::text<&AuditEntry::note>("note").rare(),
    field::text<&AuditEntry::address>("address").rare(),
    auditRolesField(),
    field::text<&AuditEntry::action>("action").needed(),
    field::text<&AuditEntry::target>("target"),
    field::text<&AuditEntry::reason>("reason").rare(),
    field::any<&AuditEntry::before>("before").rare(),
    field::any<&AuditEntry::after>("after").rare(),
    field::integer<&AuditEntry::result>("result", 200, 599).rare(),
};

constexpr std::array<QByteArrayView, 3> payloadFields = {"argument", "result", "error"};

bool isPayload(const payload::Token &key)
{
    return key.type == payload::Type::String && std::find(payloadFields.begin(), payloadFields.end(), key.bytes) != payloadFields.end();
}

// The fields of a map as (key, value), each a MessagePack value; nothing of anything else.
using RawFields = QList<std::pair<QByteArrayView, QByteArrayView>>;
RawFields fieldsOf(QByteArrayView map)
{
    payload::Reader reader(map);
    const std::optional<payload::Token> head = reader.next();
    RawFields fields;
    for (quint32 i = 0; head && head->type == payload::Type::Map && i < head->count; ++i) {
        const std::optional<QByteArrayView> key = reader.skip();
        const std::optional<QByteArrayView> value = key ? reader.skip() : std::nullopt;
        if (!value)
            return fields;
        fields.append({*key, *value});
    }
    return fields;
}

// NOLINTNEXTLINE(misc-no-recursion): the depth of a value is bounded by msgpack_depth_max
void copyWithoutPayloads(MsgpackWriter &out, QByteArrayView value)
{
    payload::Reader reader(value);
    const std::optional<payload::Token> head = reader.next();
    if (head && head->type == payload::Type::Array) {
        out.array(head->count);
        for (quint32 i = 0; i < head->count; ++i)
            copyWithoutPayloads(out, reader.skip().value_or(payload::nil));
    } else if (head && head->type == payload::Type::Map) {
        RawFields fields = fieldsOf(value);
        erase_if(fields, [](const auto &field) { return isPayload(payload::Reader(field.first).next().value_or(payload::Token())); });
        out.map(fields.size());
        for (const auto &[key, inner] : std::as_const(fields)) {
            out.raw(key);
            copyWithoutPayloads(out, inner);
        }
    } else {
        out.raw(value);
    }
}

QByteArray packed(const RawFields &fields)
{
    MsgpackWriter out;
    out.map(fields.size());
    for (const auto &[key, value] : fields)
        out.raw(key).raw(value);
    return out.take();
}

// Covers what looks like a token. The length stays the same, so that MessagePack stays whole.
void coverTokens(QByteArray &bytes)
{
    static constexpr QByteArrayView mark = "jt_";
    const auto isOfToken = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    };
    for (qsizetype at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.size())) {
        qsizetype end = at + mark.size();
        while (end < bytes.size() && isOfToken(bytes[end]))
            ++end;
        if (end - at < limits::audit_token_bytes_min)
            continue;
        for (qsizetype i = at + mark.size(); i < end; ++i)
            bytes[i] = '*';
    }
}

void bound(QByteArray &value)
{
    if (value.size() > limits::audit_value_bytes_max)
        value = MsgpackWriter().map(2).text("truncated").boolean(true).text("size").integer(value.size()).take();
}

} // namespace

const TableOf<AuditEntry> auditEntryTable{"AuditEntry", auditEntryFields};
namespace {

constexpr Field auditPageFields[] = {
    field::list<&AuditPage::entries>("entries", auditEntryTable).atMost(limits::page_rows_max).needed(),
    field::text<&AuditPage::next>("next").rare(),
};

} // namespace

const TableOf<AuditPage> auditPageTable{"AuditPage", auditPageFields};

QByteArray withoutPayloads(QByteArrayView value)
{
    MsgpackWriter out;
    copyWithoutPayloads(out, value);
    return out.take();
}

AuditEntry fitForAudit(AuditEntry entry)
{
    for (QByteArray *value : {&entry.before, &entry.after})
        *value = value->isEmpty() ? QByteArray() : withoutPayloads(*value);
    if (!entry.before.isEmpty() && !entry.after.isEmpty()) {
        RawFields before = fieldsOf(entry.before), after = fieldsOf(entry.after);
        const RawFields all = before;
        erase_if(before, [&](const auto &field) { return after.contains(field); });
        erase_if(after, [&](const auto &field) { return all.contains(field); });
        const QByteArray changed = packed(after);
        entry.before = packed(before);
        entry.after = changed;
    }
    for (QByteArray *text : {&entry.actor, &entry.note, &entry.address, &entry.action, &entry.target, &entry.reason}) {
        coverTokens(*text);
        *text = shown(*text, limits::audit_text_bytes_max);
    }
    for (QByteArray *value : {&entry.before, &entry.after}) {
        coverTokens(*value);
        bound(*value);
    }
    return entry;
}

} // namespace junban
