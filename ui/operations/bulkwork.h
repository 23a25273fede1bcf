#pragma once

#include "client/apiclient.h"
#include "ui/base/feed.h"
#include "ui/base/preferences.h"

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <map>
#include <functional>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace junban::ui {

// An action on many jobs: the master counts them and freezes them in a view, the operator is asked with these counts, and then the master
// acts on them while its progress is shown. It goes on when this window is closed, and when the master stops. Operations that others began
// are shown as well, as long as they are under way.
class BulkWork : public QObject
{
    Q_OBJECT

public:
    // `window` owns the questions. All must outlive it.
    BulkWork(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *window);

    struct Wanted {
        BulkAction action = BulkAction::Retry;
        Selection selection = {};
        QString what = {};           // which jobs these are, for the question; a line each, or empty
    };
    void ask(const Wanted &wanted);
    // Shows how an operation that was begun here goes on until it ends, and says then what came of it.
    void follow(const BulkOperation &operation);
    // The caller has another token, which may be allowed more.
    void startOver();
    // The operation that `working` with this key tells of; an empty one for several; none when it tells of something else.
    static std::optional<QByteArray> operationOf(const QByteArray &key);

    static constexpr int look_ms = 400;        // between two looks while an operation runs
    static constexpr int lookAgain_ms = 2'000; // while none does, but some are paused, and after a look that failed
    static constexpr qint64 unasked_ms = 5'000; // to the next look while nothing is under way and the master tells of no operation
    static constexpr qsizetype others_max = 3; // operations of others that are shown, each by itself

Q_SIGNALS:
    // As those of Page.
    void done(const QString &text, const QString &offer, const std::function<void()> &act);
    void failed(const QString &text);
    void begun(); // here
    // Nothing to stop it with: this caller may not. An empty text: it is over.
    void working(const QByteArray &key, const QString &text, const std::function<void()> &stop);
    void jobsChanged(); // the screens should refresh

private:
    void prepare(const Wanted &wanted, const NewOperation &operation, const QByteArray &key);
    void sayRefused(const Error &error);
    // Freezes the list first, and tells how many jobs it has so far.
    void gather(const Wanted &wanted, const QByteArray &key);
    void gathered(const Wanted &wanted, const QByteArray &key, const Result<View> &view);
    void confirm(const Wanted &wanted, const OperationPreview &preview, const QStringList &more = {});
    void confirmCancel(const Wanted &wanted, const OperationPreview &preview);
    void start(const QByteArray &token);
    void startAt(double rate, const OperationPreview &preview);
    struct Going {
        BulkOperation operation;
        bool own = false;              // begun here
        bool isShown = false;
    };
    void look();
    void lookSoon();
    void came(const Result<OperationList> &list, const QByteArrayList &asked);
    void say();
    void sayOne(const Going &going);
    void stop(const QByteArray &id);
    void ended(const Going &going, const BulkOperation &operation);
    void undo(const QByteArray &id);

    client::ApiClient &m_client;
    Feed &m_feed;
    Preferences &m_preferences;
    QPointer<QWidget> m_window;
    int m_preparing = 0; // how many dry runs were asked for, to tell them apart
    std::map<QByteArray, Going> m_going;
    QTimer m_timer;              // to the next look
    bool m_looking = false;
    bool m_again = false;        // there was news while a look was under way
    qint64 m_lookedAt_ms = -unasked_ms;
    bool m_mayStop = true;       // until the master has said no
};

} // namespace junban::ui
