#pragma once

#include <QByteArray>
#include <QDeadlineTimer>
#include <QList>
#include <QRandomGenerator>
#include <QTest>
#include <cstdio>
#include <utility>

namespace junban::test {

// The number of rounds of a random test: few in the quick tier, many in the long tier (JUNBAN_LONG), which also ends after JUNBAN_LONG_S
// seconds; or the number in JUNBAN_ROUNDS. There is always one round.
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

    // Whether there is another round.
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

// The seeds of a test's random walks. A third of them is the same every time, the others are new. A seed in the environment variable
// `variable` repeats its walk only.
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
    // The seed of the walk that next() has begun.
    quint32 seed() const { return m_seed; }
    const Rounds &rounds() const { return m_rounds; }

private:
    const char *m_variable;
    bool m_given;
    Rounds m_rounds;
    quint32 m_seed = 0;
};

// The row of a test function in the long tier's table (tests/long.md). It is printed at the end of the function, also when that fails; then
// with the round that failed, because the function stops there.
class Row
{
public:
    // `wrong` is the word for failures: "mismatches" or "violations".
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

    // Another count, with its name.
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
