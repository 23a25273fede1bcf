#pragma once

#include "app/ctl/exits.h"
#include "app/ctl/terminal.h"
#include "client/apiclient.h"
#include "core/msgpack/problem.h"

#include <QCoreApplication>
#include <QObject>
#include <QSocketNotifier>
#include <functional>
#include <memory>
#include <optional>

namespace junban::app {

// What is left of the problem that the master answered.
Problem problemOf(const Error &error);

// What a verb works with: the client of the master, the terminal, and the end of the program, with an exit status of app/ctl/exits.h.
// Threads: the main one.
class Session : public QObject
{
public:
    // Standard streams that are closed are opened so that using them fails; else the next file or connection would be taken for them.
    static void keepStandardStreams();

    // Verbs that need a master find one here.
    void connectTo(client::ApiClient::Options options);
    client::ApiClient &client() { return *m_client; }
    // Its address, safe on a terminal.
    QByteArray masterText() const;

    // Whether answers are printed as JSON.
    void setJson(bool json) { m_json = json; }
    bool json() const { return m_json; }

    // Writes to standard output, to the last byte. False when that fails, now or before: it is said why, and the program ends with
    // exits::unwritten, however it is ended later. Verbs that take something away for what they print look here first.
    bool print(const QByteArray &text);
    // The same, and the bytes are on the disk when standard output is a file.
    bool printForGood(const QByteArray &text);
    bool isUnwritten() const { return m_isUnwritten; }
    // For a verb that goes on printing: calls back when nobody reads standard output any more, and counts that as an end like others.
    void whenUnread(std::function<void()> end);
    // A value as JSON, as its table has it and so as the API has it, or as `say` puts it for people.
    template<typename T, typename Say>
    bool show(const T &value, const TableOf<T> &table, Say say)
    {
        return print(m_json ? jsonText(pack(table, value)) + '\n' : say(value));
    }
    void end(int exitStatus);
    // Says why nothing was done: as a sentence on standard error, and with --json as {"error": …} on standard output, too. Returns
    // exits::misused.
    int tell(const Error &error);
    // The same, which master said so and what can be done, and ends with exits::refused.
    void fail(const Error &error);
    // The same with a text that is safe on a terminal, and the problem as MessagePack.
    void failWith(const QByteArray &text, const QByteArray &problem);
    // Says something on standard error, which does not mix with the answer.
    void note(const QByteArray &text);
    // Shows an answer and ends; or says why there is none. A short answer that could not be written, like the id of what was made, is said
    // on standard error.
    template<typename T, typename Say>
    void finish(const Result<T> &answer, const TableOf<T> &table, Say say)
    {
        if (answer.ok()) {
            if (!show(*answer, table, say))
                noteLost(say(*answer));
            end(exits::done);
        } else {
            fail(answer.error());
        }
    }
    // Goes on when it is known what time the master has, for ages that are shown to people: the clock of this machine may be off. A token
    // that may not ask leaves it at that.
    void withMasterTime(std::function<void()> goOn);
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

    // Runs until the verb has ended; returns the exit status.
    int wait();
    // What of an exit status remains when standard output was not written.
    int finalStatus(int exitStatus) const;

private:
    bool unwritten(int error);
    void tell(const QByteArray &text, const QByteArray &problem);
    void noteLost(const QByteArray &text);
    void told(JobId id, const FieldTable &table, const void *answer, const QByteArray &said);
    void refused(JobId id, const Error &error);
    void oneEnded();
    void hint(const Error &error) const;

    std::unique_ptr<client::ApiClient> m_client;
    bool m_json = false;
    int m_left = 0;       // answers of forEach
    std::optional<Error> m_refusal;  // the last of them
    int m_exitStatus = 0;
    bool m_ended = false;
    bool m_isUnwritten = false;
    bool m_isUnread = false;         // for that reason, and the verb goes on printing
    std::unique_ptr<QSocketNotifier> m_readers;
};

} // namespace junban::app
