#pragma once

#include "server/http/message.h"

#include <QByteArray>

// What a master adds to a request that it passes on: the field `Junban-Hop: <secret> <peer> <id> <0 or 1: it may have been carried out>`.
// The secret is that of the leadership, so it vouches for the address of the caller and for the id of the request, and for nothing else:
// the caller's token is checked by the leader as ever. A request with another secret is refused: it comes from outside, or was meant for
// another master, which listened at this address before.
namespace junban::relay {

// For each request, before anybody else sees it: takes the field from it, and sets Request::hop. If the secret is this master's, the
// request gets the peer and the id that the field names. `secret` empty: none is.
void judge(http::Request &request, const QByteArray &secret);

// The request as it is sent to the leader that has this secret.
QByteArray passedOn(const http::Request &request, const QByteArray &secret, const QByteArray &id, bool isRepeated);

} // namespace junban::relay
