#include "server/api/router.h"

#include "core/base/reasons/api.h"
#include "core/base/reasons/fields.h"
#include "core/base/text.h"
#include "core/limits.h"

#include <QVarLengthArray>
#include <nlohmann/json.hpp>

namespace junban::api {

namespace {

using Json = nlohmann::json;

QByteArray bytes(const Json &text)
{
    const auto &string = text.get_ref<const std::string &>();
    return QByteArray(string.data(), qsizetype(string.size()));
}

// The target of a $ref into this document; anything else as it is.
const Json &resolved(const Json &document, const Json &node)
{
    const auto ref = node.find("$ref");
    return ref == node.end() ? node : document.at(Json::json_pointer(ref->get<std::string>().substr(1)));
}

void addQuery(const Json &document, const Json &owner, Route &route)
{
    const auto parameters = owner.find("parameters");
    if (parameters == owner.end())
        return;
    for (const Json &node : *parameters) {
        const Json &parameter = resolved(document, node);
        if (parameter.at("in") == "query")
            route.query.append(bytes(parameter.at("name")));
    }
}

// The properties of the body's schema.
void addSearch(const Json &document, const Json &operation, Route &route)
{
    const Json &schema = resolved(document, operation.at("requestBody").at("content").at("application/json").at("schema"));
    for (const auto &[name, property] : schema.at("properties").items()) {
        const std::string type = resolved(document, property).at("type").get<std::string>();
        using enum SearchField::Type;
        route.search.append({QByteArray::fromStdString(name), type == "integer" ? Integer : type == "boolean" ? Boolean : Text});
    }
}

Route routeOf(const Json &document, const std::string &path, const std::string &method, const Json &item)
{
    const Json &operation = item.at(method);
    Route route;
    route.method = QByteArray::fromStdString(method).toUpper();
    route.segments = QByteArray::fromStdString(path).mid(1).split('/');
    route.operation = bytes(operation.at("operationId"));
    for (const Json &role : operation.at("x-roles"))
        route.roles.append(bytes(role));
    route.scoped = operation.value("x-scoped", false);
    route.isSocket = operation.contains("x-messages");
    route.audited = operation.value("x-audited", false);
    route.isSearch = operation.value("x-search", false);
    if (route.isSearch)
        addSearch(document, operation, route);
    addQuery(document, item, route);
    addQuery(document, operation, route);
    route.body_bytes_max = operation.value("x-body-bytes", qint64(limits::http_body_bytes_max));
    return route;
}

} // namespace

Result<Router> Router::fromDocument(QByteArrayView text)
{
    const Json document = Json::parse(text.begin(), text.end(), nullptr, false);
    if (document.is_discarded() || !document.contains("paths"))
        return reasons::openapiUnreadable();
    Router router;
    for (const auto &[path, item] : document["paths"].items()) {
        for (const char *method : {"get", "post", "put", "patch", "delete"}) {
            if (!item.contains(method))
                continue;
            const int index = int(router.m_routes.size());
            router.m_routes.append(routeOf(document, path, method, item));
            if (path.find('{') == std::string::npos)
                router.m_exact[QByteArray::fromStdString(path)].append(index);
            else
                router.m_withParameters.append(index);
        }
    }
    return router;
}

namespace {

bool fits(const QList<QByteArray> &pattern, const QList<QByteArray> &segments, QList<QByteArray> &parameters)
{
    if (pattern.size() != segments.size())
        return false;
    parameters.clear();
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        if (pattern[i].startsWith('{'))
            parameters.append(QByteArray::fromPercentEncoding(segments[i])); // an encoded slash stays inside its segment
        else if (pattern[i] != segments[i])
            return false;
    }
    return true;
}

} // namespace

Match Router::match(QByteArrayView method, QByteArrayView path) const
{
    const QByteArrayView wanted = method == "HEAD" ? QByteArrayView("GET") : method;
    Match match;
    QVarLengthArray<int, 8> others;
    const auto look = [&](const QList<int> &indexes, auto test) {
        for (const int index : indexes) {
            const Route &route = m_routes[index];
            if (!test(route))
                continue;
            if (route.method == wanted) {
                match.route = &route;
                return;
            }
            others.append(index);
        }
    };
    const QByteArray whole = path.toByteArray();
    if (const auto exact = m_exact.constFind(whole); exact != m_exact.cend())
        look(*exact, [](const Route &) { return true; });
    if (!match.route) { // a thing can be called what a verb is called: PUT /v1/schedules/preview
        const QList<QByteArray> segments = whole.mid(1).split('/');
        look(m_withParameters, [&](const Route &route) { return fits(route.segments, segments, match.parameters); });
    }
    if (!match.route) {
        QByteArrayList methods; // a path can fit two routes: /v1/jobs/counts is also a job's
        for (const int index : std::as_const(others)) {
            if (!methods.contains(m_routes[index].method))
                methods.append(m_routes[index].method);
        }
        match.allow = methods.join(", ");
    }
    return match;
}

Result<QHash<QByteArray, QByteArray>> parseQuery(QByteArrayView query, const QList<QByteArray> &allowed)
{
    QHash<QByteArray, QByteArray> parameters;
    if (query.isEmpty())
        return parameters;
    const QList<QByteArray> parts = query.toByteArray().split('&');
    for (const QByteArray &part : parts) {
        const qsizetype equals = part.indexOf('=');
        const auto decoded = [](QByteArray text) { return QByteArray::fromPercentEncoding(text.replace('+', ' ')); };
        const QByteArray key = decoded(equals < 0 ? part : part.first(equals));
        const QByteArray value = equals < 0 ? QByteArray() : decoded(part.mid(equals + 1));
        if (!allowed.contains(key))
            return reasons::parameterUnknown(shown(key, limits::shown_bytes_max));
        if (parameters.contains(key))
            return reasons::fieldGivenTwice(key);
        if (!value.isValidUtf8())
            return reasons::fieldNotUtf8(key);
        parameters.insert(key, value);
    }
    return parameters;
}

} // namespace junban::api
