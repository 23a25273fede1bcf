#pragma once

#include <QByteArrayView>

namespace junban {

// The zone that tzdata links an old name to, "America/Los_Angeles" for "US/Pacific"; empty when it links this name to none. Debian 13 and
// Ubuntu 24.04 have the old names only with the package tzdata-legacy.
QByteArrayView linkedZone(QByteArrayView name);

} // namespace junban
