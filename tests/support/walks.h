#pragma once

#include <QRandomGenerator>
#include <QtGlobal>

namespace junban::test {

// How often a random test tries: JUNBAN_LONG asks for the thorough number, JUNBAN_ROUNDS for any other.
inline int rounds(int quick, int thorough)
{
    const int usual = qEnvironmentVariableIsSet("JUNBAN_LONG") ? thorough : quick;
    const int given = qEnvironmentVariableIntValue("JUNBAN_ROUNDS");
    return given > 0 ? given : usual;
}

// The seeds of a test's random walks: a third of them the same every time, the others new. One seed in the environment's `variable` repeats
// its walk alone.
class Walks
{
public:
    Walks(const char *variable, int quick, int thorough)
        : m_variable(variable)
        , m_given(qEnvironmentVariableIsSet(variable))
        , m_count(m_given ? 1 : rounds(quick, thorough))
    {
    }

    const char *variable() const { return m_variable; }
    bool repeated() const { return m_given; }
    int count() const { return m_count; }
    quint32 seed(int walk) const
    {
        if (m_given)
            return qEnvironmentVariable(m_variable).toUInt();
        return walk % 3 == 0 ? quint32(walk) : QRandomGenerator::global()->generate();
    }

private:
    const char *m_variable;
    bool m_given;
    int m_count;
};

} // namespace junban::test
