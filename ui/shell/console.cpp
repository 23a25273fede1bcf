#include "ui/shell/console.h"

namespace junban::ui {

Console::Console(client::ApiClient &client, UiOptions options, const QString &preferencesPath, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_options(std::move(options))
    , m_preferences(preferencesPath)
    , m_surroundings(m_preferences)
{
    // Queued, because the operator may have chosen the language in a dialog of the window that is replaced.
    connect(&m_surroundings, &Surroundings::retranslated, this, [this] {
        makeWindow();
        m_window->show();
    }, Qt::QueuedConnection);
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

void Console::makeWindow()
{
    auto window = std::make_unique<MainWindow>(m_client, m_preferences, m_options);
    if (m_window) {
        m_window->disconnect(this);
        window->follow(*m_window);
    }
    connect(window.get(), &MainWindow::closed, this, &Console::closed, Qt::QueuedConnection);
    connect(window.get(), &MainWindow::left, this, &Console::left, Qt::QueuedConnection);
    m_window = std::move(window);
}

} // namespace junban::ui
