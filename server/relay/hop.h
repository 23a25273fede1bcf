#pragma once

#include "server/http/message.h"

#include <QByteArray>

// What a master adds to a request that it passes on: the field `Junban-Hop: <secret> <peer>`. The secret is that of the leadership, so it
// vouches for the address of the caller, and for nothing else: the caller's token is checked by the leader as ever. A request with another
// secret is refused: it comes from outside, or was meant for another master, which listened at this address before.
namespace junban::relay {

enum class Hop { None, Vouched, Foreign };

// For each request, before anybody else sees it: if the secret is this master's, the request gets the peer that the field names.
// `secret` empty: none is. Afterwards the field says no more than hopOf().
void judge(http::Request &request, const QByteArray &secret);
// After judge().
Hop hopOf(const http::Request &request);

// The request as it is sent to the leader that has this secret.
QByteArray passedOn(const http::Request &request, const QByteArray &secret);

} // namespace junban::relay
