#pragma once

#include "core/base/clock.h"
#include "core/base/isotime.h"
#include "core/jobs/jobcalls.h"
#include "core/msgpack/json.h"
#include "core/msgpack/msgpackwriter.h"

#include <QJsonDocument>

// The work of both C++ samples: {pages} becomes twice as many pages.
inline junban::Outcome run(const junban::ClaimedJob &job)
{
    junban::Outcome outcome;
    outcome.finishedAt = junban::isoTime(junban::Clock::machine_ms());
    const QJsonValue pages = QJsonDocument::fromJson(junban::json::fromMsgpack(job.spec.argument))[QLatin1String("pages")];
    if (pages.isDouble()) {
        junban::MsgpackWriter result;
        outcome.result = result.map(1).text("pages").integer(2 * qint64(pages.toDouble())).take();
        return outcome;
    }
    outcome.type = junban::OutcomeType::Failure;
    outcome.shouldRetry = false;
    outcome.message = "no pages";
    return outcome;
}
