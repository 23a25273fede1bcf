#include "app/base/cores.h"
#include "app/master/headless.h"

// The master for servers: the same as `junban --server`, linked without widgets.
int main(int argc, char **argv)
{
    junban::app::leaveNoCores();
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments.append(QString::fromLocal8Bit(argv[i]));
    int exitCode = 0;
    const std::optional<junban::app::Options> options = junban::app::optionsOrExit(arguments, "junband", exitCode);
    return options ? junban::app::runHeadless(argc, argv, *options) : exitCode;
}
