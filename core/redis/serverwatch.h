#pragma once

#include "core/redis/link.h"
#include "core/store/servernotice.h"

#include <QObject>
#include <QTimer>
#include <memory>

namespace junban::redis {

// Looks at the server once a second: since when it runs, how much of its memory is used, and whether it gave no answer for a while or is
// another process than before. Threads: one, the link's. Replies that come after its destruction are ignored.
class ServerWatch : public QObject
{
    Q_OBJECT

public:
    // `link` must outlive it.
    ServerWatch(Link &link, std::shared_ptr<ServerNotice> notice, QObject *parent = nullptr);

    void look();

    static constexpr int look_ms = 1'000;
    static constexpr qint64 away_ms_min = 2'500; // a shorter silence is not noted

private:
    void answered(const QByteArray &info);
    void noteGap();

    Link &m_link;
    std::shared_ptr<ServerNotice> m_notice;
    QTimer m_timer;
    QByteArray m_run;              // the process' id of its own; empty: it has not answered yet
    qint64 m_answeredAt_ms = 0;    // Clock::monotonic_ms()
    qint64 m_ranAt_ms = 0;         // when this process ran last
    qint64 m_stopped_ms = 0;       // for how long it did not run since the last answer
    bool m_looking = false;
};

} // namespace junban::redis
