#include "core/limits/matcher.h"

#include "core/base/isotime.h"
#include "core/cel/compile.h"
#include "core/limits/jobvariables.h"
#include "core/msgpack/fields.h"
#include "core/msgpack/msgpackwriter.h"

#include <algorithm>
#include <map>

namespace junban {

namespace {

bool isId(QByteArrayView text, qsizetype bytes_max)
{
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    };
    return !text.isEmpty() && text.size() <= bytes_max && std::all_of(text.begin(), text.end(), allowed) && !text.startsWith('.');
}

void readConstraints(Fields &fields, JobMatcher &matcher)
{
    const auto list = fields.list("constraints", limits::constraints_max);
    if (!list)
        return;
    for (qsizetype i = 0; i < list->size(); ++i) {
        const QByteArray path = "constraints[" + QByteArray::number(i) + ']';
        Result<Constraint> constraint = Constraint::fromMsgpack((*list)[i], path);
        if (!constraint.ok())
            return fields.refuse(constraint.error());
        const QByteArray &id = constraint->id;
        const auto sameId = [&](const Constraint &other) { return !id.isEmpty() && other.id == id; };
        if (!id.isEmpty() && !isId(id, limits::matcher_id_bytes_max * 2))
            fields.refuse(path + ".id", "An id is made of letters, digits, '.', '_' and '-'.");
        if (std::any_of(matcher.constraints.begin(), matcher.constraints.end(), sameId))
            fields.refuse(path + ".id", "Two constraints have this id.");
        matcher.constraints.append(std::move(*constraint));
    }
}

// What the master works out of the expression; it is checked and passed over.
void readShown(Fields &fields)
{
    const auto names = fields.value("names");
    if (!names)
        return;
    Fields shown(*names, "names");
    shown.require("class");
    shown.word("class", {"never", "names", "prefixes", "any"});
    for (const char *list : {"names", "prefixes"}) {
        const auto texts = shown.list(list, limits::matcher_names_max);
        for (qsizetype i = 0; texts && i < texts->size(); ++i) {
            const auto token = payload::Reader((*texts)[i]).next();
            if (!token || token->type != payload::Type::String)
                shown.refuse(list, "This is a list of texts.");
        }
    }
    const Result<Done> done = shown.finish();
    if (!done.ok())
        fields.refuse(done.error());
}

} // namespace

Result<JobMatcher> JobMatcher::fromMsgpack(const QByteArray &id, QByteArrayView map)
{
    JobMatcher matcher;
    matcher.id = id;
    Fields fields(map, {});
    if (!isId(id, limits::matcher_id_bytes_max))
        fields.refuse("id", "An id is 1 to 64 letters, digits, '.', '_' and '-'.");
    if (fields.has("id") && fields.text("id", limits::matcher_id_bytes_max) != id)
        fields.refuse("id", "The id differs from the one in the address.");
    fields.require("title");
    fields.require("expression");
    matcher.title = fields.text("title", limits::matcher_title_bytes_max).value_or(QByteArray());
    matcher.expression = fields.lines("expression", limits::matcher_text_bytes_max).value_or(QByteArray());
    for (const auto &[name, text] : {std::pair("title", matcher.title), std::pair("expression", matcher.expression)}) {
        if (text.isEmpty())
            fields.refuse(name, QByteArray("'") + name + "' is empty.");
    }
    matcher.note = fields.lines("note", limits::matcher_note_bytes_max).value_or(QByteArray());
    matcher.enabled = fields.boolean("enabled").value_or(true);
    matcher.rank = int(fields.integer("rank", -limits::matcher_rank_max, limits::matcher_rank_max).value_or(0));
    if (const auto exempts = fields.list("exempts", limits::matcher_exempts_max)) {
        for (const QByteArrayView packed : *exempts) {
            const auto token = payload::Reader(packed).next();
            if (token && token->type == payload::Type::String && isId(token->bytes, limits::matcher_id_bytes_max * 2))
                matcher.exempts.append(token->bytes.toByteArray());
            else
                fields.refuse("exempts", "This is a list of ids of constraints or matchers.");
        }
    }
    readConstraints(fields, matcher);
    readShown(fields);
    // What the master writes itself; a request that sends a matcher back as it was read is let through.
    matcher.revision = fields.integer("revision", 1, std::numeric_limits<qint64>::max()).value_or(0);
    matcher.editedAt_ms = fields.time("edited_at").value_or(0);
    matcher.editedBy = fields.text("edited_by", limits::name_bytes_max).value_or(QByteArray());
    const Result<Done> done = fields.finish();
    if (!done.ok())
        return done.error();
    return matcher;
}

QByteArray JobMatcher::packed() const
{
    MsgpackWriter writer;
    writer.map(8 + (revision > 0 ? 3 : 0)).text("id").text(id).text("title").text(title).text("expression").text(expression);
    writer.text("note").text(note).text("enabled").boolean(enabled).text("rank").integer(rank).text("exempts").array(exempts.size());
    for (const QByteArray &exempt : exempts)
        writer.text(exempt);
    writer.text("constraints").array(constraints.size());
    for (const Constraint &constraint : constraints)
        writer.raw(constraint.packed());
    if (revision > 0) {
        writer.text("revision").integer(revision).text("edited_at").text(isoTime(editedAt_ms));
        writer.text("edited_by").text(editedBy);
    }
    return writer.take();
}

