#pragma once

#include "client/apilink.h"
#include "core/jobs/jobid.h"

// What the calls have in common; only their own files include this.
namespace junban::client {

inline QByteArray seconds(qint64 value_ms)
{
    return QByteArray::number(double(value_ms) / 1000, 'f', value_ms % 1000 == 0 ? 0 : 3);
}

inline QString jobPath(const JobId &id, const char *verb = "")
{
    return QStringLiteral("/v1/jobs/%1%2").arg(QLatin1String(id.text()), QLatin1String(verb));
}

// What an operator named, as one segment of a path: a slash of its own does not part it.
inline QString namedPath(const char *collection, const QByteArray &id, const char *verb = "")
{
    return QLatin1String(collection) + QLatin1String(QUrl::toPercentEncoding(QString::fromUtf8(id))) + QLatin1String(verb);
}

// The body that says nothing.
inline QByteArray nothing()
{
    return QByteArray("\x80");
}

// {done: true}
inline Result<Done> readDone(const ApiLink::Answer &answer)
{
    Decoder in(Decoder::Of::Answer);
    bool done = false;
    if (const std::optional<PackedValue> root = in.root(answer.body))
        in.map(*root, [&](QByteArrayView key, const PackedValue &value) { return key == "done" && in.boolean(value, done); });
    return done ? Result<Done>(Done{}) : Error{ErrorCode::Malformed, "The answer is not what this client expects: it was not done."};
}

// A part of a list, after a name or a cursor.
inline QList<QPair<QString, QByteArray>> pageQuery(int limit, const QString &key, const QByteArray &after)
{
    QList<QPair<QString, QByteArray>> query{{QStringLiteral("limit"), QByteArray::number(limit)}};
    if (!after.isEmpty())
        query.append({key, after});
    return query;
}

} // namespace junban::client
