#include "client/calls.h"

#include "core/base/reasons/client.h"
#include "core/msgpack/msgpackwriter.h"

#include <algorithm>

namespace junban::client {

CallId Calls::done(Method method, const QString &path, Callback<Done> callback)
{
    const auto read = [](const Answer &answer) {
        Decoder in(Decoder::Of::Answer);
        bool done = false;
        if (const std::optional<PackedValue> root = in.root(answer.body))
            in.map(*root, [&](QByteArrayView key, const PackedValue &value) { return key == "done" && in.boolean(value, done); });
        return done ? Result<Done>(Done{}) : reasons::answerNotDone();
    };
    return m_link.call<Done>({method, path}, read, std::move(callback));
}

QString Calls::jobPath(const JobId &id, const char *verb)
{
    return QStringLiteral("/v1/jobs/%1%2").arg(QLatin1String(id.text()), QLatin1String(verb));
}

QString Calls::namedPath(const char *collection, const QByteArray &id, const char *verb)
{
    return QLatin1String(collection) + QLatin1String(QUrl::toPercentEncoding(QString::fromUtf8(id))) + QLatin1String(verb);
}

Calls::Query Calls::pageQuery(int limit, const char *key, const QByteArray &after)
{
    Query query{{QStringLiteral("limit"), QByteArray::number(limit)}};
    if (!after.isEmpty())
        query.append({QLatin1String(key), after});
    return query;
}

QByteArray Calls::seconds(qint64 value_ms)
{
    return QByteArray::number(double(value_ms) / 1000, 'f', value_ms % 1000 == 0 ? 0 : 3);
}

QByteArray Calls::nothing()
{
    return QByteArray("\x80");
}

Calls::Fields Calls::onlyAt(qint64 revision)
{
    if (revision == 0)
        return {{"If-None-Match", "*"}};
    return {{"If-Match", '"' + QByteArray::number(revision) + '"'}};
}

bool Calls::hasExpression(const Query &query)
{
    return std::any_of(query.begin(), query.end(), [](const auto &parameter) { return parameter.first == QLatin1String("match"); });
}

QByteArray Calls::searchBody(const Query &query)
{
    MsgpackWriter body;
    body.map(query.size());
    for (const auto &[name, value] : query) {
        body.text(name.toUtf8());
        if (name == QLatin1String("limit"))
            body.integer(value.toInt());
        else if (name == QLatin1String("tracked") || name == QLatin1String("trash"))
            body.boolean(value == "true");
        else
            body.text(value);
    }
    return body.take();
}

} // namespace junban::client
