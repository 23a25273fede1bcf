#include "core/cel/names.h"

#include "core/cel/code.h"
#include "core/cel/containers.h"
#include "core/limits.h"

#include <algorithm>
#include <optional>

namespace junban::cel {

NameSet NameSet::only(QByteArray name)
{
    NameSet set;
    set.m_names.append(std::move(name));
    return set;
}

NameSet NameSet::withPrefix(QByteArray prefix)
{
    NameSet set;
    set.m_prefixes.append(std::move(prefix));
    return set;
}

bool NameSet::contains(QByteArrayView name) const
{
    const auto covers = [&](const QByteArray &prefix) { return name.startsWith(prefix); };
    return std::find(m_names.begin(), m_names.end(), name) != m_names.end() || std::any_of(m_prefixes.begin(), m_prefixes.end(), covers);
}

const char *NameSet::word() const
{
    if (isAny())
        return "any";
    if (!m_prefixes.isEmpty())
        return "prefixes";
    return m_names.isEmpty() ? "never" : "names";
}

void NameSet::tidy()
{
    std::sort(m_prefixes.begin(), m_prefixes.end());
    QList<QByteArray> prefixes;
    for (const QByteArray &prefix : std::as_const(m_prefixes)) {
        if (prefixes.isEmpty() || !prefix.startsWith(prefixes.last())) // sorted: a prefix that covers it was added just before
            prefixes.append(prefix);
    }
    m_prefixes = prefixes;
    std::sort(m_names.begin(), m_names.end());
    m_names.erase(std::unique(m_names.begin(), m_names.end()), m_names.end());
    m_names.removeIf([this](const QByteArray &name) {
        return std::any_of(m_prefixes.begin(), m_prefixes.end(), [&](const QByteArray &prefix) { return name.startsWith(prefix); });
    });
    if (m_names.size() + m_prefixes.size() > limits::matcher_names_max)
        *this = any();
}

NameSet NameSet::united(const NameSet &other) const
{
    NameSet result = *this;
    result.m_names += other.m_names;
    result.m_prefixes += other.m_prefixes;
    result.tidy();
    return result;
}

NameSet NameSet::intersected(const NameSet &other) const
{
    NameSet result;
    for (const QByteArray &name : m_names) {
        if (other.contains(name))
            result.m_names.append(name);
    }
    for (const QByteArray &name : other.m_names) {
        if (contains(name))
            result.m_names.append(name);
    }
    for (const QByteArray &mine : m_prefixes) {
        for (const QByteArray &theirs : other.m_prefixes) {
            if (mine.startsWith(theirs))
                result.m_prefixes.append(mine);
            else if (theirs.startsWith(mine))
                result.m_prefixes.append(theirs);
        }
    }
    result.tidy();
    return result;
}

namespace {

// The prefixes of the texts that an anchored regular expression matches: "^crawl\.(eu|us)\." has two. A prefix ends before the first part
// of the pattern that is not understood here; it may be empty.
class PatternPrefixes
{
public:
    explicit PatternPrefixes(QByteArrayView pattern) : m_pattern(pattern) {}

    NameSet names()
    {
        const bool branches = m_pattern.contains('|');
        const bool hidesBranches = m_pattern.contains('[') || m_pattern.contains("\\Q");
        if (!m_pattern.startsWith('^') || (branches && (hidesBranches || branchesOutside())))
            return NameSet::any();
        m_at = 1;
        QList<QByteArray> prefixes{QByteArray()};
        bool whole = false;
        while (m_at < m_pattern.size()) {
            if (m_pattern[m_at] == '$' && m_at + 1 == m_pattern.size()) {
                whole = true;
                break;
            }
            const qsizetype start = m_at;
            const QList<QByteArray> next = m_pattern[m_at] == '(' ? group() : one();
            const char behind = m_at < m_pattern.size() ? m_pattern[m_at] : '\0';
            if (next.isEmpty() || behind == '*' || behind == '?' || behind == '{' || prefixes.size() * next.size() > 64) {
                m_at = start;
                break;
            }
            QList<QByteArray> longer;
            for (const QByteArray &prefix : std::as_const(prefixes)) {
                for (const QByteArray &part : next)
                    longer.append(prefix + part);
            }
            prefixes = longer;
            if (behind == '+')
                break; // it occurs at least once
        }
        NameSet set;
        for (const QByteArray &prefix : std::as_const(prefixes))
            set = set.united(whole ? NameSet::only(prefix) : NameSet::withPrefix(prefix));
        return set;
    }

private:
    // Whether there is a | outside of brackets: then ^ belongs to one branch only.
    bool branchesOutside() const
    {
        int depth = 0;
        for (qsizetype i = 0; i < m_pattern.size(); ++i) {
            switch (m_pattern[i]) {
            case '\\': ++i; break;
            case '(': ++depth; break;
            case ')': --depth; break;
            case '|':
                if (depth == 0)
                    return true;
                break;
            default: break;
            }
        }
        return false;
    }

