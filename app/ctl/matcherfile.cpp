#include "app/ctl/matcherfile.h"

#include "app/ctl/yaml.h"
#include "core/base/reasons/ctl.h"
#include "core/msgpack/decoder.h"
#include "core/msgpack/json.h"

#include <algorithm>

namespace junban::app {

namespace {

constexpr qsizetype compared_max = 4'000'000;  // pairs of lines
constexpr qsizetype lines_around = 2;          // a difference

// Of a map: its id.
QByteArray idIn(QByteArrayView map)
{
    const payload::Step path[] = {{QByteArrayView("id"), -1}};
    const auto value = payload::find(map, path);
    const auto token = value ? payload::Reader(*value).next() : std::nullopt;
    return token && token->type == payload::Type::String ? token->bytes.toByteArray() : QByteArray();
}

// The maps of matchers in one document.
QList<QByteArrayView> mapsIn(QByteArrayView document)
{
    const payload::Step path[] = {{QByteArrayView("matchers"), -1}};
    const QByteArrayView list = payload::find(document, path).value_or(document);
    payload::Reader reader(list);
    const std::optional<payload::Token> head = reader.next();
    if (!head || head->type != payload::Type::Array)
        return {list};
    QList<QByteArrayView> maps;
    for (quint32 i = 0; i < head->count; ++i)
        maps.append(*reader.skip());
    return maps;
}

Result<QList<QByteArray>> documentsOf(QByteArrayView text)
{
    const QByteArrayView trimmed = text.trimmed();
    if (!trimmed.startsWith('{') && !trimmed.startsWith('['))
        return yaml::documents(text);
    Result<QByteArray> json = json::toMsgpack(text);
    if (json.ok())
        return QList<QByteArray>{std::move(*json)};
    // A flow map of YAML begins like this, too.
    Result<QList<QByteArray>> yaml = yaml::documents(text);
    return yaml.ok() ? yaml : Result<QList<QByteArray>>(json.error());
}

// How long the longest common part of the lines from i and j on is, for all i and j.
QList<QList<int>> commonLengths(const QList<QByteArray> &a, const QList<QByteArray> &b)
{
    QList<QList<int>> lengths(a.size() + 1, QList<int>(b.size() + 1, 0));
    for (qsizetype i = a.size() - 1; i >= 0; --i) {
        for (qsizetype j = b.size() - 1; j >= 0; --j)
            lengths[i][j] = a[i] == b[j] ? lengths[i + 1][j + 1] + 1 : std::max(lengths[i + 1][j], lengths[i][j + 1]);
    }
    return lengths;
}

QList<QByteArray> marked(const QList<QByteArray> &a, const QList<QByteArray> &b)
{
    QList<QByteArray> lines;
    const bool compares = (a.size() + 1) * (b.size() + 1) <= compared_max;
    const QList<QList<int>> lengths = compares ? commonLengths(a, b) : QList<QList<int>>();
    qsizetype i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        if (compares && i < a.size() && j < b.size() && a[i] == b[j]) {
            lines.append("  " + a[i++]);
            ++j;
        } else if (i < a.size() && (!compares || j == b.size() || lengths[i + 1][j] >= lengths[i][j + 1])) {
            lines.append("- " + a[i++]);
        } else {
            lines.append("+ " + b[j++]);
        }
    }
    return lines;
}

QList<QByteArray> linesOf(const QByteArray &text)
{
    QList<QByteArray> lines = text.split('\n');
    if (lines.last().isEmpty())
        lines.removeLast();
    return lines;
}

} // namespace

Result<QList<JobMatcher>> matchersOf(QByteArrayView text)
{
    const Result<QList<QByteArray>> documents = documentsOf(text);
    if (!documents.ok())
        return documents.error();
    QList<JobMatcher> matchers;
    for (const QByteArray &document : *documents) {
        for (const QByteArrayView map : mapsIn(document)) {
            const QByteArray id = idIn(map);
            if (id.isEmpty())
                return ofField(reasons::matchersFileWithoutId(matchers.size() + 1), "id");
            Result<JobMatcher> matcher = JobMatcher::fromMsgpack(id, map);
            if (!matcher.ok())
                return Error{matcher.error().code, reasons::matchersFileWrong(id, matcher.error().reason), matcher.error().field};
            const auto isSame = [&id](const JobMatcher &other) { return other.id == id; };
            if (std::any_of(matchers.cbegin(), matchers.cend(), isSame))
                return ofField(reasons::matchersFileIdTwice(id), "id");
            matchers.append(std::move(*matcher));
        }
    }
    return matchers;
}

QByteArray yamlOf(const JobMatcher &matcher)
{
    JobMatcher own = matcher;
    for (Constraint &constraint : own.constraints)
        constraint.revision = 0;
    return yaml::fromMsgpack(pack(ownMatcherTable, own, Written::Sparse));
}

QByteArray lineDifferences(const QByteArray &before, const QByteArray &after)
{
    if (before == after)
        return {};
    const QList<QByteArray> lines = marked(linesOf(before), linesOf(after));
    QByteArray text;
    bool left = false; // lines were left out
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const auto from = lines.cbegin() + std::max<qsizetype>(i - lines_around, 0);
        const auto to = lines.cbegin() + std::min<qsizetype>(i + lines_around + 1, lines.size());
        const bool near = std::any_of(from, to, [](const QByteArray &line) { return !line.startsWith(' '); });
        if (near)
            text += (left && !text.isEmpty() ? "  ...\n" : "") + lines[i] + '\n';
        left = near ? false : true;
    }
    return text;
}

} // namespace junban::app