void giveConstraintIds(JobMatcher &matcher, const JobMatcher *previous)
{
    QList<QByteArray> taken;
    for (const Constraint &constraint : std::as_const(matcher.constraints))
        taken.append(constraint.id);
    const auto isTaken = [&](const QByteArray &id) { return taken.contains(id); };
    std::map<ConstraintKind, int> seen; // constraints of a kind before this one
    for (Constraint &constraint : matcher.constraints) {
        const int position = seen[constraint.kind()]++;
        if (!constraint.id.isEmpty())
            continue;
        int others = 0;
        const QList<Constraint> olds = previous ? previous->constraints : QList<Constraint>();
        for (const Constraint &old : olds) {
            if (old.kind() == constraint.kind() && others++ == position && !isTaken(old.id))
                constraint.id = old.id;
        }
        const auto wasThere = [&](const QByteArray &id) {
            return std::any_of(olds.begin(), olds.end(), [&](const Constraint &old) { return old.id == id; });
        };
        for (int number = 1; constraint.id.isEmpty(); ++number) {
            const QByteArray id = matcher.id + '.' + kindWord(constraint.kind()) + QByteArray::number(number);
            if (!isTaken(id) && !wasThere(id))
                constraint.id = id;
        }
        taken.append(constraint.id);
    }
}

namespace {

// What decides which buckets a job is in, and with which cost.
bool sameBuckets(const Constraint &a, const Constraint &b)
{
    const Amount *left = amountOf(a.parameters);
    const Amount *right = amountOf(b.parameters);
    const bool sameAmount = left && right ? *left == *right : left == right;
    // The cost or weight of single keys is an override's field.
    const bool overridesCost = left && a.overrides != b.overrides;
    return a.id == b.id && a.kind() == b.kind() && a.by == b.by && a.onMissing == b.onMissing && sameAmount && !overridesCost
        && (a.kind() != ConstraintKind::Set || (a.parameters == b.parameters && a.mode == b.mode))
        && (a.kind() != ConstraintKind::Fair || a.mode == b.mode);
}

bool ranked(const JobMatcher &matcher)
{
    return std::any_of(matcher.constraints.begin(), matcher.constraints.end(), [](const Constraint &constraint) {
        return constraint.kind() == ConstraintKind::Set || constraint.kind() == ConstraintKind::Fair;
    });
}

} // namespace

bool needsNewEpoch(const JobMatcher *previous, const JobMatcher *next)
{
    const auto matters = [](const JobMatcher *m) { return m && m->enabled && (!m->constraints.isEmpty() || !m->exempts.isEmpty()); };
    if (!matters(previous) || !matters(next))
        return matters(previous) || matters(next);
    return previous->expression != next->expression || previous->exempts != next->exempts
        || (previous->rank != next->rank && (ranked(*previous) || ranked(*next)))
        || !std::equal(previous->constraints.begin(), previous->constraints.end(), next->constraints.begin(), next->constraints.end(),
            sameBuckets);
}

MatcherCompilation CompiledMatcher::compile(JobMatcher matcher)
{
    using namespace cel;
    MatcherCompilation result;
    const Environment environment = matcherEnvironment();
    const auto program = [&](const QByteArray &field, const QByteArray &text, Wanted wanted) {
        const Compiled compiled = cel::compile(text, environment, Mode::Checked, wanted);
        for (const Problem &problem : compiled.problems)
            result.problems.append({field, problem});
        return compiled.program;
    };
    auto made = std::shared_ptr<CompiledMatcher>(new CompiledMatcher);
    made->m_matcher = std::move(matcher);
    const JobMatcher &source = made->m_matcher;
    made->m_predicate = program("expression", source.expression, Wanted::Boolean);
    for (qsizetype i = 0; i < source.constraints.size(); ++i) {
        const Constraint &constraint = source.constraints[i];
        const QByteArray path = "constraints[" + QByteArray::number(i) + "].";
        Programs programs;
        for (qsizetype by = 0; by < constraint.by.size(); ++by)
            programs.by.append(program(path + "by[" + QByteArray::number(by) + ']', constraint.by[by], Wanted::Any));
        const Amount *amount = amountOf(constraint.parameters);
        const char *field = constraint.kind() == ConstraintKind::Fair ? "weight" : "cost";
        if (amount && !amount->expression.isEmpty())
            programs.amount = program(path + field, amount->expression, Wanted::Number);
        made->m_programs.append(programs);
    }
    if (!result.problems.isEmpty())
        return result;
    made->m_names = source.enabled ? matchableNames(*made->m_predicate, qint32(JobVariable::Name)) : NameSet::none();
    result.matcher = made;
    return result;
}

} // namespace junban