    // A character, or an escaped punctuation mark, that matches itself.
    QList<QByteArray> one()
    {
        char c = m_pattern[m_at];
        static constexpr char marks[] = "-_:/@#,=~!%& ";
        const auto plain = [](char x) { return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || (x >= '0' && x <= '9'); };
        if (c == '\\' && m_at + 1 < m_pattern.size()) {
            c = m_pattern[m_at + 1];
            if (plain(c) || quint8(c) >= 0x80 || c < ' ')
                return {};
            m_at += 2;
            return {QByteArray(1, c)};
        }
        if (!plain(c) && !QByteArrayView(marks).contains(c))
            return {};
        ++m_at;
        return {QByteArray(1, c)};
    }

    // A group of plain branches: (a|b) or (?:a|b).
    QList<QByteArray> group()
    {
        ++m_at;
        if (m_pattern.sliced(m_at).startsWith("?:"))
            m_at += 2;
        QList<QByteArray> branches{QByteArray()};
        while (m_at < m_pattern.size()) {
            if (m_pattern[m_at] == ')') {
                ++m_at;
                return branches;
            }
            if (m_pattern[m_at] == '|') {
                ++m_at;
                branches.append(QByteArray());
                continue;
            }
            const QList<QByteArray> next = one();
            if (next.isEmpty())
                return {};
            if (m_at < m_pattern.size() && QByteArrayView("*+?{").contains(m_pattern[m_at]))
                return {};
            branches.last() += next[0];
        }
        return {};
    }

    QByteArrayView m_pattern;
    qsizetype m_at = 0;
};

// For which job names an expression can be true, and for which it can be false. For a name in neither set it is an error.
struct Answers {
    NameSet whenTrue = NameSet::any();
    NameSet whenFalse = NameSet::any();
};

class Analysis
{
public:
    Analysis(const Code &code, qint32 nameSlot) : m_code(code), m_nameSlot(nameSlot), m_locals(size_t(code.locals)) {}

    Answers of(qint32 index)
    {
        const Node &node = m_code.node(index);
        if (const auto constant = constantOf(index))
            return {constant->isTrue() ? NameSet::any() : NameSet::none(), constant->isFalse() ? NameSet::any() : NameSet::none()};
        if (++m_visits > visits_max)
            return {};
        switch (node.op) {
        case Op::Not: {
            const Answers inner = of(node.a);
            return {inner.whenFalse, inner.whenTrue};
        }
        case Op::And: return all(operands(node));
        case Op::Or: return some(operands(node));
        case Op::Conditional: return conditional(node);
        case Op::Equal: return {equality(node), NameSet::any()};
        case Op::NotEqual: return {NameSet::any(), equality(node)};
        case Op::In: return {membership(node), NameSet::any()};
        case Op::Call: return {search(node), NameSet::any()};
        case Op::All: return quantified(node, &Analysis::all);
        case Op::Exists: return quantified(node, &Analysis::some);
        default: return {};
        }
    }

private:
    static constexpr int visits_max = 500; // nested macros over constant lists multiply the visits

    QList<Answers> operands(const Node &node)
    {
        QList<Answers> answers;
        for (qint32 i = 0; i < node.count; ++i)
            answers.append(of(m_code.child(node, i)));
        return answers;
    }

