#include "core/jobs/administration.h"
#include "server/api/api.h"
#include "server/api/handlers.h"

#include <nlohmann/json.hpp>

// What operators and machines ask of a namespace and a master as a whole.
namespace junban::api {

namespace {

void getOverview(const Parts &parts, const Call &call)
{
    parts.inspector.overview(answering(call, overviewTable));
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
    if (const std::optional<FsckBody> body = bodyOf(call, fsckBodyTable, {}, Body::MayBeEmpty))
        parts.inspector.look(body->repair ? Repair::Yes : Repair::No, body->cursor, answering(call, fsckReportTable));
}

void getHealth(const Parts &, const Call &call)
{
    call.exchange().reply({200, "text/plain; charset=utf-8", "ok\n"});
}

void getReadiness(const Parts &parts, const Call &call)
{
    parts.inspector.probe([call](const Result<Done> &done) {
        if (done.ok())
            call.exchange().reply({200, "text/plain; charset=utf-8", "ready\n"});
        else
            call.exchange().reply({503, "text/plain; charset=utf-8", "not ready: " + done.error().message + '\n'});
    });
}

void getOpenApi(const Parts &, const Call &call)
{
    call.exchange().reply({200, "application/json", Api::document()});
}

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

void getDocs(const Parts &, const Call &call)
{
    const QByteArray text = Api::document();
    const nlohmann::json parsed = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
    call.exchange().reply({200, "text/html; charset=utf-8", page(parsed),
        {qMakePair(QByteArray("Content-Security-Policy"),
            QByteArray("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"))}});
}

constexpr Operation administrationHandlers[] = {
    {"getOverview", getOverview}, {"listNames", listNames}, {"getDoctor", getDoctor}, {"checkNamespace", checkNamespace},
    {"getHealth", getHealth}, {"getReadiness", getReadiness}, {"getOpenApi", getOpenApi}, {"getDocs", getDocs},
};

} // namespace

const std::span<const Operation> administrationOperations = administrationHandlers;

} // namespace junban::api
