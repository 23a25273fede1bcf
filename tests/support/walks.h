#pragma once

#include <QByteArray>
#include <QDeadlineTimer>
#include <QList>
#include <QRandomGenerator>
#include <QTest>
#include <cstdio>
#include <utility>

namespace junban::test {

// How often a random test tries: the few of the quick tier, the many of the long one (JUNBAN_LONG), which stops after JUNBAN_LONG_S seconds
// too, or any number (JUNBAN_ROUNDS). The first round comes whatever the time.
class Rounds
{
public:
    Rounds(int quick, int thorough)
        : m_count(qEnvironmentVariableIsSet("JUNBAN_LONG") ? thorough : quick)
    {
        if (const int given = qEnvironmentVariableIntValue("JUNBAN_ROUNDS"); given > 0)
            m_count = given;
        else if (qEnvironmentVariableIsSet("JUNBAN_LONG") && qEnvironmentVariableIsSet("JUNBAN_LONG_S"))
            m_end = QDeadlineTimer(qint64(qEnvironmentVariable("JUNBAN_LONG_S").toDouble() * 1'000));
    }

    // Whether there is one more.
    bool next()
    {
        if (m_begun >= m_count || (m_begun > 0 && m_end.hasExpired()))
            return false;
        ++m_begun;
        return true;
    }
    int begun() const { return m_begun; }

private:
    int m_count;
    int m_begun = 0;
    QDeadlineTimer m_end = QDeadlineTimer(QDeadlineTimer::Forever);
};

// The seeds of a test's random walks: a third of them the same every time, the others new. One seed in the environment's `variable` repeats
// its walk alone.
class Walks
{
public:
    Walks(const char *variable, int quick, int thorough)
        : m_variable(variable)
        , m_given(qEnvironmentVariableIsSet(variable))
        , m_rounds(m_given ? 1 : quick, m_given ? 1 : thorough)
    {
    }

    const char *variable() const { return m_variable; }
    bool repeated() const { return m_given; }
    int begun() const { return m_rounds.begun(); }
    bool next()
    {
        if (!m_rounds.next())
            return false;
        const int walk = m_rounds.begun() - 1;
        if (m_given)
            m_seed = qEnvironmentVariable(m_variable).toUInt();
        else
            m_seed = walk % 3 == 0 ? quint32(walk) : QRandomGenerator::global()->generate();
        return true;
    }
    // Of the walk that next() has begun.
    quint32 seed() const { return m_seed; }
    const Rounds &rounds() const { return m_rounds; }

private:
    const char *m_variable;
    bool m_given;
    Rounds m_rounds;
    quint32 m_seed = 0;
};

// The row of the long tier's table (tests/long.md) that says what a test function did. It is printed at the function's end, also when that
// fails: then with the one round that went wrong, for a function stops there.
class Row
{
public:
    // `wrong` says what a failure is: "mismatches" or "violations".
    Row(const char *name, const Rounds &rounds, const char *wrong)
        : m_name(name)
        , m_rounds(rounds)
        , m_wrong(wrong)
    {
    }
    Row(const char *name, const Walks &walks, const char *wrong)
        : Row(name, walks.rounds(), wrong)
    {
        m_walks = &walks;
    }
    ~Row()
    {
        QByteArray text = QByteArray("| ") + m_name + " | sequences " + QByteArray::number(m_rounds.begun());
        for (const auto &[what, count] : m_counts)
            text += QByteArray(" | ") + what + ' ' + QByteArray::number(count);
        text += QByteArray(" | ") + m_wrong + ' ' + (QTest::currentTestFailed() ? "1" : "0");
        if (m_walks && QTest::currentTestFailed())
            text += QByteArray(" | seed ") + m_walks->variable() + '=' + QByteArray::number(m_walks->seed());
        else if (m_walks)
            text += " | seeds a third fixed";
        std::printf("%s |\n", text.constData());
        std::fflush(stdout);
    }
    Row(const Row &) = delete;
    Row &operator=(const Row &) = delete;

    // Whatever else is counted, under its name.
    void add(const char *what, qint64 count)
    {
        for (auto &[name, sum] : m_counts) {
            if (qstrcmp(name, what) == 0) {
                sum += count;
                return;
            }
        }
        m_counts.append({what, count});
    }

private:
    const char *m_name;
    const Rounds &m_rounds;
    const char *m_wrong;
    const Walks *m_walks = nullptr;
    QList<std::pair<const char *, qint64>> m_counts;
};

} // namespace junban::test