    static Answers all(const QList<Answers> &parts)
    {
        Answers answers{NameSet::any(), NameSet::none()};
        for (const Answers &part : parts) {
            answers.whenTrue = answers.whenTrue.intersected(part.whenTrue);
            answers.whenFalse = answers.whenFalse.united(part.whenFalse);
        }
        return answers;
    }

    static Answers some(const QList<Answers> &parts)
    {
        Answers answers{NameSet::none(), NameSet::any()};
        for (const Answers &part : parts) {
            answers.whenTrue = answers.whenTrue.united(part.whenTrue);
            answers.whenFalse = answers.whenFalse.intersected(part.whenFalse);
        }
        return answers;
    }

    Answers conditional(const Node &node)
    {
        const Answers condition = of(node.a);
        const Answers then = of(node.b);
        const Answers otherwise = of(node.c);
        return {condition.whenTrue.intersected(then.whenTrue).united(condition.whenFalse.intersected(otherwise.whenTrue)),
            condition.whenTrue.intersected(then.whenFalse).united(condition.whenFalse.intersected(otherwise.whenFalse))};
    }

    // A macro over a constant list or map: one part for each element.
    Answers quantified(const Node &node, Answers (*combine)(const QList<Answers> &))
    {
        const auto range = constantOf(node.a);
        if (!range || (range->type() != ValueType::List && range->type() != ValueType::Map))
            return {};
        QList<Answers> parts;
        Work work;
        Walk walk(*range, work);
        for (Value element; walk.next(element);) {
            if (range->type() == ValueType::Map)
                walk.skip();
            m_locals[size_t(node.slot)] = element;
            parts.append(of(node.b));
        }
        m_locals[size_t(node.slot)].reset();
        return combine(parts);
    }

    NameSet equality(const Node &node)
    {
        const auto value = isName(node.a) ? constantOf(node.b) : isName(node.b) ? constantOf(node.a) : std::nullopt;
        return value ? named(*value) : NameSet::any();
    }

    NameSet membership(const Node &node)
    {
        const auto container = isName(node.a) ? constantOf(node.b) : std::nullopt;
        if (!container)
            return NameSet::any();
        if (container->type() != ValueType::List && container->type() != ValueType::Map)
            return NameSet::none();
        NameSet set;
        Work work;
        Walk walk(*container, work);
        for (Value element; walk.next(element);) {
            if (container->type() == ValueType::Map)
                walk.skip();
            set = set.united(named(element));
        }
        return set;
    }

    NameSet search(const Node &node)
    {
        if (node.count != 2 || !isName(m_code.child(node, 0)))
            return NameSet::any();
        const auto wanted = constantOf(m_code.child(node, 1));
        if (!wanted)
            return NameSet::any();
        if (node.function != Function::StartsWith && node.function != Function::Matches)
            return NameSet::any();
        if (wanted->type() != ValueType::String)
            return NameSet::none();
        return node.function == Function::StartsWith ? NameSet::withPrefix(wanted->view().toByteArray())
                                                     : PatternPrefixes(wanted->view()).names();
    }

    static NameSet named(const Value &value)
    {
        return value.type() == ValueType::String ? NameSet::only(value.view().toByteArray()) : NameSet::none();
    }

    bool isName(qint32 index) const
    {
        const Node &node = m_code.node(index);
        if (node.op == Op::Call && (node.function == Function::Dyn || node.function == Function::String))
            return isName(m_code.child(node, 0));
        return node.op == Op::Variable && node.slot == m_nameSlot;
    }

    std::optional<Value> constantOf(qint32 index) const
    {
        const Node &node = m_code.node(index);
        if (node.op == Op::Constant)
            return node.constant;
        return node.op == Op::Local ? m_locals[size_t(node.slot)] : std::nullopt;
    }

    const Code &m_code;
    qint32 m_nameSlot;
    std::vector<std::optional<Value>> m_locals;
    int m_visits = 0;
};

} // namespace

NameSet matchableNames(const Program &program, qint32 nameSlot)
{
    return Analysis(program.code(), nameSlot).of(program.code().root).whenTrue;
}

} // namespace junban::cel
