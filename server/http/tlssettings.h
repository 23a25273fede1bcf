#pragma once

#include "core/base/changeable.h"

#include <QSslConfiguration>

namespace junban::http {

// How the servers that share it speak TLS. When it is changed while they serve, connections that come later go by the new one.
using TlsSettings = Changeable<QSslConfiguration>;

} // namespace junban::http
