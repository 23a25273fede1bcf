#pragma once

#include "core/base/result.h"

#include <QUrl>

namespace junban::app {

// The URL of a master as people write it: http://host:port, https://…, unix:/path; also without a scheme, as host, host:port, [::1]:port or
// the path of a socket. Without a scheme the port is 7717. Errors: InvalidField; the message follows the name of what was read.
Result<QUrl> masterUrl(const QByteArray &text);

} // namespace junban::app
