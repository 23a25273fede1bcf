#include "app/master/headless.h"

#include "app/base/notify.h"
#include "app/base/signals.h"
#include "app/master/demo.h"
#include "app/master/log.h"
#include "app/master/master.h"

#include <QCoreApplication>
#include <QUrl>
#include <cstdio>
#include <memory>

namespace junban::app {

std::optional<Options> optionsOrExit(const QStringList &arguments, const char *program, int &exitCode)
{
    Result<Options> options = readOptions(arguments);
    if (!options.ok()) {
        std::fprintf(stderr, "%s: %s\nTry --help.\n", program, options.error().message().constData());
        exitCode = 2;
        return {};
    }
    exitCode = 0;
    if (options->wanted == Options::Wanted::Help) {
        std::fputs(helpText(program).constData(), stdout);
        return {};
    }
    if (options->wanted == Options::Wanted::Version) {
        std::printf("%s %s\n", program, JUNBAN_VERSION);
        return {};
    }
    return std::move(*options);
}

int runHeadless(int &argc, char **argv, const Options &options)
{
    QCoreApplication application(argc, argv);
    startLog(options.logFormat);
    StopSignals stopSignals(StopSignals::Reload::Yes);
    Master master(options);
    int exitCode = 0;
    bool serves = false;
    std::unique_ptr<Demo> demo;
    QObject::connect(&master, &Master::listening, &application, [&](const QStringList &urls) {
        serves = true;
        notifyServiceManager("READY=1\nSTATUS=Serving on " + urls.join(QStringLiteral(", ")).toUtf8());
        if (options.demo)
            demo = std::make_unique<Demo>(client::ApiClient::Options{QUrl(urls.first()), master.consoleToken()});
    });
    QObject::connect(&stopSignals, &StopSignals::asked, &master, [&] {
        notifyServiceManager("STOPPING=1\nSTATUS=Ending what is under way");
        demo.reset();
        master.stop();
    });
    QObject::connect(&stopSignals, &StopSignals::reloadAsked, &master,
        [&master] { master.reload(readOptions(QCoreApplication::arguments())); });
    QObject::connect(&master, &Master::stopped, &application, [] { QCoreApplication::quit(); });
    QObject::connect(&master, &Master::failed, &application, [&exitCode, &serves](int code, const Reason &why) {
        qCritical("%s%s", serves ? "" : "it does not start: ", why.text.constData()); // nothing is said after it
        exitCode = code;
        QCoreApplication::exit(code);
    });
    QMetaObject::invokeMethod(&master, &Master::start, Qt::QueuedConnection);
    const int code = QCoreApplication::exec();
    return exitCode != 0 ? exitCode : code;
}

} // namespace junban::app
