#include "ui/access/auditchange.h"

#include "core/msgpack/payload.h"
#include "ui/base/text.h"

#include <QHash>

namespace junban::ui {

namespace {

using payload::Reader;
using payload::Type;

using Leaf = std::pair<QString, QByteArray>;

// NOLINTNEXTLINE(misc-no-recursion): the depth of a value is bounded by msgpack_depth_max
void addLeaves(QList<Leaf> &leaves, const QString &path, QByteArrayView value)
{
    Reader reader(value);
    const std::optional<payload::Token> head = reader.next();
    if (head && head->type == Type::Map && head->count > 0) {
        for (quint32 i = 0; i < head->count; ++i) {
            const std::optional<QByteArrayView> key = reader.skip(), inner = key ? reader.skip() : std::nullopt;
            if (!inner)
                return;
            const payload::Token name = Reader(*key).next().value_or(payload::Token());
            const QString word = name.type == Type::String ? shown(name.bytes) : QStringLiteral("[…]");
            addLeaves(leaves, path.isEmpty() ? word : path + QLatin1Char('.') + word, *inner);
        }
    } else if (head && head->type == Type::Array && head->count > 0) {
        for (quint32 i = 0; i < head->count; ++i)
            addLeaves(leaves, QStringLiteral("%1[%2]").arg(path).arg(i), reader.skip().value_or(payload::nil));
    } else {
        leaves.append({path, value.toByteArray()});
    }
}

} // namespace

QList<ChangedField> changedFields(const QByteArray &before, const QByteArray &after)
{
    QList<Leaf> was, is;
    if (!before.isEmpty())
        addLeaves(was, {}, before);
    if (!after.isEmpty())
        addLeaves(is, {}, after);
    QHash<QString, QByteArray> became;
    for (const auto &[path, value] : std::as_const(is))
        became.insert(path, value);
    QList<ChangedField> fields;
    QHash<QString, bool> seen;
    for (const auto &[path, value] : std::as_const(was)) {
        seen.insert(path, true);
        if (became.value(path) != value)
            fields.append({path, value, became.value(path)});
    }
    for (const auto &[path, value] : std::as_const(is)) {
        if (!seen.contains(path))
            fields.append({path, {}, value});
    }
    return fields;
}

qint64 sizeOfTruncated(const QByteArray &value)
{
    if (value.isEmpty())
        return 0;
    const payload::Step mark{QByteArrayView("truncated")}, size{QByteArrayView("size")};
    const std::optional<QByteArrayView> cut = payload::find(value, {&mark, 1}), bytes = payload::find(value, {&size, 1});
    const std::optional<payload::Token> head = Reader(value).next();
    if (!cut || !bytes || !head || head->count != 2)
        return 0;
    const payload::Token flag = Reader(*cut).next().value_or(payload::Token()), number = Reader(*bytes).next().value_or(payload::Token());
    return flag.type == Type::Boolean && flag.boolean && number.type == Type::Int ? number.integer : 0;
}

} // namespace junban::ui
