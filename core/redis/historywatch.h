#pragma once

#include "core/redis/link.h"
#include "core/store/rollback.h"

#include <QObject>
#include <QTimer>
#include <memory>

namespace junban::redis {

// Remembers how far a namespace's history had come, in memory and, over restarts of the process, in a file of the data directory, and
// compares whenever the link comes up and once a second. The dataset has an id of its own, so that another one in its place is noticed.
// Threads: one, the link's.
class HistoryWatch : public QObject
{
    Q_OBJECT

public:
    // `link` outlives it. `directory` is made when it is not there; when it cannot be written to, only the process remembers.
    HistoryWatch(Link &link, const QByteArray &namespaceName, const Address &address, const QString &directory,
        std::shared_ptr<RollbackNotice> notice, QObject *parent = nullptr);

    void look();

private:
    void load();
    void save();
    void seen(const QByteArray &dataset, qint64 transaction);

    Link &m_link;
    QByteArray m_prefix;
    QString m_file;
    std::shared_ptr<RollbackNotice> m_notice;
    QTimer m_timer;
    QByteArray m_dataset;          // remembered; empty: nothing yet
    qint64 m_transaction = 0;
    bool m_looking = false;
};

} // namespace junban::redis
