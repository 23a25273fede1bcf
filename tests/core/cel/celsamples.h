#pragma once

#include <QByteArray>
#include <QList>
#include <functional>
#include <optional>
#include <random>

// Random expressions of the matcher language over a job's name and argument, each with its meaning worked out by plain C++: a naive
// second evaluator, which knows nothing of the first.
namespace junban::tests {

enum class Answer { False, True, Fault };

// A job as the naive evaluator sees it: its name, and an argument that is a bool, or anything else.
struct Subject {
    QByteArray name;
    std::optional<bool> flag;
};

// An expression as text, and what it means, worked out without the matcher language.
struct Sample {
    QByteArray text;
    std::function<Answer(const Subject &)> meaning;
};

inline const QList<QByteArray> names = {
    "", "a", "ab", "abc", "b", "ba", "bb", "a.b", "a-b", "c", "ca", "mail.send", "mail.bulk", "mailer", "\u65e5",
};

inline Answer answer(bool value)
{
    return value ? Answer::True : Answer::False;
}

// Random expressions over the name, with the naive evaluation of each.
class Maker
{
public:
    explicit Maker(quint32 seed) : m_random(seed) {}

    Sample make(int depth)
    {
        switch (depth == 0 ? pick(7) : pick(13)) {
        case 0: return constant();
        case 1: return equality();
        case 2: return membership();
        case 3: return prefix();
        case 4: return pattern();
        case 5: return {"job.argument", [](const Subject &job) { return job.flag ? answer(*job.flag) : Answer::Fault; }};
        case 6: return other();
        case 7: return negated(make(depth - 1));
        case 8:
        case 9: return both(make(depth - 1), make(depth - 1));
        case 10: return either(make(depth - 1), make(depth - 1));
        case 11: return conditional(make(depth - 1), make(depth - 1), make(depth - 1));
        default: return macro();
        }
    }
    int pick(int below) { return int(m_random() % quint32(below)); }

private:
    QByteArray name() { return names[pick(int(names.size()))]; }
    static QByteArray quoted(const QByteArray &text) { return '\'' + text + '\''; }

