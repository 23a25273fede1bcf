#include "ui/limits/argumentpaths.h"

#include "core/limits/mask.h"
#include "ui/base/payloadtext.h"
#include "ui/limits/condition.h"

#include <QCoreApplication>
#include <QHash>
#include <QLocale>
#include <QMap>

namespace junban::ui {

namespace {

constexpr int depth_max = 4, fields_max = 64, paths_max = 200, valuesOfPath_max = 12, textValue_characters_max = 40, conditions_max = 16;

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

// Calls `take` with the path and the value of each field that an expression can name, of a map whose head has been read.
template<typename Take>
void eachField(payload::Reader &reader, quint32 count, const QByteArray &path, const Take &take)
{
    for (quint32 i = 0; i < std::min<quint32>(count, fields_max); ++i) {
        const std::optional<QByteArrayView> key = reader.skip();
        const std::optional<QByteArrayView> field = key ? reader.skip() : std::nullopt;
        if (!field)
            return;
        const std::optional<payload::Token> name = payload::Reader(*key).next();
        if (name && name->type == payload::Type::String && isIdentifier(name->bytes))
            take(path + '.' + name->bytes.toByteArray(), *field);
    }
}

void walk(Paths &paths, const QByteArray &path, QByteArrayView value, int depth)
{
    payload::Reader reader(value);
    const std::optional<payload::Token> head = reader.next();
    if (!head)
        return;
    note(paths, path, *head);
    if (head->type == payload::Type::Map && depth < depth_max)
        eachField(reader, head->count, path, [&](const QByteArray &field, QByteArrayView its) { walk(paths, field, its, depth + 1); });
}

QString shareOfJobs(int jobs, qsizetype all)
{
    return ArgumentTexts::tr("%1 % of the jobs").arg(QLocale().toString(int(100 * jobs / std::max<qsizetype>(1, all))));
}

QString countOfJobs(int jobs, qsizetype all)
{
    return ArgumentTexts::tr("%Ln job(s), %1", nullptr, jobs).arg(shareOfJobs(jobs, all));
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
        for (const auto &[count, value] : std::as_const(values))
            suggestions.append({QString::fromUtf8(value), countOfJobs(-count, all), text});
    }
}

void noteText(Paths &paths, const char *path, const QByteArray &text)
{
    payload::Token token;
    token.type = payload::Type::String;
    token.bytes = text;
    if (!text.isEmpty())
        note(paths, path, token);
}

// The texts that the fields of real jobs have.
Paths fieldsOf(const QList<Job> &jobs)
{
    Paths paths;
    for (const Job &job : jobs) {
        noteText(paths, "job.name", job.spec.name);
        noteText(paths, "job.state", stateWord(job.state));
        noteText(paths, "job.worker", job.worker);
        noteText(paths, "job.reason", job.reason);
        noteText(paths, "job.message", job.message);
        noteText(paths, "job.pusher", job.spec.pusher);
    }
    return paths;
}

// Whether something else stands in its place.
bool isHidden(const payload::Token &token)
{
    return token.type == payload::Type::String && token.bytes == QByteArrayView(mask_text);
}

void collect(QList<Condition> &conditions, const QByteArray &path, QByteArrayView value, int depth)
{
    payload::Reader reader(value);
    const std::optional<payload::Token> head = reader.next();
    if (!head || conditions.size() >= conditions_max)
        return;
    const QByteArray simple = literal(*head);
    if (!simple.isEmpty() && !isHidden(*head))
        conditions.append({path, simple, Condition::Is::Equal, depth == 0, true});
    if (head->type == payload::Type::Map && depth < depth_max)
        eachField(reader, head->count, path, [&](const QByteArray &field, QByteArrayView its) {
            collect(conditions, field, its, depth + 1);
        });
}

} // namespace

QList<Condition> argumentConditions(const Job &job)
{
    QList<Condition> conditions;
    if (job.argument_bytes == job.spec.argument.size())
        collect(conditions, "job.argument", job.spec.argument, 0);
    return conditions;
}

std::optional<Condition> partCondition(const QList<QByteArray> &keys, const QByteArray &value)
{
    const std::optional<payload::Token> head = payload::Reader(value).next();
    const QByteArray simple = head && !isHidden(*head) ? literal(*head) : QByteArray();
    if (simple.isEmpty())
        return {};
    QByteArray path = "job.argument";
    for (qsizetype i = 0; i < keys.size(); ++i) {
        const std::optional<payload::Token> key = payload::Reader(keys[i]).next();
        if (keys[i].isEmpty() && i + 1 == keys.size())
            return Condition{path, simple, Condition::Is::Among, false, true};
        if (!key || key->type != payload::Type::String || !isIdentifier(key->bytes))
            return {};
        path += '.' + key->bytes.toByteArray();
    }
    return Condition{path, simple, Condition::Is::Equal, keys.isEmpty(), true};
}

QList<Suggestion> suggestionsFrom(const QList<Job> &jobs, const cel::Environment &environment)
{
    QList<Suggestion> suggestions;
    QStringList variables;
    for (const cel::Variable &variable : environment.variables) {
        if (variable.refusal.isEmpty())
            variables.append(QString::fromUtf8(variable.name));
    }
    variables.sort();
    for (const QString &variable : std::as_const(variables))
        suggestions.append({variable});
    Paths fields = fieldsOf(jobs);
    fields.removeIf([&](const auto &path) { return !variables.contains(QString::fromUtf8(path.key())); });
    addPaths(suggestions, fields, jobs.size());
    Paths arguments;
    for (const Job &job : jobs) {
        if (variables.contains(QLatin1String("job.argument")) && job.argument_bytes == job.spec.argument.size())
            walk(arguments, "job.argument", job.spec.argument, 0);
    }
    addPaths(suggestions, arguments, jobs.size());
    const char *const functions[] = {"has(", "size(", "startsWith(", "endsWith(", "contains(", "matches(", "exists(", "all(", "int(",
        "string(", "double(", "duration(", "timestamp("};
    for (const char *function : functions)
        suggestions.append({QString::fromLatin1(function), ArgumentTexts::tr("function")});
    // A field that is found twice (job.name with and without its share) is listed once, with the note.
    QList<Suggestion> once;
    for (const Suggestion &suggestion : std::as_const(suggestions)) {
        const auto same = std::find_if(once.begin(), once.end(), [&](const Suggestion &each) {
            return each.text == suggestion.text && each.of == suggestion.of;
        });
        if (same == once.end())
            once.append(suggestion);
        else if (same->note.isEmpty())
            same->note = suggestion.note;
    }
    return once;
}

} // namespace junban::ui
