#include "core/limits/matcher.h"

#include "core/base/isotime.h"
#include "core/base/reasons/matchers.h"
#include "core/calendar/timezone.h"
#include "core/cel/compile.h"
#include "core/limits.h"
#include "core/limits/jobvariables.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/reasonfields.h"

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

bool isConstraintId(QByteArrayView text)
{
    return isId(text, limits::matcher_id_bytes_max * 2);
}

bool readExempts(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    return readTexts(in, value, *static_cast<QList<QByteArray> *>(member), field.count_max, isConstraintId,
        reasons::matcherExemptsExpected);
}
bool readMask(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    return readTexts(in, value, *static_cast<QList<QByteArray> *>(member), field.count_max, isMaskPath, reasons::matcherMaskExpected);
}
using IdTexts = codecs::ListOf<QList<QByteArray>, codecs::text>;

constexpr Codec maskCodec{readMask, IdTexts::write, IdTexts::same, "array", &codecs::text};

using Constraints = codecs::ListOf<QList<Constraint>, codecs::constraint>;
bool readConstraints(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    const bool isList = value.head.type == payload::Type::Array;
    return (!isList || fewEnough(in, value, field.count_max)) && Constraints::read(in, value, member, field);
}

bool readClass(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    int index = 0;
    if (!codecs::readWord(in, value, field, index))
        return false;
    *static_cast<QByteArray *>(member) = field.words[size_t(index)];
    return true;
}
void writeClass(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.text(*static_cast<const QByteArray *>(member));
}
constexpr Codec classCodec{readClass, writeClass, codecs::same<QByteArray>, "word"};
constexpr const char *classWords[] = {"never", "names", "prefixes", "any"};

// What the master derives from the expression: it is checked and ignored.
bool readShown(Decoder &in, const PackedValue &value, void *, const Field &field)
{
    MatchableNames names;
    return readFields(in, value, *field.table, &names);
}
void writeNothing(MsgpackWriter &, const void *, const Field &, Written) {}
bool alwaysSame(const void *, const void *, const Field &)
{
    return true;
}
constexpr Codec shownCodec{readShown, writeNothing, alwaysSame, "object"};

bool isSaved(const void *object)
{
    return static_cast<const JobMatcher *>(object)->revision > 0;
}

constexpr Field namesFields[] = {
    Field{.name = "class", .codec = &classCodec, .memberOf = field::at<&MatchableNames::word>, .words = classWords}.needed(),
    field::listOf<&MatchableNames::names, codecs::text>("names").atMost(limits::matcher_names_max).rare(),
    field::listOf<&MatchableNames::prefixes, codecs::text>("prefixes").atMost(limits::matcher_names_max).rare(),
};
constexpr Field ownMatcherFields[] = {
    field::of<&JobMatcher::id, codecs::line>("id"),
    field::caption<&JobMatcher::title>("title", limits::matcher_title_bytes_max).needed(),
    field::bounded<&JobMatcher::expression, codecs::lines>("expression", limits::matcher_text_bytes_max).needed(),
    field::bounded<&JobMatcher::note, codecs::lines>("note", limits::matcher_note_bytes_max),
    field::boolean<&JobMatcher::enabled>("enabled"),
    field::integer<&JobMatcher::rank>("rank", -limits::matcher_rank_max, limits::matcher_rank_max),
    field::of<&JobMatcher::exempts, codecs::exempts>("exempts").atMost(limits::matcher_exempts_max),
    field::of<&JobMatcher::mask, maskCodec>("mask").atMost(limits::matcher_masks_max).rare(),
    field::of<&JobMatcher::constraints, codecs::constraints>("constraints").atMost(limits::constraints_max),
};
bool isUnreadable(const void *object)
{
    return isSaved(object) && !static_cast<const JobMatcher *>(object)->unreadable.isEmpty();
}
constexpr Field matcherFields[] = {
    field::beside(ownMatcherTable),
    // What the master writes itself. Requests may have it, so that a matcher can be sent back as it was read.
    field::integer<&JobMatcher::revision>("revision", 1).onlyIf(isSaved),
    field::time<&JobMatcher::editedAt_ms>("edited_at").onlyIf(isSaved),
    field::of<&JobMatcher::editedBy, codecs::line>("edited_by").onlyIf(isSaved),
    field::object<&JobMatcher::unreadable>("unreadable", explainedTable).onlyIf(isUnreadable),
    Field{.name = "names", .codec = &shownCodec, .memberOf = [](void *matcher) { return matcher; }, .table = &matchableNamesTable}.rare(),
};

