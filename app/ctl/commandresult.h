#pragma once

#include "core/base/result.h"

#include <QByteArray>

namespace junban::app {

// What a command may print for its result.
enum class OutputFormat { Json, Msgpack };

// The result of a job whose command printed this, as MessagePack. With Json: what is JSON and can be a result is that value, nothing is
// nil, anything else is text, or bytes when it is not UTF-8. With Msgpack: one value is that value, anything else is bytes. Errors:
// TooLarge for more than a result may have; the message is for the failure of the job.
Result<QByteArray> resultOf(const QByteArray &output, OutputFormat format);

} // namespace junban::app
