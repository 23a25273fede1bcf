#pragma once

#include "client/localaccess.h"
#include "client/problem.h"
#include "core/limits.h"
#include "core/msgpack/fieldtable.h"

#include <QNetworkReply>
#include <QObject>
#include <QPointer>
#include <QSslCertificate>
#include <QSslKey>
#include <QUrl>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>

QT_BEGIN_NAMESPACE
class QTimer;
QT_END_NAMESPACE

namespace junban::client {

// The media type of what is sent and answered.
inline constexpr char messagePack[] = "application/vnd.msgpack";
inline bool isMessagePack(QByteArrayView type)
{
    return type.startsWith(messagePack) || type.startsWith("application/msgpack") || type.startsWith("application/x-msgpack");
}

// Names one call under way; 0 is none.
using CallId = quint64;

// What can be a Callback<T>.
template<typename F, typename T>
concept Takes = std::is_invocable_v<F &, Result<T>>;

enum class Connection { Unknown, Reachable, Unreachable };

// How calls of the API get to a master and back. The calls themselves are in a class for each theme (client/apiclient.h).
class ApiLink : public QObject
{
    Q_OBJECT

public:
    struct Options {
        QUrl url;                                    // "http://127.0.0.1:7717", "unix:/run/junban/api"; a path before /v1 is kept
        QByteArray token = {};                       // bearer token; empty: none is sent
        QByteArray reason = {};                      // why what it changes is changed, for the audit; UTF-8
        QList<QSslCertificate> authorities = {};     // whose certificates are believed; empty: the machine's
        QList<QSslCertificate> certificate = {};     // this client's own, with its chain; empty: none
        QSslKey key = {};                            // of that certificate
        int deadline_ms = limits::client_deadline_ms; // for an answer, on top of what the call itself waits for
    };
    explicit ApiLink(Options options, QObject *parent = nullptr);
    ~ApiLink() override;

    QUrl url() const { return m_options.url; }
    // The URL for people.
    QString place() const;
    // For calls from now on.
    void setToken(const QByteArray &token) { m_options.token = token; }
    bool hasToken() const { return !m_options.token.isEmpty(); }
    // Why what it changes is changed: of a call that begins now.
    QByteArray reason() const { return m_options.reason; }
    void setReason(const QByteArray &reason) { m_options.reason = reason; }
    // Gives another reason to the calls that begin while it exists, and to those that begin in their callbacks.
    class Because
    {
    public:
        Because(ApiLink &link, const QByteArray &reason)
            : m_link(&link)
            , m_before(std::exchange(link.m_options.reason, reason))
        {
        }
        ~Because()
        {
            if (m_link) // a callback may have ended it
                m_link->m_options.reason = m_before;
        }
        Because(const Because &) = delete;
        Because &operator=(const Because &) = delete;

    private:
        QPointer<ApiLink> m_link;
        QByteArray m_before;
    };

    // Whether the last call that ended got an answer, of whatever status.
    Connection connection() const { return m_connection; }
    Error connectionError() const { return m_connectionError; }
    // Whether the last answer said that the master was started with --insecure.
    bool isInsecure() const { return m_insecure; }

    // Ends a call: it is called back with Cancelled, later. Does nothing when it has ended already.
    void cancel(CallId call);

    enum class Method { Get, Post, Put, Patch, Delete };
    struct Answer {
        int status = 0;
        QByteArray type;         // Content-Type
        QByteArray resultHeader; // Junban-Result
        QByteArray tag;          // ETag
        bool insecure = false;   // Junban-Insecure
        bool behindTls = false;  // Junban-Behind-TLS
        QByteArray body;
        qint64 trip_ms = 0;
    };
    using Finish = std::function<void(Result<Answer>)>;
    struct Request {
        Method method = Method::Get;
        QString path;            // percent-encoded
        QList<QPair<QString, QByteArray>> query = {};
        QByteArray body = {};
        qint64 wait_ms = 0;      // the call's own waiting, on top of the deadline
        QList<QPair<QByteArray, QByteArray>> fields = {};
    };

    CallId send(const Request &request, Finish finish);
    // `decode` reads an answer of success.
    template<typename T>
    CallId call(const Request &request, std::function<Result<T>(const Answer &)> decode, Callback<T> callback)
    {
        return send(request, [decode = std::move(decode), callback = std::move(callback)](const Result<Answer> &answer) {
            const std::optional<Error> refusal = refusalOf(answer);
            callback(refusal ? Result<T>(*refusal) : decode(*answer));
        });
    }
    // Its table reads an answer of success.
    template<typename T>
    CallId call(const Request &request, const TableOf<T> &table, Takes<T> auto callback)
    {
        return send(request, [&table, callback](const Result<Answer> &answer) mutable { callback(read(table, answer)); });
    }
    template<typename T>
    static Result<T> read(const TableOf<T> &table, const Result<Answer> &answer)
    {
        const std::optional<Error> refusal = refusalOf(answer);
        return refusal ? Result<T>(*refusal) : unpackAnswer(table, answer->body);
    }

Q_SIGNALS:
    void connectionChanged();
    void insecureChanged();

protected:
    // Ends every call: its callback gets Cancelled. A derived class does so in its own destructor, while callbacks can still use all of it.
    void close();

private:
    struct Call {
        QNetworkReply *reply = nullptr;
        QTimer *deadline = nullptr;
        Finish finish;
        QByteArray body;
        QByteArray reason;
        qint64 startedAt_ms = 0;
        bool cancelled = false;
        bool late = false;
        bool tooLong = false;
    };

    static std::optional<Error> refusalOf(const Result<Answer> &answer);
    void readSome(CallId id);
    void ended(CallId id);
    Result<Answer> answerOf(Call &call) const;
    Error unanswered(const QNetworkReply &reply, int status) const;
    void setConnection(Connection connection, Error error);

    Options m_options;
    LocalAccess m_network;
    std::unordered_map<CallId, Call> m_calls;
    CallId m_lastCall = 0;
    Connection m_connection = Connection::Unknown;
    Error m_connectionError;
    bool m_insecure = false;
};

} // namespace junban::client