bool checkMatcher(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &)
{
    const auto &matcher = *static_cast<const JobMatcher *>(object);
    if (matcher.expression.isEmpty())
        return in.fail({&value.path, "expression", -1}, reasons::matcherExpressionEmpty);
    const FieldPath list{&value.path, "constraints", -1};
    QList<QByteArray> ids;
    for (const Constraint &constraint : matcher.constraints) {
        const FieldPath element{&list, {}, qsizetype(&constraint - matcher.constraints.data())};
        const FieldPath path{&element, "id", -1};
        if (!constraint.id.isEmpty() && !isConstraintId(constraint.id))
            return in.fail(path, reasons::constraintIdExpected);
        if (!constraint.id.isEmpty() && ids.contains(constraint.id))
            return in.fail(path, reasons::constraintIdTwiceHere);
        ids.append(constraint.id);
    }
    return true;
}

} // namespace

namespace codecs {
constinit const Codec constraints{readConstraints, Constraints::write, Constraints::same, "array", &constraint};
constinit const Codec exempts{readExempts, IdTexts::write, IdTexts::same, "array", &text};
} // namespace codecs

bool isMatcherId(QByteArrayView text)
{
    return isId(text, limits::matcher_id_bytes_max);
}

constinit const TableOf<MatchableNames> matchableNamesTable{"MatchableNames", namesFields};
constinit const TableOf<JobMatcher> ownMatcherTable{nullptr, ownMatcherFields};
constinit const TableOf<JobMatcher> matcherTable{"NewMatcher", matcherFields, checkMatcher};

namespace {

Result<JobMatcher> readMatcher(Decoder::Of of, const QByteArray &id, QByteArrayView map)
{
    if (!isMatcherId(id))
        return reasons::matcherIdExpected("id", limits::matcher_id_bytes_max);
    JobMatcher matcher;
    matcher.id = id;
    Result<JobMatcher> read = unpackAs(of, matcherTable, map, matcher);
    if (read.ok() && read->id != id)
        return reasons::matcherIdDiffers("id", read->id, id);
    return read;
}

// What an operator knows a damaged matcher by, and what says which jobs are its.
JobMatcher salvaged(const QByteArray &id, QByteArrayView map)
{
    JobMatcher matcher;
    matcher.id = id;
    const auto value = [map](QByteArrayView key) {
        const payload::Step path[] = {{key, -1}};
        const std::optional<QByteArrayView> raw = payload::find(map, path);
        return raw ? payload::Reader(*raw).next() : std::nullopt;
    };
    const auto text = [&value](QByteArrayView key) {
        const std::optional<payload::Token> token = value(key);
        const bool usable = token && token->type == payload::Type::String && token->bytes.isValidUtf8();
        return usable ? token->bytes.toByteArray() : QByteArray();
    };
    const QByteArray title = text("title");
    matcher.title = isPlainText(title, limits::matcher_title_bytes_max) ? title : id;
    matcher.expression = text("expression").left(limits::matcher_text_bytes_max);
    const std::optional<payload::Token> enabled = value("enabled");
    matcher.enabled = !enabled || enabled->type != payload::Type::Boolean || enabled->boolean;
    Decoder in(Decoder::Of::Answer);
    const payload::Step masks[] = {{QByteArrayView("mask"), -1}};
    const std::optional<QByteArrayView> mask = payload::find(map, masks);
    const std::optional<PackedValue> places = mask ? in.root(*mask) : std::nullopt;
    if (!places || !readTexts(in, *places, matcher.mask, limits::matcher_masks_max, isMaskPath, reasons::matcherMaskExpected))
        matcher.mask.clear();
    matcher.mask.removeIf([](const QByteArray &path) { return !isMaskPath(path); });
    return matcher;
}

std::optional<QByteArray> lostZone(const JobMatcher &matcher)
{
    for (const Constraint &constraint : matcher.constraints) {
        const Kind &kind = kindOf(constraint.kind());
        if (!kind.zone)
            continue;
        QList<QByteArray> zones{kind.zone(addressOf(constraint.parameters))};
        for (const Override &override : constraint.overrides) {
            const Parameters own = constraint.parametersFor(override.key);
            zones.append(kind.zone(addressOf(own)));
        }
        for (const QByteArray &zone : std::as_const(zones)) {
            if (!TimeZone::named(zone, {}).ok())
                return zone;
        }
    }
    return {};
}

} // namespace

Result<JobMatcher> JobMatcher::fromMsgpack(const QByteArray &id, QByteArrayView map)
{
    return readMatcher(Decoder::Of::Request, id, map);
}

