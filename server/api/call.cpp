#include "server/api/call.h"

#include "core/base/isotime.h"
#include "core/base/reasons/api.h"
#include "core/base/reasonwording.h"
#include "core/base/text.h"
#include "core/limits.h"
#include "core/msgpack/json.h"
#include "server/api/answers.h"
#include "server/api/auditrecord.h"
#include "core/msgpack/decoder.h"

#include <cmath>

namespace junban::api {

namespace {

// Texts that every answer has share their bytes.
QByteArray constant(QByteArrayView text)
{
    return QByteArray::fromRawData(text.data(), text.size());
}

constexpr QByteArrayView msgpackType = "application/vnd.msgpack";

bool isType(QByteArrayView type, QByteArrayView known)
{
    return type.size() == known.size() && type.compare(known, Qt::CaseInsensitive) == 0;
}

// The media type without its parameters.
QByteArrayView mediaType(QByteArrayView value)
{
    const qsizetype semicolon = value.indexOf(';');
    return (semicolon < 0 ? value : value.first(semicolon)).trimmed();
}

std::optional<Encoding> encodingOf(QByteArrayView type)
{
    if (isType(type, msgpackType) || isType(type, "application/msgpack") || isType(type, "application/x-msgpack"))
        return Encoding::Msgpack;
    if (isType(type, "application/json") || isType(type, "application/problem+json"))
        return Encoding::Json;
    return {};
}

} // namespace

std::optional<Encoding> bodyEncoding(const http::Request &request)
{
    return encodingOf(mediaType(request.field("content-type")));
}

namespace {

// How much an encoding is wanted, by the most specific range of Accept that includes it.
struct Wish {
    double weight = 0;
    int specific = -1;    // 0: */*, 1: application/*, 2: the type itself
    int place = 0;        // among the ranges

