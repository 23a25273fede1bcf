#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <functional>

namespace junban::api {

// A field of a search (`x-search`): a parameter that comes in the body.
struct SearchField {
    enum class Type { Text, Integer, Boolean };
    QByteArray name;
    Type type = Type::Text;
};

// A route of openapi/master.yaml.
struct Route {
    QByteArray method;            // upper case
    QList<QByteArray> segments;   // of the path; "{id}" stands for a parameter
    QByteArray operation;         // operationId
    QList<QByteArray> roles;      // any of these may call it; empty: everyone
    bool scoped = false;          // it keeps to the jobs of a token that is not for all; others are refused to such a token
    bool isSocket = false;        // it makes a WebSocket of its connection
    bool audited = false;         // it is kept in the audit when an operator or an admin calls it, or is refused
    QList<QByteArray> query;      // the parameters that the query may have
    bool isSearch = false;        // its body has the parameters of a GET: …
    QList<SearchField> search;    // … these
    qint64 body_bytes_max = 0;
};

struct Match {
    const Route *route = nullptr;       // null: see `allow`
    QList<QByteArray> parameters = {};  // percent-decoded, in the path's order
    QByteArray allow = {};              // the methods that the path does have; empty: no such path
};

// The routes, read from the document, so that document and server always agree. Matched without regular expressions.
class Router
{
public:
    // Errors: Internal when the document cannot be read.
    static Result<Router> fromDocument(QByteArrayView json);

    // HEAD finds the route of GET.
    Match match(QByteArrayView method, QByteArrayView path) const;
    const QList<Route> &routes() const { return m_routes; }
    // Of one of routes().
    int indexOf(const Route &route) const { return int(&route - m_routes.constData()); }

private:
    QList<Route> m_routes;
    QHash<QByteArray, QList<int>> m_exact;  // whole path → routes, for paths without parameters
    QList<int> m_withParameters;
};

// The query's parameters, percent-decoded. InvalidField when one is there twice, is not UTF-8 or is not among `allowed`.
Result<QHash<QByteArray, QByteArray>> parseQuery(QByteArrayView query, const QList<QByteArray> &allowed);

} // namespace junban::api
