#include "ui/limits/argumentpaths.h"

#include "core/limits/jobvariables.h"
#include "ui/base/payloadtext.h"

#include <QCoreApplication>
#include <QHash>
#include <QLocale>
#include <QMap>

namespace junban::ui {

namespace {

constexpr int depth_max = 4, fields_max = 64, paths_max = 200, valuesOfPath_max = 8, values_max = 3, textValue_characters_max = 40;

struct ArgumentTexts {
    Q_DECLARE_TR_FUNCTIONS(ArgumentPaths)
};

struct Seen {
    int jobs = 0;
    QByteArray type;
    QHash<QByteArray, int> values; // as they are written in an expression; cleared when there are too many
    bool manyValues = false;
};

using Paths = QMap<QByteArray, Seen>;

bool isIdentifier(QByteArrayView name)
{
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.isEmpty() && letter(name.front())
        && std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

QByteArray typeOf(payload::Type type)
{
    switch (type) {
    case payload::Type::Int: return "int";
    case payload::Type::UInt: return "uint";
    case payload::Type::Float32:
    case payload::Type::Float64: return "double";
    case payload::Type::String: return "string";
    case payload::Type::Binary: return "bytes";
    case payload::Type::Array: return "list";
    case payload::Type::Map: return "map";
    case payload::Type::Boolean: return "bool";
    default: return "null";
    }
}

// A simple value as it is written in an expression; empty for other values.
QByteArray literal(const payload::Token &token)
{
    switch (token.type) {
    case payload::Type::Int: return QByteArray::number(token.integer);
    case payload::Type::Boolean: return token.boolean ? "true" : "false";
    case payload::Type::String:
        if (token.bytes.size() > textValue_characters_max || token.bytes.contains('"') || token.bytes.contains('\\')
            || std::any_of(token.bytes.begin(), token.bytes.end(), [](char c) { return uchar(c) < 0x20; }))
            return {};
        return '"' + token.bytes.toByteArray() + '"';
    default: return {};
    }
}

void note(Paths &paths, const QByteArray &path, const payload::Token &token)
{
    if (!paths.contains(path) && paths.size() >= paths_max)
        return;
    Seen &seen = paths[path];
    ++seen.jobs;
    seen.type = typeOf(token.type);
    const QByteArray value = literal(token);
    if (value.isEmpty() || seen.manyValues)
        return;
    ++seen.values[value];
    if (seen.values.size() > valuesOfPath_max) {
        seen.manyValues = true;
        seen.values.clear();
    }
}

void walk(Paths &paths, const QByteArray &path, QByteArrayView value, int depth)
{
    payload::Reader reader(value);
    const std::optional<payload::Token> head = reader.next();
    if (!head)
        return;
    note(paths, path, *head);
    if (head->type != payload::Type::Map || depth == depth_max)
        return;
    for (quint32 i = 0; i < std::min<quint32>(head->count, fields_max); ++i) {
        const std::optional<QByteArrayView> key = reader.skip();
        const std::optional<QByteArrayView> field = key ? reader.skip() : std::nullopt;
        if (!field)
            return;
        const std::optional<payload::Token> name = payload::Reader(*key).next();
        if (name && name->type == payload::Type::String && isIdentifier(name->bytes))
            walk(paths, path + '.' + name->bytes.toByteArray(), *field, depth + 1);
    }
}

QString shareOfJobs(int jobs, qsizetype all)
{
    return ArgumentTexts::tr("%1 % of the jobs").arg(QLocale().toString(int(100 * jobs / std::max<qsizetype>(1, all))));
}

void addPaths(QList<Suggestion> &suggestions, const Paths &paths, qsizetype all)
{
    for (auto path = paths.cbegin(); path != paths.cend(); ++path) {
        const QString text = QString::fromUtf8(path.key());
        const QString type = QString::fromUtf8(path->type);
        suggestions.append({text, ArgumentTexts::tr("%1, %2", "a type and a share").arg(type, shareOfJobs(path->jobs, all))});
        QList<QPair<int, QByteArray>> values;
        for (auto value = path->values.cbegin(); value != path->values.cend(); ++value)
            values.append({-value.value(), value.key()});
        std::sort(values.begin(), values.end());
        for (qsizetype i = 0; i < std::min<qsizetype>(values_max, values.size()); ++i) {
            const QString value = QString::fromUtf8(values[i].second);
            suggestions.append({QStringLiteral("%1 == %2").arg(text, value), shareOfJobs(-values[i].first, all)});
        }
    }
}

} // namespace

QList<Suggestion> suggestionsFrom(const QList<Job> &jobs)
{
    QList<Suggestion> suggestions;
    QStringList variables;
    for (const cel::Variable &variable : cel::matcherEnvironment().variables) {
        if (variable.refusal.isEmpty())
            variables.append(QString::fromUtf8(variable.name));
    }
    variables.sort();
    for (const QString &variable : std::as_const(variables))
        suggestions.append({variable, {}});
    Paths arguments;
    Paths names;
    for (const Job &job : jobs) {
        payload::Token name;
        name.type = payload::Type::String;
        name.bytes = job.spec.name;
        note(names, "job.name", name);
        if (job.argument_bytes == job.spec.argument.size())
            walk(arguments, "job.argument", job.spec.argument, 0);
    }
    addPaths(suggestions, names, jobs.size());
    addPaths(suggestions, arguments, jobs.size());
    const char *const functions[] = {"has(", "size(", "startsWith(", "endsWith(", "contains(", "matches(", "exists(", "all(", "int(",
        "string(", "double(", "duration(", "timestamp("};
    for (const char *function : functions)
        suggestions.append({QString::fromLatin1(function), ArgumentTexts::tr("function")});
    // A suggestion that is found twice (job.name with and without its share) is listed once, with the note.
    QList<Suggestion> once;
    for (const Suggestion &suggestion : std::as_const(suggestions)) {
        const auto same = std::find_if(once.begin(), once.end(), [&](const Suggestion &each) { return each.text == suggestion.text; });
        if (same == once.end())
            once.append(suggestion);
        else if (same->note.isEmpty())
            same->note = suggestion.note;
    }
    return once;
}

} // namespace junban::ui
