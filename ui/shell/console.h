#pragma once

#include "ui/shell/mainwindow.h"
#include "ui/shell/surroundings.h"

#include <QObject>
#include <QUrl>
#include <memory>

namespace junban::ui {

// The desktop console as the application sees it: appearance, language and window, all with one client. When the operator closes the
// window, `closed` is emitted, and the application decides what to do.
//
//     QApplication application(argc, argv);
//     client::ApiClient client({url, token});
//     ui::Console console(client, options);
//     console.show();
//
// Threads: the main one. The client must outlive the console.
class Console : public QObject
{
    Q_OBJECT

public:
    // `preferencesPath` empty: the user's own file.
    Console(client::ApiClient &client, UiOptions options, const QString &preferencesPath = {}, QObject *parent = nullptr);
    ~Console() override;

    void show();
    // Closes the window and opens a new one in the language that is preferred now, at the place that the preferences keep. A master in
    // this process goes on.
    void restart();
    // Shows what an address of the web console shows.
    void open(const QUrl &url);
    // The master that such an address is of.
    static QUrl masterOf(const QUrl &url);
    MainWindow *window() const { return m_window.get(); }
    Preferences &preferences() { return m_preferences; }

Q_SIGNALS:
    void closed();
    // The operator closed the window, and wants the master in this process to go on.
    void left();

private:
    void makeWindow();

    client::ApiClient &m_client;
    UiOptions m_options;
    Preferences m_preferences;
    Surroundings m_surroundings;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace junban::ui
