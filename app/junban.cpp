#include "app/base/cores.h"
#include "app/gui.h"
#include "app/master/headless.h"

#include <cstdio>

// Junban: the master with its window, or without one when started with --server.
int main(int argc, char **argv)
{
    using namespace junban::app;
    leaveNoCores();
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments.append(QString::fromLocal8Bit(argv[i]));
    int exitCode = 0;
    const std::optional<Options> options = optionsOrExit(arguments, "junban", exitCode);
    if (!options)
        return exitCode;
    if (options->server)
        return runHeadless(argc, argv, *options);
    if (!hasDisplay()) {
        std::fprintf(stderr, "junban: there is no display to open a window on; use --server to serve without one.\n");
        return 2;
    }
    return runGui(argc, argv, *options);
}
