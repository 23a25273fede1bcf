#include "core/jobs/administration.h"

#include "core/base/reasons/api.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/api/webconsole.h"

// What operators and machines ask of a namespace and a master as a whole.
namespace junban::api {

extern const char docsPage_html[], docsPage_css[], docsPage_js[]; // made by openapi/embed.py

namespace {

void getOverview(const Parts &parts, const Call &call)
{
    parts.matching.situation.overview(answering(call, overviewTable));
}

void listChanges(const Parts &parts, const Call &call)
{
    const Result<std::optional<qint64>> since = sinceOf(call);
    const Result<qint64> wait_ms = call.duration_ms("wait", limits::changes_wait_s_max);
    if (!areRead(call, since, wait_ms))
        return;
    const bool first = !since->has_value();
    const auto told = [first](News news) {
        if (first)
            news.changed.clear();
        return news;
    };
    const NewsWaits::WaitId wait = parts.news.wait(
        since->value_or(0), first ? 0 : *wait_ms,
        [&parts, caller = call.caller] { return mayCallStill(parts.tokens, parts.sessions, caller); },
        answering<News>(call, newsTable, told));
    call.exchange().onGone([&news = parts.news, wait] { news.giveUp(wait); });
}

void listNames(const Parts &parts, const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::names_page_max, limits::page_rows_default);
    const Result<QByteArray> after = call.name("after");
    if (areRead(call, limit, after))
        parts.inspector.names(*limit, *after, answering(call, namePageTable));
}

void getDoctor(const Parts &parts, const Call &call)
{
    parts.inspector.examine(answering(call, findingsTable));
}

void checkNamespace(const Parts &parts, const Call &call)
{
    const std::optional<FsckBody> body = bodyOf(call, fsckBodyTable, {}, Body::MayBeEmpty);
    if (body && !body->repair)
        call.leaveOutOfAudit();
    if (body)
        parts.inspector.look(body->repair ? Repair::Yes : Repair::No, body->cursor, answering(call, fsckReportTable));
}

void getHealth(const Parts &, const Call &call)
{
    call.exchange().reply({200, "text/plain; charset=utf-8", "ok\n"});
}

void getReadiness(const Parts &parts, const Call &call)
{
    // Why not is a text for load balancers, and a problem for those who ask for an encoding of it.
    const Wanted wanted = wantedEncoding(call.exchange().request());
    const bool isProgram = wanted == Wanted::Json || wanted == Wanted::Msgpack;
    parts.inspector.probe([call, isProgram](const Result<Done> &done) {
        if (done.ok())
            call.exchange().reply({200, "text/plain; charset=utf-8", "ready\n"});
        else if (isProgram)
            call.fail(done.error());
        else
            call.exchange().reply({503, "text/plain; charset=utf-8", "not ready: " + done.error().message() + '\n'});
    });
}

void getOpenApi(const Parts &, const Call &call)
{
    call.exchange().reply({200, "application/json", Api::document()});
}

// The page that shows the document. It may fetch from this master alone, and no text becomes markup or script.
void replyPage(const Call &call, const char *type, const char *text)
{
    call.exchange().reply({200, type, QByteArray::fromRawData(text, qsizetype(qstrlen(text))),
        {qMakePair(QByteArray("Content-Security-Policy"), QByteArray(pagePolicy))}});
}

void getDocs(const Parts &, const Call &call)
{
    replyPage(call, "text/html; charset=utf-8", docsPage_html);
}

void getDocsStyle(const Parts &, const Call &call)
{
    replyPage(call, "text/css; charset=utf-8", docsPage_css);
}

void getDocsScript(const Parts &, const Call &call)
{
    replyPage(call, "text/javascript; charset=utf-8", docsPage_js);
}

constexpr Operation administrationHandlers[] = {
    {"getOverview", getOverview}, {"listChanges", listChanges}, {"listNames", listNames}, {"getDoctor", getDoctor},
    {"checkNamespace", checkNamespace}, here("getHealth", getHealth), {"getReadiness", getReadiness}, here("getOpenApi", getOpenApi),
    here("getDocs", getDocs), here("getDocsStyle", getDocsStyle), here("getDocsScript", getDocsScript),
};

} // namespace

Result<std::optional<qint64>> sinceOf(const Call &call)
{
    if (!call.query.contains("since"))
        return std::optional<qint64>();
    bool ok = false;
    const qint64 since = call.query["since"].toLongLong(&ok);
    if (!ok || since < 0)
        return reasons::parameterNotRevision("since");
    return std::optional(since);
}

const std::span<const Operation> administrationOperations = administrationHandlers;

} // namespace junban::api
