#pragma once

#include <QByteArray>

namespace junban::journal {

// The field `address` of `lead` is "<host>:<port>", or "<host>:<port>@<machine>": a loopback address means something only to masters that
// share a machine and its network, so these are named with it.
QByteArray placeOf(const QByteArray &address);
// The address of such a field, if it can be reached from here; otherwise empty.
QByteArray addressHere(const QByteArray &place);

} // namespace junban::journal
