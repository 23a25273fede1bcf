#include "app/gui.h"

#include "app/base/signals.h"
#include "app/base/tlsfiles.h"
#include "app/master/demo.h"
#include "app/master/log.h"
#include "app/master/master.h"
#include "ui/shell/console.h"

#include <QApplication>
#include <QFile>
#include <QUrl>
#include <cstdio>
#include <memory>

namespace junban::app {

namespace {

// The window of a master. It is made when the master's URL is known.
struct MasterWindow {
    MasterWindow(QApplication &application, client::ApiClient::Options to, ui::MasterPlace place)
        : client(std::move(to))
        , console(application, client, {place})
    {
        console.show();
    }
    client::ApiClient client;
    ui::Console console;
};

// Where --connect leads, and as whom. Errors: the option as the field, and a message that goes behind it.
Result<client::ApiClient::Options> connectionOf(const Options &options)
{
    client::ApiClient::Options to;
    to.url = QUrl(options.connectTo);
    to.token = qgetenv("JUNBAN_TOKEN");
    if (!options.tokenFile.isEmpty()) {
        QFile file(options.tokenFile);
        if (!file.open(QIODevice::ReadOnly))
            return Error{ErrorCode::InvalidField, "cannot be read: " + file.errorString().toUtf8(), "token-file"};
        to.token = file.readAll().trimmed();
    }
    if (!options.ca.isEmpty()) {
        const Result<QList<QSslCertificate>> authorities = readAuthorities(options.ca, "ca");
        if (!authorities.ok())
            return authorities.error();
        to.authorities = *authorities;
    }
    if (!options.certificate.isEmpty()) {
        const Result<TlsIdentity> identity = readIdentity(options.certificate, options.key, "cert", "cert-key");
        if (!identity.ok())
            return identity.error();
        to.certificate = identity->chain;
        to.key = identity->key;
    }
    return to;
}

int runConnected(QApplication &application, const Options &options)
{
    const Result<client::ApiClient::Options> to = connectionOf(options);
    if (!to.ok()) {
        std::fprintf(stderr, "junban: --%s %s\n", to.error().field.constData(), to.error().message.constData());
        return 2;
    }
    MasterWindow window(application, *to, ui::MasterPlace::Remote);
    QObject::connect(&window.console, &ui::Console::closed, &application, [] { QCoreApplication::quit(); });
    return QCoreApplication::exec();
}

int runEmbedded(QApplication &application, const Options &options)
{
    StopSignals stopSignals;
    Master master(options);
    std::unique_ptr<MasterWindow> window;
    std::unique_ptr<Demo> demo;
    int exitCode = 0;
    QObject::connect(&master, &Master::listening, &application, [&](const QStringList &urls) {
        client::ApiClient::Options to;
        to.url = QUrl(urls.first());
        to.token = master.consoleToken();
        if (options.demo)
            demo = std::make_unique<Demo>(to);
        window = std::make_unique<MasterWindow>(application, to, ui::MasterPlace::Embedded);
        // When the operator closes the window, the master drains and ends. No job is lost by that.
        QObject::connect(&window->console, &ui::Console::closed, &master, [&] {
            demo.reset();
            master.stop();
        });
    });
    QObject::connect(&stopSignals, &StopSignals::asked, &master, [&] {
        demo.reset();
        master.stop();
    });
    // Not quit(): that would ask the window, which asks the operator, and the master has ended already.
    QObject::connect(&master, &Master::stopped, &application, [] { QCoreApplication::exit(0); });
    QObject::connect(&master, &Master::failed, &application, [&exitCode](int code, const QByteArray &why) {
        qCritical("%s", why.constData());
        exitCode = code;
        QCoreApplication::exit(code);
    });
    QMetaObject::invokeMethod(&master, &Master::start, Qt::QueuedConnection);
    const int code = QCoreApplication::exec();
    return exitCode != 0 ? exitCode : code;
}

} // namespace

bool hasDisplay()
{
    // Without a display, QApplication ends the process, so this is checked before.
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY")
        || qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

int runGui(int &argc, char **argv, const Options &options)
{
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("junban"));
    QCoreApplication::setApplicationName(QStringLiteral("junban"));
    QGuiApplication::setDesktopFileName(QStringLiteral("junban"));
    QGuiApplication::setQuitOnLastWindowClosed(false);
    startLog(options.logFormat);
    return options.connectTo.isEmpty() ? runEmbedded(application, options) : runConnected(application, options);
}

} // namespace junban::app