    bool isAbove(const Wish &other) const
    {
        if (weight != other.weight)
            return weight > other.weight;
        return specific != other.specific ? specific > other.specific : specific == 2 && place < other.place;
    }
};

// 1 where the range does not say it.
double weightOf(QByteArrayView range)
{
    const qsizetype semicolon = range.indexOf(';');
    if (semicolon < 0)
        return 1;
    const QByteArray parameters = range.sliced(semicolon).toByteArray().toLower().replace(' ', "");
    const qsizetype q = parameters.indexOf(";q=");
    return q < 0 ? 1 : parameters.mid(q + 3).toDouble();
}

} // namespace

Wanted wantedEncoding(const http::Request &request)
{
    const QByteArray accept = request.field("accept");
    const std::optional<Encoding> body = bodyEncoding(request);
    const Wanted usual = !body ? Wanted::Any : *body == Encoding::Json ? Wanted::Json : Wanted::Msgpack;
    if (accept.isEmpty())
        return usual;
    Wish msgpack, json;
    qsizetype begin = 0;
    for (int place = 0; begin <= accept.size(); ++place) {
        const qsizetype comma = accept.indexOf(',', begin);
        const QByteArrayView range = QByteArrayView(accept).sliced(begin, (comma < 0 ? accept.size() : comma) - begin);
        begin = comma < 0 ? accept.size() + 1 : comma + 1;
        const QByteArrayView type = mediaType(range);
        const std::optional<Encoding> encoding = encodingOf(type);
        const int specific = encoding ? 2 : isType(type, "application/*") ? 1 : type == "*/*" ? 0 : -1;
        for (Wish *wish : {&msgpack, &json}) {
            const bool fits = !encoding || *encoding == (wish == &msgpack ? Encoding::Msgpack : Encoding::Json);
            if (fits && specific > wish->specific)
                *wish = {weightOf(range), specific, place};
        }
    }
    if (!(msgpack.weight > 0) && !(json.weight > 0))
        return Wanted::Neither;
    if (msgpack.isAbove(json))
        return Wanted::Msgpack;
    return json.isAbove(msgpack) ? Wanted::Json : usual;
}

Call::Call(http::Exchange exchange, Match match, Wanted wanted, const quint64 *unsavedReads)
    : m_exchange(std::move(exchange))
    , m_match(std::move(match))
    , m_wanted(wanted)
    , m_unsavedReads(unsavedReads)
    , m_unsavedBefore(unsavedReads ? *unsavedReads : 0)
{
}

// An answer to a change is never told unsaved, so reads of others do not matter to it.
bool Call::tellsUnsaved() const
{
    return m_unsavedReads && *m_unsavedReads != m_unsavedBefore && m_match.route
        && (m_match.route->method == "GET" || m_match.route->isSearch);
}

bool Call::reply(int status, QByteArray msgpack, QList<QPair<QByteArray, QByteArray>> fields) const
{
    if (record)
        record->answered(status);
    http::Response response;
    response.status = status;
    response.fields = std::move(fields);
    response.fields.append(qMakePair(constant("Vary"), constant("Accept")));
    if (tellsUnsaved())
        response.fields.append(qMakePair(constant("Junban-Unsaved"), constant("true")));
    if (m_wanted == Wanted::Msgpack) {
        response.contentType = constant(msgpackType);
        response.body = std::move(msgpack);
    } else {
        response.contentType = constant(status >= 400 ? "application/problem+json" : "application/json");
        response.body = json::fromMsgpack(msgpack) + '\n';
    }
    return m_exchange.reply(std::move(response));
}

bool Call::replyEmpty(QList<QPair<QByteArray, QByteArray>> fields) const
{
    if (record)
        record->answered(204);
    return m_exchange.reply({204, {}, {}, std::move(fields)});
}

void Call::auditTarget(const QByteArray &target) const
{
    if (record)
        record->entry.target = target;
}

void Call::auditBefore(const QByteArray &map) const
{
    if (record)
        record->entry.before = map;
}

void Call::auditAfter(const QByteArray &map) const
{
    if (record)
        record->entry.after = map;
}

void Call::leaveOutOfAudit() const
{
    if (record)
        record->leaveOut();
}

bool Call::fail(const Error &error) const
{
    QList<QPair<QByteArray, QByteArray>> fields;
    if (error.retryAfter_s > 0)
        fields.append(qMakePair(QByteArray("Retry-After"), QByteArray::number(std::ceil(error.retryAfter_s), 'f', 0)));
    return reply(httpStatus(error.code), encodeProblem(error), std::move(fields));
}

bool Call::problem(const Reason &why, QList<QPair<QByteArray, QByteArray>> fields) const
{
    return reply(reasonInfo(why.name)->status, encodeProblem(why), std::move(fields));
}

Result<qint64> Call::duration_ms(const QByteArray &key, double max_s) const
{
    if (!query.contains(key))
        return 0;
    bool ok = false;
    const double seconds = query[key].toDouble(&ok);
    if (!ok || !(seconds >= 0 && seconds <= max_s))
        return reasons::parameterNotSeconds(key, max_s, shown(query[key], limits::shown_bytes_max));
    return std::llround(seconds * 1000);
}

Result<qint64> Call::time_ms(const QByteArray &key) const
{
    if (!query.contains(key))
        return 0;
    const SentTime time = readTime(query[key]);
    return time.at_ms ? Result<qint64>(*time.at_ms) : Result<qint64>(time.refusal(key));
}

Result<int> Call::integer(const QByteArray &key, int min, int max, int otherwise) const
{
    if (!query.contains(key))
        return otherwise;
    bool ok = false;
    const int number = query[key].toInt(&ok);
    if (!ok || number < min || number > max)
        return reasons::parameterNotInteger(key, min, max, shown(query[key], limits::shown_bytes_max));
    return number;
}

Result<bool> Call::flag(const QByteArray &key) const
{
    const QByteArray value = query.value(key, "false");
    if (value != "true" && value != "false")
        return reasons::parameterNotBoolean(key, shown(value, limits::shown_bytes_max));
    return value == "true";
}

Result<QByteArray> Call::name(const QByteArray &key) const
{
    if (!query.contains(key))
        return QByteArray();
    const bool isName = key == "name" || key == "tag"; // the others come from answers, or are the caller's own
    const Result<Done> valid = isName ? validName(key, query[key]) : validText(key, query[key]);
    return valid.ok() ? Result<QByteArray>(query[key]) : Result<QByteArray>(valid.error());
}

Result<Done> Call::validText(const QByteArray &key, const QByteArray &value)
{
    if (!isPlainText(value, limits::name_bytes_max))
        return reasons::parameterNotText(key, limits::name_bytes_max);
    return Done{};
}

Result<Done> Call::validName(const QByteArray &key, const QByteArray &value)
{
    const Result<Done> valid = validText(key, value);
    const std::optional<Error> fault = valid.ok() ? whyNoName(value, key) : std::nullopt;
    return fault ? Result<Done>(*fault) : valid;
}

std::optional<QByteArray> Call::pathName(const char *field) const
{
    const QByteArray name = m_match.parameters.value(0);
    // What was made before names were checked is still found.
    const bool makes = m_match.route->method == "PUT";
    const Result<Done> valid = makes ? validName(field, name) : validText(field, name);
    if (valid.ok())
        return name;
    fail(valid.error());
    return {};
}

} // namespace junban::api
