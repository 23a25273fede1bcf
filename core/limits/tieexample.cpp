#include "core/limits/tieexample.h"

#include "core/base/text.h"
#include "core/limits/jobvariables.h"
#include "core/limits/tiefields.h"
#include "core/msgpack/json.h"
#include "core/msgpack/msgpackwriter.h"

#include <algorithm>

namespace junban {

using cel::JobVariable;
using cel::Op;

namespace {

constexpr int branches_max = 64;   // ways in which one expression can be true, at most
constexpr int visits_max = 500;    // nested conditions multiply
constexpr int built_steps = 32;    // what making a job costs, in steps of an evaluation
constexpr int read_steps = 32;     // what visiting a node of an expression costs

// A part of an expression that must be true, or must be false.
struct Literal {
    const cel::Code *code = nullptr;
    qint32 node = -1;
    bool wanted = true;
    QList<int> mentions = {};      // fields
    QList<int> needs = {};         // those fields, and what is above and below them, as far as the branch has them
    qsizetype last = -1;           // the level of the walk at which all of them are chosen
    bool settled = false;          // nothing chosen later changes it
};
// Literals of which all must hold; that is one way in which an expression is true.
using Branch = QList<Literal>;

// All ways in which an expression is true: exactly, errors included, for && needs all and || needs one.
class Branches
{
public:
    explicit Branches(const cel::Code &code) : m_code(code) {}

    QList<Branch> of(qint32 index, bool wanted)
    {
        const cel::Node &node = m_code.node(index);
        if (++m_visits > visits_max)
            return {{Literal{&m_code, index, wanted}}};
        QList<Branch> result;
        switch (node.op) {
        case Op::Not: return of(node.a, !wanted);
        case Op::And:
        case Op::Or:
            if ((node.op == Op::And) == wanted)
                result.append(Branch());
            for (qint32 i = 0; i < node.count; ++i) {
                const QList<Branch> part = of(m_code.child(node, i), wanted);
                result = (node.op == Op::And) == wanted ? joined(result, part) : result + part;
            }
            break;
        case Op::Conditional:
            result = joined(of(node.a, true), of(node.b, wanted)) + joined(of(node.a, false), of(node.c, wanted));
            break;
        default: break;
        }
        if (result.isEmpty() || result.size() > branches_max)
            return {{Literal{&m_code, index, wanted}}};
        return result;
    }

private:
    static QList<Branch> joined(const QList<Branch> &some, const QList<Branch> &others)
    {
        QList<Branch> result;
        for (const Branch &a : some) {
            for (const Branch &b : others) {
                if (result.size() <= branches_max)
                    result.append(a + b);
            }
        }
        return result;
    }

    const cel::Code &m_code;
    int m_visits = 0;
};

// As MatcherSet::classify() evaluates it.
bool bothMatch(const CompiledMatcher &a, const CompiledMatcher &b, const TieExample &job, cel::Evaluation &evaluation)
{
    const cel::SpecBindings bindings(job.spec, job.pusher);
    return evaluation.evaluate(a.predicate(), bindings).isTrue() && evaluation.evaluate(b.predicate(), bindings).isTrue();
}

class Search
{
public:
    Search(const CompiledMatcher &a, const CompiledMatcher &b, cel::Evaluation &evaluation, qint64 &steps)
        : m_a(a)
        , m_b(b)
        , m_evaluation(evaluation)
        , m_steps(steps)
    {
        m_steps -= read_steps * qint64(a.predicate().code().nodes.size() + b.predicate().code().nodes.size());
        m_fields.read(a.predicate().code());
        m_fields.read(b.predicate().code());
    }

    bool find()
    {
        const QList<Branch> some = branchesOf(m_a);
        const QList<Branch> others = &m_a == &m_b ? QList<Branch>{Branch()} : branchesOf(m_b);
        m_fields.choose(m_a.names().intersected(m_b.names()));
        if (m_fields.fields()[int(JobVariable::Name)].choices.isEmpty())
            return false;
        for (const Branch &branch : some) {
            for (const Branch &other : others) {
                if (holdsTogether(branch + other))
                    return true;
                if (spent())
                    return false;
            }
        }
        return false;
    }
    const TieExample &job() const { return m_job; }

private:
    bool spent() const { return m_built > limits::tie_jobs_max || m_steps < 0; }

    QList<Branch> branchesOf(const CompiledMatcher &matcher)
    {
        const cel::Code &code = matcher.predicate().code();
        QList<Branch> branches = Branches(code).of(code.root, true);
        for (Branch &branch : branches) {
            for (Literal &literal : branch)
                literal.mentions = m_fields.mentioned(code, literal.node);
        }
        return branches;
    }

