#pragma once

#include "ui/shell/mainwindow.h"

#include <QObject>
#include <QTranslator>
#include <memory>

QT_BEGIN_NAMESPACE
class QApplication;
QT_END_NAMESPACE

namespace junban::ui {

class SystemAppearance;

// The desktop console as the application sees it: appearance, language and window, all with one client. When the operator chooses another
// language, a new window replaces the old one. When the operator closes the window, `closed` is emitted, and the application decides what
// to do.
//
//     QApplication application(argc, argv);
//     client::ApiClient client({url, token});
//     ui::Console console(application, client, options);
//     console.show();
//
// Threads: the main one. The application and the client must outlive the console.
class Console : public QObject
{
    Q_OBJECT

public:
    // `preferencesPath` empty: the user's own file.
    Console(QApplication &application, client::ApiClient &client, UiOptions options, const QString &preferencesPath = {},
            QObject *parent = nullptr);
    ~Console() override;

    void show();
    MainWindow *window() const { return m_window.get(); }
    Preferences &preferences() { return m_preferences; }

Q_SIGNALS:
    void closed();

private:
    void translate();
    void dress();
    void makeWindow();

    QApplication &m_application;
    client::ApiClient &m_client;
    UiOptions m_options;
    Preferences m_preferences;
    SystemAppearance *m_system;
    QTranslator m_own, m_qt;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace junban::ui
