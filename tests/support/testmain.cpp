#include "tests/support/testmain.h"

#ifdef QT_WIDGETS_LIB
#include <QApplication>
#else
#include <QCoreApplication>
#endif
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace junban::test {

namespace {

std::map<std::string, Registration::Run> &registered()
{
    static std::map<std::string, Registration::Run> tests;
    return tests;
}

} // namespace

Registration::Registration(const char *file, Run run)
{
    registered().emplace(std::filesystem::path(file).stem().string(), run);
}

} // namespace junban::test

int main(int argc, char **argv)
{
    using junban::test::registered;
    const auto test = argc > 1 ? registered().find(argv[1]) : registered().end();
    if (test == registered().end()) {
        std::fprintf(stderr, "usage: %s TEST [a function of it, or an option of Qt Test]\n", argv[0]);
        for (const auto &[name, run] : registered())
            std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    argv[1] = argv[0];
    --argc;
    ++argv;
#ifdef QT_WIDGETS_LIB
    QApplication application(argc, argv);
#else
    QCoreApplication application(argc, argv);
#endif
    return test->second(argc, argv);
}
