#pragma once

#include "app/ctl/terminal.h"
#include "client/apiclient.h"
#include "core/msgpack/problem.h"

#include <QCoreApplication>
#include <QObject>
#include <functional>
#include <memory>
#include <optional>

namespace junban::app {

// What is left of the problem that the master answered.
Problem problemOf(const Error &error);

// What a verb works with: the client of the master, the terminal, and the end of the program. The exit code: 0 done, 1 refused or not
// reached, 2 used wrongly. Threads: the main one.
class Session : public QObject
{
public:
    // Verbs that need a master find one here.
    void connectTo(client::ApiClient::Options options);
    client::ApiClient &client() { return *m_client; }
    // Its address, safe on a terminal.
    QByteArray masterText() const;

    // Whether answers are printed as JSON.
    void setJson(bool json) { m_json = json; }
    bool json() const { return m_json; }

    void print(const QByteArray &text);
    // A value as JSON, as its table has it and so as the API has it, or as `say` puts it for people.
    template<typename T, typename Say>
    void show(const T &value, const TableOf<T> &table, Say say)
    {
        print(m_json ? jsonText(pack(table, value)) + '\n' : say(value));
    }
    void end(int exitCode);
    // Says why, which master said so and what can be done, and ends with 1.
    void fail(const Error &error);
    // The same with a text that is safe on a terminal.
    void failWith(const QByteArray &text);
    // Says something on standard error, which does not mix with the answer.
    void note(const QByteArray &text);
    // Shows an answer and ends; or says why there is none.
    template<typename T, typename Say>
    void finish(const Result<T> &answer, const TableOf<T> &table, Say say)
    {
        if (answer.ok()) {
            show(*answer, table, say);
            end(0);
        } else {
            fail(answer.error());
        }
    }
    // Asks for each of some jobs, prints a line for each answer, with the job's id, and ends with 1 when one was refused.
    template<typename T, typename Say>
    void forEach(const QList<JobId> &ids, const std::function<void(JobId, Callback<T>)> &ask, const TableOf<T> &table, Say say)
    {
        m_left = int(ids.size());
        for (const JobId id : ids) {
            ask(id, [this, id, &table, say](const Result<T> &answer) {
                if (answer.ok())
                    told(id, table, &*answer, say(*answer));
                else
                    refused(id, answer.error());
            });
        }
    }

    // Runs until the verb has ended; returns the exit code.
    int wait();

private:
    void told(JobId id, const FieldTable &table, const void *answer, const QByteArray &said);
    void refused(JobId id, const Error &error);
    void oneEnded();
    void hint(const Error &error) const;

    std::unique_ptr<client::ApiClient> m_client;
    bool m_json = false;
    int m_left = 0;       // answers of forEach
    std::optional<Error> m_refusal;  // the last of them
    int m_exitCode = 0;
    bool m_ended = false;
};

} // namespace junban::app
