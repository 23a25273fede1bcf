#pragma once

#include "client/apiclient.h"

#include <QObject>
#include <QRandomGenerator>
#include <QTimer>

namespace junban::app {

// Demonstration pushers and workers, so that every screen has something to show. Their jobs take a while, fail now and then, are delayed
// and keep results. They are clients of the HTTP API like any other. Threads: the main one.
class Demo : public QObject
{
    Q_OBJECT

public:
    explicit Demo(client::ApiClient::Options options, QObject *parent = nullptr);

private:
    void push();
    void claim(int worker);
    void run(int worker, const ClaimedJob &job);
    void finish(int worker, const ClaimedJob &job);
    JobSpec someJob();

    // Waiting claims use up the connections that one client may have to a master (six), so the other requests have a client of their own.
    client::ApiClient m_claims;
    client::ApiClient m_client;
    QRandomGenerator m_random;
    QTimer m_pushing;
};

} // namespace junban::app
