#include "server/api/api.h"

#include "core/base/reasons/api.h"
#include "core/msgpack/decoder.h"
#include "core/msgpack/json.h"
#include "server/api/webconsole.h"

namespace junban::api {

extern const char openApiDocument[]; // made by openapi/embed.py

QByteArray Api::document()
{
    return QByteArray::fromRawData(openApiDocument, qsizetype(qstrlen(openApiDocument)));
}

Api::Api(Queue &queue, Inspector &inspector, Changes &changes, Scheduler &scheduler, Lookback &lookback, Matching matching, Bulk bulk,
    Meter &meter, NewsWaits &news, Tokens &tokens, Sessions &sessions, FilterStore &filters, Workers &workers, Masker &masker,
    Auditor &auditor, const Clock &clock, std::shared_ptr<Times> times, AuthOptions auth)
    : m_parts{queue, inspector, changes, scheduler, lookback, matching, bulk, meter, news, tokens, sessions, filters, workers, masker,
          auditor, clock, std::move(times), m_auth, m_auditing}
    , m_auditing(auditor, auth.refused)
    , m_auth(std::move(auth), tokens, sessions)
{
    QHash<QByteArray, const Operation *> operations; // by operationId
    for (const std::span<const Operation> theme : {jobOperations, claimOperations, reportOperations, resultOperations, scheduleOperations,
             operationOperations, pastOperations, matcherOperations, previewOperations, pauseOperations, constraintOperations,
             administrationOperations, liveOperations, metricsOperations, tokenOperations, sessionOperations, filterOperations,
             auditOperations, workerOperations}) {
        for (const Operation &operation : theme)
            operations.insert(operation.id, &operation);
    }
    Result<Router> router = Router::fromDocument(document());
    if (!router.ok())
        qFatal("%s", router.error().message().constData());
    m_router = std::move(*router);
    for (const Route &route : m_router.routes()) {
        m_operations.push_back(operations.take(route.operation));
        if (!m_operations.back())
            qFatal("the operation %s of the OpenAPI document has no handler", route.operation.constData());
    }
    if (!operations.isEmpty())
        qFatal("a handler has no operation in the OpenAPI document");
}

struct Api::Memo {
    // What the fields of the head say of the body.
    struct BodyKind {
        std::optional<Encoding> encoding;
        bool isPlain = true;       // it has no content coding, or none but `identity`
    };
    static BodyKind kindOf(const http::Request &request);

