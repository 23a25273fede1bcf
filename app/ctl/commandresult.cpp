#include "app/ctl/commandresult.h"

#include "core/base/reasons/ctl.h"
#include "core/limits.h"
#include "core/msgpack/json.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/payload.h"

namespace junban::app {

namespace {

// As the master checks it, with the bytes before a text.
bool canBeResult(const QByteArray &value)
{
    return value.size() <= limits::result_bytes_max && payload::validate(value).ok();
}

} // namespace

Result<QByteArray> resultOf(const QByteArray &output, OutputFormat format)
{
    const bool isJson = format == OutputFormat::Json;
    if (isJson && output.trimmed().isEmpty())
        return QByteArray(payload::nil);
    Result<QByteArray> value = isJson ? json::toMsgpack(output) : Result<QByteArray>(output);
    if (value.ok() && canBeResult(*value))
        return value;
    const QByteArray text = isJson && output.isValidUtf8() ? MsgpackWriter().text(output).take() : MsgpackWriter().binary(output).take();
    if (canBeResult(text))
        return text;
    return reasons::outputTooLarge(limits::result_bytes_max - (text.size() - output.size()));
}

} // namespace junban::app
