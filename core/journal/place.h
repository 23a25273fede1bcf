#pragma once

#include <QByteArray>

namespace junban::journal {

// The field `address` of `lead`: "<host>:<port>@<machine>". A loopback address means something only to masters that share a machine and its
// network, so these are named with it.
QByteArray placeOf(const QByteArray &address);
// The address of a place, if it can be reached from here; empty otherwise. An address without a machine can be reached from anywhere.
QByteArray addressHere(const QByteArray &place);

} // namespace junban::journal