    Auth::InForce inForce = {};    // before the last request with such a head was checked
    bool isAdmitted = false;       // that was let in, and the rest follows from the head
    Caller caller = {};
    Wanted wanted = Wanted::Any;
    BodyKind body = {};
};

Api::Memo::BodyKind Api::Memo::kindOf(const http::Request &request)
{
    const QList<QByteArray> codings = request.field("content-encoding").split(',');
    const bool isPlain = std::all_of(codings.begin(), codings.end(), [](const QByteArray &coding) {
        const QByteArray word = coding.trimmed().toLower();
        return word.isEmpty() || word == "identity";
    });
    return {bodyEncoding(request), isPlain};
}

Api::Memo *Api::memoOf(const http::Request &request)
{
    return static_cast<Memo *>(request.place.memo.get());
}

http::Place Api::place(const QByteArray &method, const QByteArray &path) const
{
    Match match = m_router.match(method, path);
    if (!match.route)
        return {};
    const int index = m_router.indexOf(*match.route);
    const bool isDirect = m_operations[size_t(index)]->calledBy == CalledBy::Gate;
    const bool comesAgain = isDirect && match.parameters.isEmpty();
    return {match.route->body_bytes_max, index, std::move(match.parameters), isDirect, comesAgain ? std::make_shared<Memo>() : nullptr};
}

void Api::handle(const http::Exchange &exchange)
{
    const http::Request &request = exchange.request();
    const int route = request.place.route;
    Memo *const memo = memoOf(request);
    if (memo && memo->isAdmitted && memo->inForce == m_auth.inForce() && m_auth.goesOn(memo->caller)) {
        Call call(exchange, Match{&m_router.routes()[route]}, memo->wanted, m_unsavedReads);
        call.caller = memo->caller;
        noteTime(call);
        readBody(call);
        return;
    }
    if (memo)
        *memo = {.inForce = m_auth.inForce()};
    const Match match = route < 0 ? m_router.match(request.method, request.path)
                                  : Match{&m_router.routes()[route], request.place.parameters};
    Call call(exchange, match, wantedEncoding(request), m_unsavedReads);
    if (request.hop != http::Hop::Vouched && !m_auth.knowsHost(request.field("host"))) { // then the first master knows it
        call.problem(reasons::hostUnknown());
        return;
    }
    if (!match.route && m_hasConsole && WebConsole::answer(exchange))
        return;
    if (!match.route && (WebConsole::answerManual(exchange) || WebConsole::answerPlaces(exchange)))
        return;
    if (!match.route) {
        if (match.allow.isEmpty())
            call.fail(reasons::pathNotFound());
        else
            call.problem(reasons::methodNotOfPath(QByteArray(match.allow).replace(" ", "").split(',')),
                {qMakePair(QByteArray("Allow"), match.allow)});
        return;
    }
    noteTime(call);
    if (const std::optional<QByteArray> session = m_auth.unread(request, *match.route)) {
        m_parts.sessions.look(*session, [this, call](const Result<Done> &read) {
            if (read.ok())
                admit(call);
            else
                call.fail(read.error());
        });
        return;
    }
    admit(std::move(call));
}

Passed Api::passed(const http::Request &request) const
{
    const int index = request.place.route;
    if (index < 0 || !m_auth.knowsHost(request.field("host")))
        return Passed::Here;
    const Route &route = m_router.routes()[index];
    const Passed passed = m_operations[size_t(index)]->passed;
    const bool reads = route.method == "GET" || route.isSearch;
    return passed == Passed::Once && reads ? Passed::Again : passed;
}

void Api::refuse(const http::Exchange &exchange, const Error &error)
{
    Call(exchange, {}, wantedEncoding(exchange.request())).fail(error);
}

void Api::noteTime(const Call &call) const
{
    call.exchange().onAnswer([times = m_parts.times, operation = call.match().route->operation, begun_s = Timings::now_s()] {
        times->requests.add(operation, Timings::now_s() - begun_s);
    });
}

void Api::admit(Call call)
{
    const http::Request &request = call.exchange().request();
    const auto refusal = m_auth.check(request, *call.match().route, call.caller);
    m_auditing.begin(call, refusal ? Auditing::Attempt::Refused : Auditing::Attempt::Allowed);
    if (refusal) {
        call.problem(refusal->reason, refusal->fields);
        return;
    }
    if (call.wanted() == Wanted::Neither && request.path.startsWith("/v1/")) {
        call.problem(reasons::answerTypeUnknown());
        return;
    }
    if (Memo *memo = memoOf(request); memo && !call.match().route->audited)
        *memo = {memo->inForce, true, call.caller, call.wanted(), Memo::kindOf(request)};
    readBody(call);
}

void Api::readBody(Call &call)
{
    const http::Request &request = call.exchange().request();
    const Route &route = *call.match().route;
    Result<QHash<QByteArray, QByteArray>> query = parseQuery(request.query, route.query);
    if (!query.ok()) {
        call.fail(query.error());
        return;
    }
    call.query = std::move(*query);
    if (route.audited && !Auditing::readReason(call))
        return;
    const Memo *memo = memoOf(request);
    const Memo::BodyKind body = memo && memo->isAdmitted ? memo->body : Memo::kindOf(request);
    if (!request.body.isEmpty() && !body.isPlain) {
        // RFC 7694: what would be taken.
        call.problem(reasons::bodyEncoded(), {qMakePair(QByteArray("Accept-Encoding"), QByteArray("identity"))});
        return;
    }
    // An empty body of another type is refused too: a form on another site's page can send one, and no browser asks us before.
    if (!body.encoding && route.method != "GET" && !(request.body.isEmpty() && request.field("content-type").isEmpty())) {
        call.problem(reasons::bodyTypeUnknown());
        return;
    }
    if (!request.body.isEmpty()) {
        if (route.method == "GET") {
            call.fail(reasons::getWithBody());
            return;
        }
        if (*body.encoding == Encoding::Msgpack) {
            call.body = request.body;
        } else {
            Result<QByteArray> msgpack = json::toMsgpack(request.body);
            if (!msgpack.ok()) {
                call.fail(msgpack.error());
                return;
            }
            call.body = std::move(*msgpack);
        }
    }
    if (!route.isSearch || readSearch(call))
        run(call);
}

// The body of a search as the query of the GET that it stands for: its handler reads no other.
bool Api::readSearch(Call &call)
{
    if (call.body.isEmpty())
        return true;
    Decoder in;
    const std::optional<PackedValue> root = in.root(call.body);
    const auto take = [&](QByteArrayView key, const PackedValue &value) {
        const QList<SearchField> &fields = call.match().route->search;
        const auto field = std::find_if(fields.begin(), fields.end(), [&](const SearchField &each) { return each.name == key; });
        if (field == fields.end())
            return false;
        QByteArray text;
        qint64 number = 0;
        bool flag = false;
        bool ok = false;
        switch (field->type) {
        case SearchField::Type::Text: ok = in.text(value, text, limits::http_body_bytes_max); break;
        case SearchField::Type::Integer:
            ok = in.integer(value, number, std::numeric_limits<qint32>::min(), std::numeric_limits<qint32>::max());
            text = QByteArray::number(number);
            break;
        case SearchField::Type::Boolean:
            ok = in.boolean(value, flag);
            text = flag ? "true" : "false";
            break;
        }
        call.query.insert(field->name, text);
        return ok;
    };
    if (root && in.map(*root, take))
        return true;
    call.fail(in.error());
    return false;
}

void Api::run(const Call &call)
{
    m_operations[size_t(m_router.indexOf(*call.match().route))]->handle(m_parts, call);
}

} // namespace junban::api
