// Evaluations per second of typical matchers over one typical job, and how long the most hostile ones can take: of the processor's time, so
// that what else runs does not count.

#include "core/cel/compile.h"
#include "core/cel/evaluation.h"
#include "core/limits/jobvariables.h"
#include "core/limits/matcherset.h"
#include "core/msgpack/msgpackwriter.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace junban;
using namespace junban::cel;

namespace {

double seconds()
{
    return double(std::clock()) / CLOCKS_PER_SEC;
}

JobSpec typicalJob()
{
    JobSpec spec;
    spec.name = "crawl.page";
    MsgpackWriter writer;
    writer.map(6).text("url").text("https://example.org/some/path?with=a&query=b").text("host").text("example.org");
    writer.text("tenant").map(2).text("id").integer(42).text("plan").text("gold").text("region").text("eu-west-1");
    writer.text("size").integer(1'200'000).text("tags").array(3).text("a").text("b").text("heavy");
    spec.argument = writer.take();
    spec.tags = {"nightly", "bulk"};
    return spec;
}

// A job whose argument is as long a list as is let in.
JobSpec hugeJob()
{
    JobSpec spec;
    spec.name = "crawl.page";
    MsgpackWriter writer;
    writer.array(65'000);
    for (int i = 0; i < 65'000; ++i)
        writer.integer(i % 100);
    spec.argument = writer.take();
    return spec;
}

void measure(const char *expression, const JobSpec &spec, int rounds, double atLeast_s)
{
    const Compiled compiled = compile(expression, matcherEnvironment(), Mode::Checked, Wanted::Boolean);
    if (!compiled.program) {
        std::printf("%s: %s\n", expression, compiled.problems.first().message().constData());
        return;
    }
    Evaluation evaluation;
    const SpecBindings bindings(spec, "web");
    double perSecond[3];
    Value value;
    for (double &figure : perSecond) {
        qint64 count = 0;
        const double start = seconds();
        double took = 0;
        while (took < atLeast_s) {
            for (int i = 0; i < rounds; ++i)
                value = evaluation.evaluate(*compiled.program, bindings);
            count += rounds;
            took = seconds() - start;
        }
        figure = double(count) / took;
    }
    std::sort(std::begin(perSecond), std::end(perSecond));
    std::printf("%12.0f /s  %10.3f us  %-20s %s\n", perSecond[1], 1e6 / perSecond[1],
        value.isError() ? causeWord(value.cause()) : value.isTrue() ? "true" : "false", expression);
}

// Jobs classified per second by `count` matchers, one for each of as many names, each with one bucket by an argument's field.
void measureSet(int count)
{
    QList<std::shared_ptr<const CompiledMatcher>> all;
    for (int i = 0; i < count; ++i) {
        JobMatcher matcher;
        matcher.id = "m" + QByteArray::number(i);
        const QByteArray page = i == 0 ? QByteArray("page") : QByteArray::number(i);
        matcher.expression = "job.name == 'crawl." + page + "' && job.argument.size > 1000";
        Constraint constraint;
        constraint.id = matcher.id + ".concurrency1";
        constraint.parameters = ConcurrencyParameters{.limit = 5};
        constraint.by = {"job.argument.region"};
        matcher.constraints = {constraint};
        all.append(CompiledMatcher::compile(matcher).matcher);
    }
    const auto set = *MatcherSet::make(all);
    const JobSpec spec = typicalJob();
    Evaluation evaluation;
    double perSecond[3];
    for (double &figure : perSecond) {
        const double start = seconds();
        qint64 classified = 0;
        double took = 0;
        for (; took < 0.5; took = seconds() - start) {
            for (int i = 0; i < 1'000; ++i)
                classified += set->classify(spec, "web", evaluation).buckets.size();
        }
        figure = double(classified) / took;
    }
    std::sort(std::begin(perSecond), std::end(perSecond));
    std::printf("%12.0f /s  %10.3f us  %d matchers by name, one with a bucket for the job\n", perSecond[1], 1e6 / perSecond[1],
        count);
}

} // namespace

int main()
{
    const JobSpec typical = typicalJob();
    for (const char *expression : {
             "job.name == 'crawl.page'",
             "job.name in ['mail.send', 'mail.bulk', 'crawl.page'] && job.argument.tenant.id == 42",
             "job.name.startsWith('crawl.') && has(job.argument.host) && job.argument.size >= 1000000",
             "job.argument.tags.exists(t, t == 'heavy') || job.argument[0].matches('^eu-')",
             "job.argument.region.matches('^(eu|us)-[a-z]+-[0-9]$')",
             "job.argument.none.id == 1",
             "'nightly' in job.tags && job.priority < 10 && job.timeout > 5.0"})
        measure(expression, typical, 10'000, 0.3);
    for (const int count : {1, 1'000})
        measureSet(count);
    std::printf("the most hostile, at their bound:\n");
    const JobSpec huge = hugeJob();
    for (const char *expression : {
             "job.argument.all(a, job.argument.all(b, a + b >= 0))",
             "job.argument.all(a, job.argument[64999] >= 0)",
             "job.argument.all(a, !('aaaa'.matches('b' + string(a))))",
             "job.argument.all(a, job.argument == job.argument)",
             "job.argument.all(a, timestamp(a).getHours('Europe/Paris') >= 0)",
             "job.argument.map(a, string(a) + 'x').size() < 0"})
        measure(expression, huge, 1, 0.3);
}
