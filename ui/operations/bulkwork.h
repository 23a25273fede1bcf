#pragma once

#include "client/apiclient.h"
#include "ui/base/preferences.h"

#include <QObject>
#include <QPointer>
#include <functional>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace junban::ui {

// An action on many jobs: the master counts them and freezes them in a view, the operator is asked with these counts, and then the master
// acts on them while its progress is shown. It goes on when this window is closed, and when the master stops.
class BulkWork : public QObject
{
    Q_OBJECT

public:
    // `window` owns the questions. All must outlive it.
    BulkWork(client::ApiClient &client, Preferences &preferences, QWidget *window);

    struct Wanted {
        BulkAction action = BulkAction::Retry;
        Selection selection = {};
        QString what = {};           // which jobs these are, for the question; a line each, or empty
    };
    void ask(const Wanted &wanted);
    // Shows how an operation goes on until it ends.
    void follow(const BulkOperation &operation);

    static constexpr int look_ms = 400;        // between two looks at an operation
    static constexpr int lookAgain_ms = 2'000; // after one that failed

Q_SIGNALS:
    // As those of Page.
    void done(const QString &text, const QString &offer, const std::function<void()> &act);
    void failed(const QString &text);
    void working(const QByteArray &key, const QString &text, const std::function<void()> &stop);
    void jobsChanged(); // the screens should refresh

private:
    void confirm(const Wanted &wanted, const OperationPreview &preview);
    void start(const QByteArray &token);
    void startAt(double rate, const OperationPreview &preview);
    void look(const QByteArray &id);
    void ended(const BulkOperation &operation);
    void undo(const QByteArray &id);

    client::ApiClient &m_client;
    Preferences &m_preferences;
    QPointer<QWidget> m_window;
    int m_preparing = 0; // how many dry runs were asked for, to tell them apart
};

} // namespace junban::ui
