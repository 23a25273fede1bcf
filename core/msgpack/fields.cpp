#include "core/msgpack/fields.h"

#include "core/base/isotime.h"
#include "core/base/text.h"
#include "core/limits.h"

#include <algorithm>
#include <cmath>

namespace junban {

namespace {

QByteArray shown(double number)
{
    return QByteArray::number(number, 'g', 15);
}

} // namespace

Fields::Fields(QByteArrayView bytes, QByteArray path) : m_path(std::move(path))
{
    payload::Reader reader(bytes);
    const auto token = reader.next();
    if (!token || token->type != payload::Type::Map) {
        m_error = Error{ErrorCode::InvalidField, "This must be an object.", m_path};
        return;
    }
    for (quint32 i = 0; i < token->count; ++i) {
        const auto key = reader.next();
        const bool isText = key && key->type == payload::Type::String;
        const auto content = isText ? reader.skip() : std::nullopt;
        if (!content) {
            m_error = Error{ErrorCode::InvalidField, "The object's keys must be texts.", m_path};
            return;
        }
        const QByteArray name = key->bytes.toByteArray();
        if (indexOf(name.constData()) >= 0)
            refuse(name, "The field stands there twice.");
        m_entries.append({name, *content});
    }
}

QByteArray Fields::pathOf(const QByteArray &name) const
{
    return m_path.isEmpty() ? name : m_path + '.' + name;
}

void Fields::refuse(const QByteArray &name, QByteArray message)
{
    if (!m_error)
        m_error = Error{ErrorCode::InvalidField, std::move(message), pathOf(name)};
}

void Fields::refuse(const Error &error)
{
    if (!m_error)
        m_error = error;
}

qsizetype Fields::indexOf(const char *name) const
{
    for (qsizetype i = 0; i < m_entries.size(); ++i) {
        if (m_entries[i].name == name)
            return i;
    }
    return -1;
}

std::optional<QByteArrayView> Fields::value(const char *name)
{
    const qsizetype index = indexOf(name);
    if (index < 0)
        return {};
    m_entries[index].asked = true;
    const QByteArrayView bytes = m_entries[index].value;
    return m_error ? std::nullopt : std::optional(bytes);
}

void Fields::require(const char *name)
{
    if (indexOf(name) < 0)
        refuse(name, "This field is needed.");
}

std::optional<payload::Token> Fields::head(const char *name)
{
    const auto bytes = value(name);
    return bytes ? payload::Reader(*bytes).next() : std::nullopt;
}

std::optional<qint64> Fields::integer(const char *name, qint64 min, qint64 max)
{
    const auto token = head(name);
    if (!token)
        return {};
    if (token->type == payload::Type::Int && token->integer >= min && token->integer <= max)
        return token->integer;
    refuse(name, "This must be an integer from " + QByteArray::number(min) + " to " + QByteArray::number(max) + '.');
    return {};
}

std::optional<double> Fields::number(const char *name, double min, double max)
{
    const auto token = head(name);
    if (!token)
        return {};
    double number = std::nan("");
    if (token->type == payload::Type::Int)
        number = double(token->integer);
    else if (token->type == payload::Type::Float32 || token->type == payload::Type::Float64)
        number = token->real;
    if (number >= min && number <= max)
        return number;
    refuse(name, "This must be a number from " + shown(min) + " to " + shown(max) + '.');
    return {};
}

std::optional<bool> Fields::boolean(const char *name)
{
    const auto token = head(name);
    if (!token)
        return {};
    if (token->type == payload::Type::Boolean)
        return token->boolean;
    refuse(name, "This must be true or false.");
    return {};
}

std::optional<QByteArray> Fields::text(const char *name, qsizetype bytes_max)
{
    const auto token = head(name);
    if (!token)
        return {};
    const bool empty = token->type == payload::Type::String && token->bytes.isEmpty();
    if (empty || (token->type == payload::Type::String && isPlainText(token->bytes, bytes_max)))
        return token->bytes.toByteArray();
    refuse(name, "This must be a text of at most " + QByteArray::number(bytes_max) + " bytes without control characters.");
    return {};
}

std::optional<QByteArray> Fields::lines(const char *name, qsizetype bytes_max)
{
    const auto token = head(name);
    if (!token)
        return {};
    QByteArray inLine = token->bytes.toByteArray();
    for (const char lineEnd : {'\n', '\r', '\t'})
        inLine.replace(lineEnd, ' ');
    if (token->type == payload::Type::String && token->bytes.size() <= bytes_max && token->bytes.isValidUtf8()
        && !hasControlCharacters(inLine))
        return token->bytes.toByteArray();
    refuse(name, "This must be a text of at most " + QByteArray::number(bytes_max) + " bytes.");
    return {};
}

std::optional<qint64> Fields::time(const char *name)
{
    const auto token = head(name);
    if (!token)
        return {};
    const auto time = token->type == payload::Type::String ? fromIsoTime(token->bytes) : std::nullopt;
    if (!time)
        refuse(name, "This must be a time like 2026-01-02T03:04:05Z.");
    return time;
}

std::optional<int> Fields::word(const char *name, std::initializer_list<const char *> words)
{
    const auto token = head(name);
    if (!token)
        return {};
    QByteArray all;
    int index = 0;
    for (const char *word : words) {
        if (token->type == payload::Type::String && token->bytes == QByteArrayView(word))
            return index;
        all += (index++ > 0 ? ", " : "") + QByteArray(word);
    }
    refuse(name, "This must be one of " + all + '.');
    return {};
}

std::optional<QList<QByteArrayView>> Fields::list(const char *name, qsizetype count_max)
{
    const auto bytes = value(name);
    if (!bytes)
        return {};
    payload::Reader reader(*bytes);
    const auto token = reader.next();
    if (!token || token->type != payload::Type::Array || token->count > count_max) {
        refuse(name, "This must be a list of at most " + QByteArray::number(count_max) + " elements.");
        return {};
    }
    QList<QByteArrayView> elements;
    for (quint32 i = 0; i < token->count; ++i) {
        const auto element = reader.skip();
        if (!element) {
            refuse(name, "The bytes are not MessagePack.");
            return {};
        }
        elements.append(*element);
    }
    return elements;
}

std::optional<QList<std::pair<QByteArray, QByteArrayView>>> Fields::map(const char *name, qsizetype count_max)
{
    const auto bytes = value(name);
    if (!bytes)
        return {};
    payload::Reader reader(*bytes);
    const auto token = reader.next();
    if (!token || token->type != payload::Type::Map || token->count > count_max) {
        refuse(name, "This must be an object of at most " + QByteArray::number(count_max) + " entries.");
        return {};
    }
    QList<std::pair<QByteArray, QByteArrayView>> entries;
    for (quint32 i = 0; i < token->count; ++i) {
        const auto key = reader.next();
        const bool plain = key && key->type == payload::Type::String && isPlainText(key->bytes, limits::name_bytes_max);
        const auto content = plain ? reader.skip() : std::nullopt;
        const bool again = plain && std::any_of(entries.begin(), entries.end(), [&](const auto &e) { return e.first == key->bytes; });
        if (!content || again) {
            refuse(name, again ? "A key stands there twice." : "The keys must be texts of 1 to 200 bytes.");
            return {};
        }
        entries.append({key->bytes.toByteArray(), *content});
    }
    return entries;
}

Result<Done> Fields::finish()
{
    if (m_error)
        return *m_error;
    for (const Entry &entry : std::as_const(m_entries)) {
        if (!entry.asked)
            return Error{ErrorCode::InvalidField, "There is no such field.", pathOf(entry.name)};
    }
    return Done{};
}

} // namespace junban
