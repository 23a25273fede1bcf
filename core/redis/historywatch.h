#pragma once

#include "core/redis/link.h"
#include "core/store/rollback.h"

#include <QObject>
#include <QTimer>
#include <memory>

namespace junban::redis {

// Remembers the last transaction number of a namespace, in memory and in a file of the data directory, and reports to RollbackNotice when
// the number has become smaller. It compares whenever the link comes up, and once a second. The dataset has an id: when another dataset is
// in its place, all transactions count as lost. It also notices when the namespace has another layout than this program's: a newer master
// has upgraded it, or an older copy was restored. Threads: one, the link's. Replies that come after its destruction are ignored.
class HistoryWatch : public QObject
{
    Q_OBJECT

public:
    // `link` must outlive it. `directory` is made if it does not exist; if it cannot be written to, the number is kept in memory only.
    HistoryWatch(Link &link, const QByteArray &namespaceName, const Address &address, const QString &directory,
        std::shared_ptr<RollbackNotice> notice, QObject *parent = nullptr);

    void look();

Q_SIGNALS:
    // At each look that finds one.
    void otherLayout(qint64 layout);

private:
    void load();
    void save();
    void seen(const QByteArray &dataset, qint64 transaction);

    Link &m_link;
    QByteArray m_prefix;
    QString m_file;
    std::shared_ptr<RollbackNotice> m_notice;
    QTimer m_timer;
    QByteArray m_dataset;          // the id of the dataset that m_transaction belongs to; empty: none is known yet
    qint64 m_transaction = 0;
    bool m_looking = false;
};

} // namespace junban::redis
