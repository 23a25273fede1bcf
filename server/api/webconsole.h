#pragma once

#include "server/http/exchange.h"

#include <QByteArray>

namespace junban::api {

// The files of the web console (web/files.h). They are no operations of the API: programs do not ask for them, and so the document leaves
// them out. Everyone gets them, for they hold nothing but the program; what it shows comes from the API.
class WebConsole
{
public:
    // Answers when the request is for one of the files. Returns whether it did.
    static bool answer(const http::Exchange &exchange);
    // The same of the manual's pages: as HTML, or as they are written for who asks for text/markdown first.
    static bool answerManual(const http::Exchange &exchange);
    // Where things are, at `/` of a master that serves no console.
    static bool answerPlaces(const http::Exchange &exchange);
};

// The policy of pages: they load and fetch from this master alone, and no text becomes markup or script.
extern const char pagePolicy[];

} // namespace junban::api
