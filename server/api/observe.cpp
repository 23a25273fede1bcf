#include "server/api/answers.h"
#include "server/api/api.h"
#include "core/msgpack/decoder.h"
#include "server/api/matcherbodies.h"

#include <nlohmann/json.hpp>

// What operators and machines look at. Nothing here changes anything.
namespace junban::api {

void Api::listJobs(const Call &call)
{
    Inspector::ListRequest request;
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    const Result<QByteArray> name = call.name("name");
    const Result<QByteArray> tag = call.name("tag");
    const Result<QByteArray> cursor = call.name("cursor");
    const Result<bool> tracked = call.flag("tracked");
    const Result<bool> trash = call.flag("trash");
    for (const Error *error : {limit.ok() ? nullptr : &limit.error(), name.ok() ? nullptr : &name.error(),
             tag.ok() ? nullptr : &tag.error(), cursor.ok() ? nullptr : &cursor.error(), tracked.ok() ? nullptr : &tracked.error(),
             trash.ok() ? nullptr : &trash.error()}) {
        if (error) {
            call.fail(*error);
            return;
        }
    }
    if (call.query.contains("state")) {
        request.state = stateFromWord(call.query["state"]);
        if (!request.state) {
            call.fail(Error{ErrorCode::InvalidField, "'state' is not a state of a job.", "state"});
            return;
        }
    }
    if (call.query.contains("match")) {
        if (!call.query["match"].isValidUtf8()) {
            call.fail(Error{ErrorCode::InvalidField, "'match' is not UTF-8.", "match"});
            return;
        }
        QList<ExpressionProblem> problems;
        for (const cel::Problem &problem : request.filter.setMatch(call.query["match"]))
            problems.append({"match", problem});
        if (!problems.isEmpty()) {
            call.reply(422, encodeProblems(problems));
            return;
        }
    }
    request.limit = *limit;
    request.filter.name = *name;
    request.filter.tag = *tag;
    request.cursor = *cursor;
    if (*tracked || *trash) {
        listSet(call, *trash ? JobSet::Trash : JobSet::Tracked, request);
        return;
    }
    m_inspector.list(std::move(request), [call](const Result<Inspector::List> &list) {
        if (list.ok())
            call.reply(200, encodeList(*list));
        else
            call.fail(list.error());
    });
}

void Api::getJob(const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (!id)
        return;
    m_inspector.get(*id, [call](const Result<Job> &job) {
        if (job.ok())
            call.reply(200, encodeJob(*job));
        else
            call.fail(job.error());
    });
}

void Api::getOverview(const Call &call)
{
    m_inspector.overview([call](const Result<Inspector::Overview> &overview) {
        if (overview.ok())
            call.reply(200, encodeOverview(*overview));
        else
            call.fail(overview.error());
    });
}

void Api::listNames(const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::names_page_max, limits::page_rows_default);
    const Result<QByteArray> after = call.name("after");
    if (!limit.ok() || !after.ok()) {
        call.fail(limit.ok() ? after.error() : limit.error());
        return;
    }
    m_inspector.names(*limit, *after, [call, rows = *limit](const Result<QList<NameCounts>> &names) {
        if (names.ok())
            call.reply(200, encodeNames(*names, rows));
        else
            call.fail(names.error());
    });
}

void Api::getDoctor(const Call &call)
{
    m_inspector.examine([call](const Result<QList<Finding>> &findings) {
        if (findings.ok())
            call.reply(200, encodeFindings(*findings));
        else
            call.fail(findings.error());
    });
}

void Api::getHealth(const Call &call)
{
    call.exchange().reply({200, "text/plain; charset=utf-8", "ok\n"});
}

void Api::getReadiness(const Call &call)
{
    m_inspector.probe([call](const Result<Done> &done) {
        if (done.ok())
            call.exchange().reply({200, "text/plain; charset=utf-8", "ready\n"});
        else
            call.exchange().reply({503, "text/plain; charset=utf-8", "not ready: " + done.error().message + '\n'});
    });
}

void Api::getOpenApi(const Call &call)
{
    call.exchange().reply({200, "application/json", document()});
}

namespace {

QByteArray escaped(const std::string &text)
{
    return QString::fromStdString(text).toHtmlEscaped().toUtf8();
}

QByteArray page(const nlohmann::json &document)
{
    QByteArray html = "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Junban API</title>\n<style>"
                      "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
                      "code{background:#8882;padding:.1em .3em;border-radius:.2em}h2{margin-top:2rem;font-size:1.1rem}"
                      "p{white-space:pre-line}:root{color-scheme:light dark}</style>\n<h1>Junban API</h1>\n<p>";
    html += escaped(document["info"]["description"]) + "</p>\n<p>The whole document: <a href=\"/openapi.json\">/openapi.json</a></p>\n";
    for (const auto &[path, item] : document["paths"].items()) {
        for (const auto &[method, operation] : item.items()) {
            if (!operation.is_object())
                continue;
            html += "<h2><code>" + QByteArray::fromStdString(method).toUpper() + ' ' + escaped(path) + "</code></h2>\n<p><b>"
                + escaped(operation["summary"]) + ".</b> " + escaped(operation.value("description", "")) + "</p>\n<ul>";
            for (const auto &parameter : operation.value("parameters", nlohmann::json::array())) {
                if (parameter.contains("name"))
                    html += "<li><code>" + escaped(parameter["name"]) + "</code> " + escaped(parameter.value("description", "")) + "</li>";
            }
            html += "</ul>\n";
        }
    }
    return html;
}

} // namespace

void Api::getDocs(const Call &call)
{
    const QByteArray text = document();
    const nlohmann::json parsed = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
    call.exchange().reply({200, "text/html; charset=utf-8", page(parsed),
        {qMakePair(QByteArray("Content-Security-Policy"),
            QByteArray("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"))}});
}

} // namespace junban::api
