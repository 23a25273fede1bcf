#include "core/cel/compile.h"

#include "core/base/reasons/cel.h"
#include "core/cel/code.h"
#include "core/cel/parser.h"
#include "core/cel/resolver.h"
#include "core/limits.h"

#include <algorithm>

namespace junban::cel {

namespace {

Reason tooLong()
{
    return reasons::expressionTooLong(limits::matcher_text_bytes_max);
}

} // namespace

Compiled compile(QByteArrayView text, const Environment &environment, Mode mode, Wanted wanted)
{
    if (text.size() > limits::matcher_text_bytes_max)
        return {nullptr, {problemAt(text, 0, text.size(), tooLong())}};
    if (!text.isValidUtf8())
        return {nullptr, {problemAt(text, 0, text.size(), reasons::expressionNotUtf8())}};
    auto code = std::make_shared<Code>();
    code->text = text.toByteArray();
    code->nodes.reserve(size_t(limits::matcher_nodes_max)); // so that references to nodes stay valid
    Parser parser(*code);
    const auto root = parser.parse();
    if (!root)
        return {nullptr, {parser.problem()}};
    code->root = *root;
    Resolver resolver(*code, environment);
    resolver.resolve(*root);
    if (mode != Mode::Lenient) {
        if (mode == Mode::Checked)
            resolver.expect(*root, wanted);
        QList<Problem> problems = resolver.problems();
        if (mode == Mode::Checked)
            problems += resolver.hopeless();
        if (problems.size() > limits::matcher_problems_max)
            problems.resize(limits::matcher_problems_max);
        std::stable_sort(problems.begin(), problems.end(), [](const Problem &a, const Problem &b) { return a.offset < b.offset; });
        if (!problems.isEmpty())
            return {nullptr, problems};
    }
    return {std::make_shared<const Program>(std::move(code)), {}};
}

} // namespace junban::cel
