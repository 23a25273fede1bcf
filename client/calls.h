#pragma once

#include "client/apilink.h"
#include "core/jobs/jobid.h"

namespace junban::client {

// What the themes of calls (jobcalls.h, workercalls.h, …) are made of. A call is defined in its theme's header: its path, its body and the
// table of its answer. `Takes<Job> auto callback` is a Callback<Job>, written so that only who makes a call compiles it. Longer ones, which
// read answers in a way of their own, stand in the theme's source.
class Calls
{
public:
    explicit Calls(ApiLink &link) : m_link(link) {}

protected:
    using Method = ApiLink::Method;
    using Request = ApiLink::Request;
    using Answer = ApiLink::Answer;
    using Query = QList<QPair<QString, QByteArray>>;
    using Fields = QList<QPair<QByteArray, QByteArray>>;

    template<typename T>
    CallId get(const QString &path, const Query &query, const TableOf<T> &answer, Takes<T> auto callback)
    {
        return m_link.call({Method::Get, path, query}, answer, std::move(callback));
    }
    template<typename T>
    CallId get(const QString &path, const TableOf<T> &answer, Takes<T> auto callback)
    {
        return get(path, {}, answer, std::move(callback));
    }
    template<typename T>
    CallId post(const QString &path, const QByteArray &body, const TableOf<T> &answer, Takes<T> auto callback, const Fields &fields = {})
    {
        return m_link.call({Method::Post, path, {}, body, 0, fields}, answer, std::move(callback));
    }
    template<typename T>
    CallId put(const QString &path, const QByteArray &body, const TableOf<T> &answer, Takes<T> auto callback, const Fields &fields = {})
    {
        return m_link.call({Method::Put, path, {}, body, 0, fields}, answer, std::move(callback));
    }
    template<typename T>
    CallId patch(const QString &path, const QByteArray &body, const TableOf<T> &answer, Takes<T> auto callback)
    {
        return m_link.call({Method::Patch, path, {}, body}, answer, std::move(callback));
    }
    template<typename T>
    CallId remove(const QString &path, const TableOf<T> &answer, Takes<T> auto callback, const Fields &fields = {})
    {
        return m_link.call({Method::Delete, path, {}, {}, 0, fields}, answer, std::move(callback));
    }
    // A list as `query` asks for it. With an expression its parameters go in the body: no address is long enough for each.
    template<typename T>
    CallId list(const QString &path, const QString &searchPath, const Query &query, const TableOf<T> &answer, Takes<T> auto callback)
    {
        if (!hasExpression(query))
            return get(path, query, answer, std::move(callback));
        return post(searchPath, searchBody(query), answer, std::move(callback));
    }
    static bool hasExpression(const Query &query);
    static QByteArray searchBody(const Query &query);
    // A call that is answered with {done: true}.
    CallId done(Method method, const QString &path, Callback<Done> callback);

    static QString jobPath(const JobId &id, const char *verb = "");
    // With a name as one segment of the path: a slash in it is encoded.
    static QString namedPath(const char *collection, const QByteArray &id, const char *verb = "");
    // For a page of a list; `key` is the parameter that says where the page begins, `after` its value or empty.
    static Query pageQuery(int limit, const char *key, const QByteArray &after);
    static QByteArray seconds(qint64 value_ms);
    // A map without fields.
    static QByteArray nothing();
    // The header field of a change of one revision; 0: of something that does not exist yet.
    static Fields onlyAt(qint64 revision);

    ApiLink &m_link;
};

} // namespace junban::client
