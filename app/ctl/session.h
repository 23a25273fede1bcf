#pragma once

#include "client/apiclient.h"

#include <QCoreApplication>
#include <QObject>
#include <functional>
#include <memory>

namespace junban::app {

// What a verb works with: the client of the master, the terminal, and the end of the program. The exit code: 0 done, 1 refused or not
// reached, 2 used wrongly. Threads: the main one.
class Session : public QObject
{
public:
    // Verbs that need a master find one here.
    void connectTo(client::ApiClient::Options options) { m_client = std::make_unique<client::ApiClient>(std::move(options)); }
    client::ApiClient &client() { return *m_client; }

    void print(const QByteArray &text);
    void end(int exitCode);
    // Says why, and ends with 1.
    void fail(const Error &error);
    // Prints what `say` makes of an answer and ends; or says why there is none.
    template<typename T, typename Say>
    void finish(const Result<T> &answer, Say say)
    {
        if (answer.ok()) {
            print(say(*answer));
            end(0);
        } else {
            fail(answer.error());
        }
    }
    // Asks for each of some jobs, prints a line for each answer, and ends with 1 when one was refused.
    template<typename T, typename Say>
    void forEach(const QList<JobId> &ids, const std::function<void(JobId, Callback<T>)> &ask, Say say)
    {
        m_left = int(ids.size());
        for (const JobId id : ids) {
            ask(id, [this, id, say](const Result<T> &answer) {
                tell(id, answer.ok() ? say(*answer) : refusal(answer.error()), answer.ok());
            });
        }
    }

    // Runs until the verb has ended; returns the exit code.
    int wait();

private:
    static QByteArray refusal(const Error &error);
    void tell(JobId id, const QByteArray &what, bool done);

    std::unique_ptr<client::ApiClient> m_client;
    int m_left = 0;       // answers of forEach
    int m_exitCode = 0;
    bool m_ended = false;
};

} // namespace junban::app
