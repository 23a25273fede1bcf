#pragma once

#include "client/apiclient.h"
#include "client/matchers.h"

#include <QCommandLineParser>
#include <QObject>

namespace junban::app {

// One verb of junbanctl that asks the API something, prints the answer and ends. The exit code: 0 done, 1 refused or not reached,
// 2 used wrongly. Threads: the main one.
class Verbs : public QObject
{
    Q_OBJECT

public:
    // The parser has read the command line; `words` are what is left of it behind the verb.
    Verbs(client::ApiClient &client, const QCommandLineParser &flags, QStringList words, QObject *parent = nullptr);

    // False when there is no such verb here.
    bool run(const QString &verb);

Q_SIGNALS:
    void ended(int exitCode);

private:
    // pushes.cpp
    void push();
    void collect(JobId id, qint64 wait_ms);
    Result<JobSpec> specOf() const;
    bool hasArgument() const;
    Result<QByteArray> argumentOf() const;
    // changes.cpp
    void edit();
    void message();
    void group();
    // verbs.cpp
    void jobs();
    void jobsOf(client::JobQuery query, QList<Job> found);
    void job();
    void result();
    void retry();
    void cancel();
    void status();
    void doctor();
    // limits.cpp
    void trip();
    void reset();
    void changeBreaker(client::BreakerVerb verb);
    // fsck.cpp
    void fsck();
    void look(const QByteArray &cursor, FsckReport sofar);
    // schedules.cpp
    void schedules();
    void listSchedules(const QByteArray &after);
    void showSchedule(const Result<client::Schedule> &schedule);
    void putSchedule(const QByteArray &id, const QString &file);
    void deleteSchedule(const QByteArray &id);
    // past.cpp
    void failures();
    void listFailures();
    void retryGroup(const QByteArray &signature, qint64 before);
    void results();
    void stats();
    void remove();
    void restore();
    void track();
    void untrack();
    template<typename T>
    void each(const char *otherwise, const std::function<void(JobId, Callback<T>)> &ask, const std::function<QByteArray(const T &)> &say);
    // Prints what `say` makes of an answer, or the error, and ends.
    template<typename T, typename Say>
    void finish(const Result<T> &answer, Say say)
    {
        if (answer.ok()) {
            print(say(*answer));
            Q_EMIT ended(0);
        } else {
            fail(answer.error());
        }
    }

    Result<JobId> idOf(int word) const;
    std::optional<QList<JobId>> idsOf(const char *otherwise);
    void print(const QByteArray &text);
    void fail(const Error &error);
    void misused(const QByteArray &what);

    client::ApiClient &m_client;
    const QCommandLineParser &m_flags;
    QStringList m_words;
    QList<client::Schedule> m_schedules; // of the pages before
    int m_left = 0;      // calls of a verb with several
    int m_exitCode = 0;
};

} // namespace junban::app
