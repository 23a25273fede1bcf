#include "ui/shell/console.h"

namespace junban::ui {

Console::Console(client::ApiClient &client, UiOptions options, const QString &preferencesPath, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_options(std::move(options))
    , m_preferences(preferencesPath)
    , m_surroundings(m_preferences)
{
    makeWindow();
}

Console::~Console()
{
    m_window.reset();
}

void Console::show()
{
    m_window->show();
}

void Console::restart()
{
    m_window->remember();
    m_window.reset();
    m_surroundings.translate();
    makeWindow();
    show();
}

void Console::open(const QUrl &url)
{
    m_window->openAddress(readAddress(url));
}

QUrl Console::masterOf(const QUrl &url)
{
    return ui::masterOf(url);
}

// Signals are queued, because the window must not be deleted while one of its dialogs calls.
void Console::makeWindow()
{
    m_window = std::make_unique<MainWindow>(m_client, m_preferences, m_options);
    connect(m_window.get(), &MainWindow::closed, this, &Console::closed, Qt::QueuedConnection);
    connect(m_window.get(), &MainWindow::left, this, &Console::left, Qt::QueuedConnection);
    connect(m_window.get(), &MainWindow::restartRequested, this, &Console::restart, Qt::QueuedConnection);
}

} // namespace junban::ui