JobMatcher JobMatcher::fromStore(const QByteArray &id, QByteArrayView map)
{
    Result<JobMatcher> read = readMatcher(Decoder::Of::Stored, id, map);
    JobMatcher matcher = read.ok() ? std::move(*read) : salvaged(id, map);
    matcher.unreadable = {};
    if (!read.ok())
        matcher.unreadable = reasons::matcherRecordDamaged(read.error().reason);
    else if (const std::optional<QByteArray> zone = lostZone(matcher))
        matcher.unreadable = TimeZone::lost(*zone).reason;
    return matcher;
}

QByteArray JobMatcher::packed() const
{
    return pack(matcherTable, *this);
}

void giveConstraintIds(JobMatcher &matcher, const JobMatcher *previous, const std::function<bool(const QByteArray &id)> &ofOthers)
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
            if (!isTaken(id) && !wasThere(id) && !(ofOthers && ofOthers(id)))
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
        && (!kindOf(a.kind()).ranked || a.mode == b.mode)
        && (kindOf(a.kind()).by != Kind::By::Never || a.parameters == b.parameters);
}

bool ranked(const JobMatcher &matcher)
{
    return std::any_of(matcher.constraints.begin(), matcher.constraints.end(), [](const Constraint &constraint) {
        return kindOf(constraint.kind()).ranked;
    });
}

} // namespace

bool needsNewEpoch(const JobMatcher *previous, const JobMatcher *next)
{
    if ((previous && !previous->unreadable.isEmpty()) || (next && !next->unreadable.isEmpty()))
        return true;
    const auto matters = [](const JobMatcher *m) { return m && m->enabled && (!m->constraints.isEmpty() || !m->exempts.isEmpty()); };
    if (!matters(previous) || !matters(next))
        return matters(previous) || matters(next);
    return previous->expression != next->expression || previous->exempts != next->exempts
        || (previous->rank != next->rank && (ranked(*previous) || ranked(*next)))
        || !std::equal(previous->constraints.begin(), previous->constraints.end(), next->constraints.begin(), next->constraints.end(),
            sameBuckets);
}

MatcherCompilation CompiledMatcher::compile(JobMatcher matcher, cel::Mode mode)
{
    using namespace cel;
    MatcherCompilation result;
    const Environment environment = matcherEnvironment();
    const auto program = [&](const QByteArray &field, const QByteArray &text, Wanted wanted) {
        const Compiled compiled = cel::compile(text, environment, mode, wanted);
        for (const cel::Problem &problem : compiled.problems)
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
        if (amount && !amount->expression.isEmpty())
            programs.amount = program(path + kindOf(constraint.kind()).amount->name.toByteArray(), amount->expression, Wanted::Number);
        made->m_programs.append(programs);
    }
    if (!result.problems.isEmpty())
        return result;
    for (const QByteArray &path : source.mask)
        made->m_mask.append(maskPathOf(path));
    made->m_names = source.enabled ? matchableNames(*made->m_predicate, qint32(JobVariable::Name)) : NameSet::none();
    result.matcher = made;
    return result;
}

std::shared_ptr<const CompiledMatcher> CompiledMatcher::compileStored(JobMatcher matcher)
{
    if (matcher.unreadable.isEmpty()) {
        const MatcherCompilation compilation = compile(matcher, cel::Mode::Kept);
        if (compilation.matcher)
            return compilation.matcher;
        const ExpressionProblem &first = compilation.problems.first();
        matcher.unreadable = reasons::matcherNotUnderstood(first.field, first.problem.reason);
    }
    using namespace cel;
    auto made = std::shared_ptr<CompiledMatcher>(new CompiledMatcher);
    made->m_matcher = std::move(matcher);
    const JobMatcher &source = made->m_matcher;
    made->m_predicate = cel::compile(source.expression, matcherEnvironment(), Mode::Lenient, Wanted::Boolean).program;
    if (!made->m_predicate)
        made->m_predicate = cel::compile("false", matcherEnvironment(), Mode::Lenient, Wanted::Boolean).program;
    made->m_programs.resize(source.constraints.size());
    for (const QByteArray &path : source.mask)
        made->m_mask.append(maskPathOf(path));
    made->m_names = source.enabled ? matchableNames(*made->m_predicate, qint32(JobVariable::Name)) : NameSet::none();
    return made;
}

MatchableNames CompiledMatcher::shownNames() const
{
    const auto first = [](const QList<QByteArray> &all) { return all.mid(0, limits::matcher_names_shown_max); };
    return {m_names.word(), first(m_names.names()), m_names.isAny() ? QList<QByteArray>() : first(m_names.prefixes())};
}

} // namespace junban