    Sample constant()
    {
        switch (pick(3)) {
        case 0: return {"true", [](const Subject &) { return Answer::True; }};
        case 1: return {"false", [](const Subject &) { return Answer::False; }};
        default: return {"1", [](const Subject &) { return Answer::Fault; }};
        }
    }
    Sample equality()
    {
        const QByteArray wanted = name();
        switch (pick(4)) {
        case 0: return {"job.name == " + quoted(wanted), [=](const Subject &job) { return answer(job.name == wanted); }};
        case 1: return {quoted(wanted) + " == dyn(job.name)", [=](const Subject &job) { return answer(job.name == wanted); }};
        case 2: return {"job.name != " + quoted(wanted), [=](const Subject &job) { return answer(job.name != wanted); }};
        default: return {"job.name == 1", [](const Subject &) { return Answer::False; }};
        }
    }
    Sample membership()
    {
        QList<QByteArray> list;
        QByteArray text;
        for (int count = pick(4); count > 0; --count) {
            list.append(name());
            text += (text.isEmpty() ? "" : ", ") + quoted(list.last());
        }
        return {"job.name in [" + text + "]", [=](const Subject &job) { return answer(list.contains(job.name)); }};
    }
    Sample prefix()
    {
        const QByteArray part = name().left(pick(4));
        if (part.isValidUtf8())
            return {"job.name.startsWith(" + quoted(part) + ")", [=](const Subject &job) { return answer(job.name.startsWith(part)); }};
        return constant();
    }
    // A regular expression whose matches are told by hand.
    Sample pattern()
    {
        struct Row {
            const char *text;
            bool (*matches)(const QByteArray &name);
        };
        static const Row rows[] = {
            {"^a", [](const QByteArray &n) { return n.startsWith("a"); }},
            {"^ab*", [](const QByteArray &n) { return n.startsWith("a"); }},
            {"^ab?c", [](const QByteArray &n) { return n.startsWith("ac") || n.startsWith("abc"); }},
            {"^b+", [](const QByteArray &n) { return n.startsWith("b"); }},
            {"^ab$", [](const QByteArray &n) { return n == "ab"; }},
            {"^(a|b)b", [](const QByteArray &n) { return n.startsWith("ab") || n.startsWith("bb"); }},
            {"^(?:mail|a)[.]", [](const QByteArray &n) { return n.startsWith("mail.") || n.startsWith("a."); }},
            {"^mail\\\\.(send|bulk)$", [](const QByteArray &n) { return n == "mail.send" || n == "mail.bulk"; }},
            {"^a|b$", [](const QByteArray &n) { return n.startsWith("a") || n.endsWith("b"); }},
            {"^(a|b|)c", [](const QByteArray &n) { return n.startsWith("ac") || n.startsWith("bc") || n.startsWith("c"); }},
            {"^(ab)?", [](const QByteArray &) { return true; }},
            {"^(?i)A", [](const QByteArray &n) { return n.startsWith("a"); }},
            {"(?m)^b", [](const QByteArray &n) { return n.startsWith("b"); }},
            {"^[(]|^b", [](const QByteArray &n) { return n.startsWith("b"); }},
            {"a{2}|c", [](const QByteArray &n) { return n.contains("c"); }},
            {"^a{1}b", [](const QByteArray &n) { return n.startsWith("ab"); }},
            {"^(a|b{1})", [](const QByteArray &n) { return n.startsWith("a") || n.startsWith("b"); }},
            {"^\\\\Qa\\\\E|b", [](const QByteArray &n) { return n.startsWith("a") || n.contains("b"); }},
            {"^\u65e5?a", [](const QByteArray &n) { return n.startsWith("a") || n.startsWith("\u65e5" "a"); }},
        };
        const Row &row = rows[pick(int(std::size(rows)))];
        const auto matches = row.matches;
        return {"job.name.matches('" + QByteArray(row.text) + "')", [=](const Subject &job) { return answer(matches(job.name)); }};
    }
    Sample other()
    {
        switch (pick(3)) {
        case 0: return {"job.name.endsWith('b')", [](const Subject &job) { return answer(job.name.endsWith("b")); }};
        case 1: return {"size(job.name) > 2", [](const Subject &job) { return answer(job.name.size() > (job.name == "\u65e5" ? 6 : 2)); }};
        default: return {"job.none", [](const Subject &) { return Answer::Fault; }};
        }
    }
    static Sample negated(const Sample &a)
    {
        return {"!(" + a.text + ")", [=](const Subject &job) {
                    const Answer inner = a.meaning(job);
                    return inner == Answer::Fault ? inner : answer(inner == Answer::False);
                }};
    }
    static Sample both(const Sample &a, const Sample &b)
    {
        return {"(" + a.text + " && " + b.text + ")", [=](const Subject &job) {
                    const Answer left = a.meaning(job);
                    const Answer right = b.meaning(job);
                    if (left == Answer::False || right == Answer::False)
                        return Answer::False;
                    return left == Answer::Fault ? left : right;
                }};
    }
    static Sample either(const Sample &a, const Sample &b)
    {
        const Sample inner = negated(both(negated(a), negated(b)));
        return {"(" + a.text + " || " + b.text + ")", inner.meaning};
    }
    static Sample conditional(const Sample &c, const Sample &a, const Sample &b)
    {
        return {"(" + c.text + " ? " + a.text + " : " + b.text + ")", [=](const Subject &job) {
                    const Answer condition = c.meaning(job);
                    return condition == Answer::Fault ? condition : (condition == Answer::True ? a : b).meaning(job);
                }};
    }
    Sample macro()
    {
        const QByteArray first = name().left(2);
        const QByteArray second = name().left(2);
        if (!first.isValidUtf8() || !second.isValidUtf8())
            return constant();
        const QByteArray range = '[' + quoted(first) + ", " + quoted(second) + "]";
        if (pick(2) == 0)
            return {range + ".exists(p, job.name.startsWith(p))",
                [=](const Subject &job) { return answer(job.name.startsWith(first) || job.name.startsWith(second)); }};
        return {range + ".all(n, job.name != n)", [=](const Subject &job) { return answer(job.name != first && job.name != second); }};
    }

    std::mt19937 m_random;
};

} // namespace junban::tests