    bool isAbove(int field, int other) const
    {
        while (other >= 0 && other != field)
            other = m_fields.fields()[other].parent;
        return other == field;
    }

    // Whether a job was found for which all of them hold.
    bool holdsTogether(Branch branch)
    {
        m_branch = std::move(branch);
        open();
        if (!narrow())
            return false;
        QList<int> order;
        for (const int field : std::as_const(m_active)) {
            if (m_choices[field].size() > 1)
                order.append(field);
        }
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return m_choices[a].size() < m_choices[b].size(); });
        for (Literal &literal : m_branch) {
            for (const int field : std::as_const(literal.needs))
                literal.last = std::max(literal.last, order.indexOf(field));
        }
        m_order = order;
        build();
        return descend(0);
    }

    // The fields this branch has, each with all its choices. What is only above another is there for that one.
    void open()
    {
        const QList<TieField> &fields = m_fields.fields();
        QList<bool> mentioned(fields.size(), false);
        QList<bool> active(fields.size(), false);
        active[int(JobVariable::Name)] = true;
        for (const Literal &literal : std::as_const(m_branch)) {
            for (const int field : literal.mentions) {
                mentioned[field] = true;
                for (int above = field; above >= 0; above = fields[above].parent)
                    active[above] = true;
            }
        }
        m_active.clear();
        m_choices.fill({}, fields.size());
        m_chosen.fill(nullptr, fields.size());
        for (int field = 0; field < fields.size(); ++field) {
            if (!active[field])
                continue;
            m_active.append(field);
            for (const TieChoice &choice : fields[field].choices) {
                const bool made = choice.kind == TieChoice::Kind::Map || choice.kind == TieChoice::Kind::List; // of the fields below
                const bool isList = choice.kind == TieChoice::Kind::List;
                const auto fits = [&](int child) { return active[child] && (fields[child].at >= 0) == isList; };
                const bool anyName = field == int(JobVariable::Name) && m_choices[field].isEmpty();
                const auto &children = fields[field].children;
                if (made ? std::any_of(children.begin(), children.end(), fits) : mentioned[field] || anyName)
                    m_choices[field].append(&choice);
            }
            m_steps -= m_choices[field].size();
            choose(field);
        }
        for (Literal &literal : m_branch) {
            for (const int field : std::as_const(m_active)) {
                const auto related = [&](int mention) { return isAbove(field, mention) || isAbove(mention, field); };
                if (std::any_of(literal.mentions.begin(), literal.mentions.end(), related))
                    literal.needs.append(field);
            }
        }
    }

    // A field with one choice left gets it.
    void choose(int field) { m_chosen[field] = m_choices[field].size() == 1 ? m_choices[field][0] : nullptr; }

    // Takes away the choices of each field that a literal excludes which depends on this field alone. False: there is no job.
    bool narrow()
    {
        for (bool changed = true; changed;) {
            changed = false;
            for (Literal &literal : m_branch) {
                int loose = -1;
                int count = 0;
                for (const int field : std::as_const(literal.needs)) {
                    if (m_choices[field].size() != 1) {
                        loose = field;
                        ++count;
                    }
                }
                if (literal.settled || count > 1)
                    continue;
                literal.settled = true;
                if (count == 0) {
                    build();
                    if (!holds(literal))
                        return false;
                    continue;
                }
                m_choices[loose].removeIf([&](const TieChoice *choice) {
                    m_chosen[loose] = choice;
                    build();
                    return !holds(literal);
                });
                choose(loose);
                changed = changed || m_chosen[loose];
                if (m_choices[loose].isEmpty())
                    return false;
            }
        }
        return !spent();
    }

    // Chooses one field after another and goes back where a literal fails. As deep as there are fields.
    bool descend(qsizetype level)
    {
        if (spent())
            return false;
        if (level == m_order.size())
            return bothMatch(m_a, m_b, m_job, m_evaluation);
        const int field = m_order[level];
        for (const TieChoice *choice : std::as_const(m_choices[field])) {
            m_chosen[field] = choice;
            build();
            const bool possible = std::all_of(m_branch.begin(), m_branch.end(),
                [&](const Literal &literal) { return literal.settled || literal.last != level || holds(literal); });
            if (possible && descend(level + 1))
                return true;
        }
        m_chosen[field] = nullptr;
        return false;
    }

    bool holds(const Literal &literal)
    {
        if (spent())
            return false;
        const cel::SpecBindings bindings(m_job.spec, m_job.pusher);
        const cel::Value value = m_evaluation.evaluate(*literal.code, literal.node, bindings);
        m_steps -= m_evaluation.stepsUsed() + 1;
        return literal.wanted ? value.isTrue() : value.isFalse();
    }

