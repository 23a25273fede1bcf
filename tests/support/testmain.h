#pragma once

#include <QByteArray>
#include <QTest>

namespace junban::test {

// The tests of one folder are one program: `tests_core_lua test_walk …` runs the class that tests/core/lua/test_walk.cpp declares with
// JUNBAN_TEST, with the words that follow as Qt Test takes them. Without a name the program lists its tests.
class Registration
{
public:
    using Run = int (*)(int argc, char **argv);
    // `file` is the path of the test's source.
    Registration(const char *file, Run run);
};

template<typename Test>
int runTest(int argc, char **argv)
{
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace junban::test

// A longer timeout than the five seconds of Qt Test, because the machine may be busy. No test depends on the timeout itself.
#undef QTRY_VERIFY
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT((expression), 30'000)
#undef QTRY_COMPARE
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT((actual), expected, 30'000)

#define JUNBAN_TEST(Class) static const junban::test::Registration registrationOf##Class(__FILE__, junban::test::runTest<Class>);
