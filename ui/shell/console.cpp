#include "ui/shell/console.h"

#include "ui/base/palettes.h"
#include "ui/inspector/jobinspector.h"
#include "ui/shell/systemappearance.h"

#include <QApplication>
#include <QLibraryInfo>
#include <QStyle>
#include <QStyleFactory>
#include <QToolTip>

namespace junban::ui {

Console::Console(QApplication &application, client::ApiClient &client, UiOptions options, const QString &preferencesPath, QObject *parent)
    : QObject(parent)
    , m_application(application)
    , m_client(client)
    , m_options(std::move(options))
    , m_preferences(preferencesPath)
    , m_system(new SystemAppearance(QGuiApplication::palette(), this))
{
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/junban.svg")));
    dress();
    translate();
    connect(&m_preferences, &Preferences::appearanceChanged, this, &Console::dress);
    connect(m_system, &SystemAppearance::changed, this, &Console::dress);
    // Queued, because the operator may have chosen the language in a dialog of the window that is replaced.
    connect(&m_preferences, &Preferences::languageChanged, this, [this] {
        translate();
        makeWindow();
        m_window->show();
    }, Qt::QueuedConnection);
    makeWindow();
}

Console::~Console()
{
    m_window.reset();
    QCoreApplication::removeTranslator(&m_own);
    QCoreApplication::removeTranslator(&m_qt);
}

void Console::show()
{
    m_window->show();
}

void Console::dress()
{
    const Appearance wanted = m_preferences.appearance();
    const bool dark = wanted == Appearance::Dark || (wanted == Appearance::System && m_system->isDark());
    const QPalette palette = dark ? darkPalette() : lightPalette();
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
}

void Console::translate()
{
    QCoreApplication::removeTranslator(&m_own);
    QCoreApplication::removeTranslator(&m_qt);
    const QString code = m_preferences.language();
    const QLocale locale = code.isEmpty() ? QLocale::system() : QLocale(code);
    QLocale::setDefault(locale);
    // English has a translation file, too, for singular and plural: "1 job", "2 jobs".
    const bool known = m_own.load(locale, QStringLiteral("junban"), QStringLiteral("_"), QStringLiteral(":/i18n"))
        || m_own.load(QStringLiteral(":/i18n/junban_en.qm"));
    if (known)
        QCoreApplication::installTranslator(&m_own);
    if (m_qt.load(locale, QStringLiteral("qtbase"), QStringLiteral("_"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&m_qt);
}

void Console::makeWindow()
{
    QByteArray geometry, state;
    MainWindow::Screen screen = MainWindow::Screen::Overview;
    JobId job;
    if (m_window) {
        geometry = m_window->saveGeometry();
        state = m_window->saveState(Preferences::layoutVersion);
        screen = m_window->screen();
        job = m_window->inspector()->id();
        m_window->disconnect(this);
    }
    auto window = std::make_unique<MainWindow>(m_client, m_preferences, m_options);
    if (!geometry.isEmpty()) {
        window->restoreGeometry(geometry);
        window->restoreState(state, Preferences::layoutVersion);
        window->showScreen(screen);
        if (!job.isNull())
            window->openJob(job);
    }
    connect(window.get(), &MainWindow::closed, this, &Console::closed, Qt::QueuedConnection);
    m_window = std::move(window);
}

} // namespace junban::ui