    // The job of what is chosen; the rest is as usual.
    void build()
    {
        ++m_built;
        m_steps -= built_steps;
        m_job = {};
        JobSpec &spec = m_job.spec;
        for (const int field : std::as_const(m_active)) {
            const TieChoice *choice = m_chosen[field];
            if (!choice)
                continue;
            switch (JobVariable(field)) {
            case JobVariable::Name: spec.name = choice->bytes; break;
            case JobVariable::Argument: spec.argument = packed(field).value_or(spec.argument); break;
            case JobVariable::Priority: spec.priority = qint32(choice->number); break;
            case JobVariable::MaxRetry: spec.maxRetry = int(choice->number); break;
            case JobVariable::KeepResult: spec.keepResult = choice->number > 0; break;
            case JobVariable::Timeout: spec.timeout_ms = qint64(choice->number); break;
            case JobVariable::Tags: spec.tags = choice->texts; break;
            case JobVariable::Pusher: m_job.pusher = choice->bytes; break;
            default: break; // below the argument
            }
        }
    }

    // A field of the argument; nothing when it is left out. As deep as expressions are.
    std::optional<QByteArray> packed(int index) const
    {
        const TieChoice *choice = m_chosen[index];
        if (!choice || choice->kind == TieChoice::Kind::Absent)
            return {};
        if (choice->kind == TieChoice::Kind::Value)
            return choice->bytes;
        const bool isList = choice->kind == TieChoice::Kind::List;
        QList<QByteArray> elements;
        MsgpackWriter pairs;
        qsizetype count = 0;
        for (const int child : m_fields.fields()[index].children) {
            const TieField &field = m_fields.fields()[child];
            const std::optional<QByteArray> value = (field.at >= 0) == isList ? packed(child) : std::nullopt;
            if (!value)
                continue;
            ++count;
            if (!isList) {
                pairs.text(field.key).raw(*value);
                continue;
            }
            while (elements.size() <= field.at)
                elements.append(QByteArray(payload::nil, 1));
            elements[field.at] = *value;
        }
        MsgpackWriter writer;
        if (isList)
            writer.array(elements.size()).raw(elements.join());
        else
            writer.map(count).raw(pairs.take());
        return writer.take();
    }

    const CompiledMatcher &m_a;
    const CompiledMatcher &m_b;
    cel::Evaluation &m_evaluation;
    qint64 &m_steps;
    TieFields m_fields;
    TieExample m_job;
    int m_built = 0;
    // Of the branch at hand, by field.
    Branch m_branch;
    QList<int> m_active;
    QList<QList<const TieChoice *>> m_choices;
    QList<const TieChoice *> m_chosen;
    QList<int> m_order;            // in which the walk chooses
};

} // namespace

QByteArray TieExample::name() const
{
    return shown(spec.name, limits::preview_read_bytes_max);
}

QByteArrayList TieExample::fields() const
{
    const JobSpec plain;
    QByteArrayList parts;
    const auto part = [&](const char *name, QByteArrayView value) {
        parts.append(name + (' ' + shown(value, limits::preview_read_bytes_max)));
    };
    if (spec.argument != plain.argument)
        part("argument", json::fromMsgpack(spec.argument));
    if (!spec.tags.isEmpty()) {
        MsgpackWriter tags;
        tags.array(spec.tags.size());
        for (const QByteArray &tag : spec.tags)
            tags.text(tag);
        part("tags", json::fromMsgpack(tags.take()));
    }
    if (spec.priority != plain.priority)
        part("priority", QByteArray::number(spec.priority));
    if (spec.maxRetry != plain.maxRetry)
        part("max_retry", QByteArray::number(spec.maxRetry));
    if (spec.keepResult)
        part("keep_result", "true");
    if (spec.timeout_ms != plain.timeout_ms)
        part("timeout", QByteArray::number(double(spec.timeout_ms) / 1000));
    if (!pusher.isEmpty())
        part("pusher", pusher);
    return parts;
}

std::optional<TieExample> TieSearch::find(const CompiledMatcher &a, const CompiledMatcher &b)
{
    const cel::NameSet names = a.names().intersected(b.names());
    for (const QByteArray &name : names.names() + names.prefixes() + QList<QByteArray>{"example"}) {
        TieExample plain;
        plain.spec.name = name;
        if (names.contains(name) && !name.isEmpty() && bothMatch(a, b, plain, m_evaluation))
            return plain;
    }
    if (m_steps < 0)
        return {};
    Search search(a, b, m_evaluation, m_steps);
    return search.find() ? std::optional(search.job()) : std::nullopt;
}

} // namespace junban
