#include "app/gui.h"

#include "app/base/signals.h"
#include "app/base/tlsfiles.h"
#include "app/master/demo.h"
#include "app/master/log.h"
#include "app/master/master.h"
#include "core/base/reasons/start.h"
#include "ui/shell/console.h"
#include "ui/shell/startfailure.h"
#include "ui/shell/surroundings.h"

#include <QApplication>
#include <QFile>
#include <QUrl>
#include <cstdio>
#include <memory>
#include <utility>

namespace junban::app {

namespace {

// The window of a master. It is made when the master's URL is known.
struct MasterWindow {
    MasterWindow(client::ApiClient::Options to, ui::MasterPlace place)
        : client(std::move(to))
        , console(client, {place})
    {
        console.show();
    }
    client::ApiClient client;
    ui::Console console;
};

// Where --connect or --open leads, and as whom.
Result<client::ApiClient::Options> connectionOf(const Options &options)
{
    client::ApiClient::Options to;
    to.url = options.open.isEmpty() ? QUrl(options.connectTo) : ui::Console::masterOf(QUrl(options.open));
    to.token = qgetenv("JUNBAN_TOKEN");
    if (!options.tokenFile.isEmpty()) {
        QFile file(options.tokenFile);
        if (!file.open(QIODevice::ReadOnly))
            return ofField(reasons::fileUnreadable("--token-file", options.tokenFile.toUtf8(), file.errorString().toUtf8()), "token-file");
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
        std::fprintf(stderr, "junban: %s\n", to.error().message().constData());
        return 2;
    }
    MasterWindow window(*to, ui::MasterPlace::Remote);
    QObject::connect(&window.console, &ui::Console::closed, &application, [] { QCoreApplication::quit(); });
    if (!options.open.isEmpty())
        window.console.open(QUrl(options.open));
    return QCoreApplication::exec();
}

// A master in this process with its window. When it cannot start, a dialog says why, and tries again with what the operator changes.
class Embedded : public QObject
{
public:
    explicit Embedded(const Options &options) : m_options(options)
    {
        connect(&m_stopSignals, &StopSignals::asked, this, &Embedded::stop);
    }

    void start()
    {
        m_exitCode = 0;
        m_master = std::make_unique<Master>(m_options);
        connect(m_master.get(), &Master::listening, this, &Embedded::show);
        // Not quit(): that would ask the window, which asks the operator, and the master has ended already.
        connect(m_master.get(), &Master::stopped, this, [] { QCoreApplication::exit(0); });
        connect(m_master.get(), &Master::failed, this, &Embedded::failed, Qt::QueuedConnection);
        QMetaObject::invokeMethod(m_master.get(), &Master::start, Qt::QueuedConnection);
    }
    int exitCode() const { return m_exitCode; }

private:
    void show(const QStringList &urls)
    {
        client::ApiClient::Options to;
        to.url = QUrl(urls.first());
        to.token = m_master->consoleToken();
        if (m_options.demo)
            m_demo = std::make_unique<Demo>(to);
        closeFailure();
        m_triedAgain = false;
        m_window = std::make_unique<MasterWindow>(to, ui::MasterPlace::Embedded);
        // When the operator closes the window, the master drains and ends. No job is lost by that.
        connect(&m_window->console, &ui::Console::closed, this, &Embedded::stop);
        connect(&m_window->console, &ui::Console::left, this, [this] { m_window.reset(); }, Qt::QueuedConnection);
    }

    void stop()
    {
        m_demo.reset();
        if (m_failure)
            QCoreApplication::exit(m_exitCode);
        else
            m_master->stop();
    }

    void failed(int code, const Reason &why)
    {
        qCritical("%s", why.text.constData());
        m_exitCode = code;
        m_demo.reset();
        m_window.reset();
        closeFailure();
        m_preferences = std::make_unique<ui::Preferences>();
        m_surroundings = std::make_unique<ui::Surroundings>(*m_preferences);
        const QString listen = m_options.listen.join(QLatin1Char(' '));
        m_failure = std::make_unique<ui::StartFailure>(why, listen, QString::fromUtf8(m_options.redis));
        if (std::exchange(m_triedAgain, false))
            m_failure->sayTried(m_preferences->format());
        connect(m_failure.get(), &ui::StartFailure::quitRequested, this, [code] { QCoreApplication::exit(code); });
        connect(m_failure.get(), &ui::StartFailure::retryRequested, this, [this](const QString &to, const QString &redis) {
            m_options.listen = to.split(QLatin1Char(' '), Qt::SkipEmptyParts);
            m_options.redis = redis.toUtf8();
            m_triedAgain = true;
            start();
        }, Qt::QueuedConnection);
        m_failure->show();
    }

    void closeFailure()
    {
        m_failure.reset();
        m_surroundings.reset();
        m_preferences.reset();
    }

    Options m_options;
    bool m_triedAgain = false; // and it is not known yet what comes of it
    StopSignals m_stopSignals;
    std::unique_ptr<Master> m_master;
    std::unique_ptr<MasterWindow> m_window;
    std::unique_ptr<Demo> m_demo;
    std::unique_ptr<ui::Preferences> m_preferences;
    std::unique_ptr<ui::Surroundings> m_surroundings;
    std::unique_ptr<ui::StartFailure> m_failure;
    int m_exitCode = 0;
};

int runEmbedded(const Options &options)
{
    Embedded embedded(options);
    embedded.start();
    const int code = QCoreApplication::exec();
    return embedded.exitCode() != 0 ? embedded.exitCode() : code;
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
    return options.connectTo.isEmpty() && options.open.isEmpty() ? runEmbedded(options) : runConnected(application, options);
}

} // namespace junban::app
