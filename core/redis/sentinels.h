#pragma once

#include "core/redis/connection.h"

#include <QObject>
#include <functional>
#include <memory>

namespace junban::redis {

// Asks Sentinels where the primary is, one after the other, the one that answered last first; and listens to one of them for word of a
// switch. What they say is where to look, no more: the caller still asks the server for its role.
// Threads: one, that of the object.
class Sentinels : public QObject
{
    Q_OBJECT

public:
    // `address` has a sentinelName.
    Sentinels(const Address &address, QObject *parent);
    ~Sentinels() override;

    // One question at a time; a new one puts the one before aside (its callback is never called). Each Sentinel is given a second.
    void find(Callback<Endpoint> callback);
    void tick(qint64 now_ms);

Q_SIGNALS:
    // A hint (+switch-master): the primary is said to be here now.
    void switched(junban::redis::Endpoint primary);

private:
    void ask();
    void asked(const Result<Reply> &reply);
    void next(QByteArray why);
    void greet(Connection &connection);
    void watch();
    void heard(const Reply &push);

    Address m_address;
    qsizetype m_current = 0;
    qsizetype m_left = 0;          // Sentinels not asked yet for this question
    std::unique_ptr<Connection> m_asking;
    std::unique_ptr<Connection> m_watching;
    Callback<Endpoint> m_callback;
    QByteArray m_why;
    qint64 m_askDeadline_ms = 0;
    qint64 m_watchAgain_ms = 0;    // 0: nothing to listen for yet
};

} // namespace junban::redis
