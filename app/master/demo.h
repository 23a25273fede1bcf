#pragma once

#include "client/apiclient.h"

#include <QObject>
#include <QRandomGenerator>
#include <QTimer>

namespace junban::app {

// Demonstration pushers, workers, JobMatchers and schedules, so that every screen has something to show. Jobs take a while, fail for
// several causes, are delayed, held and keep results; now and then a worker dies. All of it goes over the HTTP API. Threads: the main one.
class Demo : public QObject
{
    Q_OBJECT

public:
    explicit Demo(client::ApiClient::Options options, QObject *parent = nullptr);

private:
    void makeMatchers(size_t from);
    void makeSchedules();
    void push();
    void claim(int worker);
    void run(int worker, const ClaimedJob &job);
    void die(int worker);
    void finish(int worker, const ClaimedJob &job);
    Outcome failureOf(const ClaimedJob &job);
    JobSpec someJob();

    // Waiting claims use up the connections that one client may have to a master (six), so the other requests have a client of their own.
    client::ApiClient m_claims;
    client::ApiClient m_client;
    QRandomGenerator m_random;
    QTimer m_pushing;
};

} // namespace junban::app
