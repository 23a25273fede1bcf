#pragma once

#include "core/store/changestore.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>

namespace junban {

// Requests that wait for a change, of this master or another. While somebody waits it asks the store for the last changes every
// limits::changes_look_ms, once for all of them; otherwise it does nothing. Threads, callbacks and errors as for Queue.
class NewsWaits : public QObject
{
    Q_OBJECT

public:
    // The store must outlive it.
    explicit NewsWaits(ChangeStore &store, QObject *parent = nullptr);

    // Identifies a waiting request, so that it can be given up.
    using WaitId = quint64;

    // Answers when something was changed after the revision `since`, or after `wait_ms` with nothing changed. A revision of the future is
    // of a history that Redis has lost: then everything counts as changed. `mayWait` is asked again and again; when it says no, the
    // answer is Unauthorized.
    WaitId wait(qint64 since, qint64 wait_ms, std::function<bool()> mayWait, Callback<News> callback);
    void giveUp(WaitId wait) { m_waits.erase(wait); }
    // For a master that stops: who waits is answered, and from now on nobody waits.
    void stopWaiting();

private:
    struct Wait {
        qint64 since;
        qint64 until_ms;                 // Clock::monotonic_ms()
        std::function<bool()> mayWait;
        Callback<News> callback;
    };
    void look();
    void tell(const Result<LastChanges> &last);
    void plan(int pause_ms);

    ChangeStore &m_store;
    std::map<WaitId, Wait> m_waits;
    WaitId m_lastWait = 0;
    QTimer m_timer;
    qint64 m_next_ms = 0;                // when the next look is allowed, Clock::monotonic_ms()
    bool m_looking = false;
    bool m_draining = false;
    std::shared_ptr<int> m_life = std::make_shared<int>();
};

} // namespace junban
