#include "server/api/webconsole.h"

#include "server/http/handshake.h"
#include "web/files.h"

#include <algorithm>

namespace junban::api {

const char pagePolicy[] = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
                          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
                          "trusted-types 'none'";

namespace {

using Fields = QList<QPair<QByteArray, QByteArray>>;

QByteArray kept(std::string_view text)
{
    return QByteArray::fromRawData(text.data(), qsizetype(text.size()));
}

// Whether the client takes gzip, by its name; one that says `gzip;q=0` does not.
bool takesGzip(const http::Request &request)
{
    const QList<QByteArray> codings = http::listedIn(request, "accept-encoding");
    return std::any_of(codings.begin(), codings.end(), [](const QByteArray &coding) {
        const QByteArray plain = QByteArray(coding).replace(' ', "").toLower();
        return plain == "gzip" || (plain.startsWith("gzip;q=") && plain.mid(7).toDouble() > 0);
    });
}

bool isKnown(const http::Request &request, const QByteArray &etag)
{
    const QList<QByteArray> tags = http::listedIn(request, "if-none-match");
    return std::any_of(tags.begin(), tags.end(), [&etag](const QByteArray &tag) {
        return tag == "*" || tag == etag || tag == "W/" + etag;
    });
}

http::Response responseOf(const http::Request &request, const web::File &file)
{
    const bool compressed = takesGzip(request);
    // Another coding is another representation, so it has a tag of its own.
    const QByteArray etag = compressed ? kept(file.etag.substr(0, file.etag.size() - 1)) + "-z\"" : kept(file.etag);
    Fields fields{{"ETag", etag}, {"Vary", "Accept-Encoding"}, {"Content-Security-Policy", pagePolicy},
                  {"Cross-Origin-Opener-Policy", "same-origin"}, {"Cross-Origin-Resource-Policy", "same-origin"},
                  {"Cache-Control", file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache"}};
    if (isKnown(request, etag))
        return {304, {}, {}, fields};
    if (compressed)
        fields.append(qMakePair(QByteArray("Content-Encoding"), QByteArray("gzip")));
    return {200, kept(file.type), kept(compressed ? file.gzip : file.plain), fields};
}

bool isRead(const http::Request &request)
{
    return request.method == "GET" || request.method == "HEAD";
}

// Whether Markdown is named before HTML, or without it.
bool wantsMarkdown(const http::Request &request)
{
    for (const QByteArray &type : http::listedIn(request, "accept")) {
        const QByteArray name = type.split(';').first().trimmed().toLower();
        if (name == "text/markdown" || name == "text/html")
            return name == "text/markdown";
    }
    return false;
}

bool answerWith(const http::Exchange &exchange, std::span<const web::File> files, const QByteArray &wanted)
{
    if (!isRead(exchange.request()))
        return false;
    const std::string_view path(wanted.constData(), size_t(wanted.size()));
    const auto file = std::find_if(files.begin(), files.end(), [path](const web::File &each) { return each.path == path; });
    if (file == files.end())
        return false;
    http::Response response = responseOf(exchange.request(), *file);
    if (path.starts_with("/manual")) // the same address in two types
        response.fields.append(qMakePair(QByteArray("Vary"), QByteArray("Accept")));
    exchange.reply(std::move(response));
    return true;
}

} // namespace

bool WebConsole::answer(const http::Exchange &exchange)
{
    return answerWith(exchange, web::files(), exchange.request().path);
}

bool WebConsole::answerManual(const http::Exchange &exchange)
{
    QByteArray path = exchange.request().path;
    if (path == "/manual/" && isRead(exchange.request())) { // the links of the page are relative to /manual
        http::Response elsewhere{308, "text/plain; charset=utf-8", "/manual\n"};
        elsewhere.fields.append(qMakePair(QByteArray("Location"), QByteArray("../manual")));
        exchange.reply(std::move(elsewhere));
        return true;
    }
    const bool isPage = path.startsWith("/manual") && !path.contains('.');
    if (isPage && wantsMarkdown(exchange.request()))
        path = path == "/manual" ? QByteArray("/manual/README.md") : path + ".md";
    return answerWith(exchange, web::manual(), path);
}

bool WebConsole::answerPlaces(const http::Exchange &exchange)
{
    const http::Request &request = exchange.request();
    if (request.path != "/" || !isRead(request))
        return false;
    exchange.reply({200, "text/plain; charset=utf-8",
        "Junban. This master serves no web console.\n\n/manual        the manual\n/docs          every endpoint\n"
        "/openapi.json  the same for programs\n/llms.txt      the manual's pages for programs that read\n"});
    return true;
}

} // namespace junban::api
