#pragma once

#include "core/base/result.h"
#include "server/api/router.h"
#include "server/http/exchange.h"

#include <QByteArray>
#include <QList>

namespace junban::api {

struct AuthOptions {
    QByteArray consoleToken;        // the desktop window's own for this run; empty: none
    QList<QByteArray> hosts = {};   // further names this master is reached under
};

// Who may call what. While no tokens can be made, callers from this machine hold every role, and so does the console's token; anyone
// else is refused. Against browsers on other sites: the Host must be one of ours, and a change must not come from another origin.
class Auth
{
public:
    explicit Auth(AuthOptions options) : m_options(std::move(options)) {}

    struct Refusal {
        int status;
        const char *code;
        const char *detail;
    };
    // Nothing when the call may go on.
    std::optional<Refusal> check(const http::Request &request, const Route &route) const;
    // Before any route is known: whether the Host is ours.
    bool knowsHost(const QByteArray &host) const;

private:
    AuthOptions m_options;
};

} // namespace junban::api
