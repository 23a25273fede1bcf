#include "core/jobs/outcome.h"

#include "core/msgpack/msgpackwriter.h"

namespace junban {

const char *failureReasonWord(FailureReason reason)
{
    return reason == FailureReason::Timeout ? "timeout" : "other";
}

QByteArray Outcome::packed() const
{
    MsgpackWriter writer;
    if (type == OutcomeType::Success) {
        writer.map(3).text("type").text("success").text("finished_at").text(finishedAt).text("result").raw(result);
    } else {
        writer.map(6).text("type").text("failure").text("reason").text(failureReasonWord(reason));
        writer.text("finished_at").text(finishedAt).text("should_retry").boolean(shouldRetry);
        writer.text("error").raw(error).text("message").text(message);
    }
    return writer.take();
}

} // namespace junban
