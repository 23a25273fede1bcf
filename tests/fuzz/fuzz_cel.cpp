#include "core/cel/compile.h"
#include "core/cel/evaluation.h"
#include "core/cel/names.h"
#include "core/limits/jobvariables.h"

#include <cstdlib>

using namespace junban;
using namespace junban::cel;

namespace {

void insist(bool holds)
{
    if (!holds)
        std::abort();
}

void checkPlace(const Problem &problem, qsizetype size)
{
    insist(problem.line >= 1 && problem.column >= 1 && problem.offset >= 0 && problem.length >= 0);
    insist(problem.offset + problem.length <= size && !problem.message().isEmpty());
}

} // namespace

// The input: an expression, a zero byte, a job's name, a zero byte, and its argument. Whatever they are, compiling and evaluating end
// within the bounds, faults have a place in the text, and a name the expression is true for is among those it can match.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const QByteArray input(reinterpret_cast<const char *>(data), qsizetype(size));
    const qsizetype first = input.indexOf('\0');
    const qsizetype second = first < 0 ? -1 : input.indexOf('\0', first + 1);
    const QByteArray text = input.first(first < 0 ? input.size() : first);
    JobSpec spec;
    spec.name = second < 0 ? QByteArray("mail.send") : input.sliced(first + 1, second - first - 1);
    spec.argument = second < 0 ? QByteArray(payload::nil) : input.sliced(second + 1);
    spec.tags = {"a", "heavy"};

    static const Environment environment = matcherEnvironment();
    const Compiled checked = compile(text, environment, Mode::Checked, Wanted::Boolean);
    for (const Problem &problem : checked.problems)
        checkPlace(problem, text.size());
    const Compiled lenient = compile(text, environment, Mode::Lenient);
    insist(bool(lenient.program) || !checked.program);
    if (!lenient.program)
        return 0;
    Evaluation evaluation;
    const SpecBindings bindings(spec, "pusher");
    const Value value = evaluation.evaluate(*lenient.program, bindings);
    if (value.isError())
        checkPlace(lenient.program->explain(value), text.size());
    if (value.isTrue() && spec.name.isValidUtf8())
        insist(matchableNames(*lenient.program, qint32(JobVariable::Name)).contains(spec.name));
    return 0;
}
