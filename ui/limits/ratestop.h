#pragma once

#include "client/apiclient.h"
#include "core/limits/matcher.h"

#include <functional>

namespace junban::ui {

// What has started at a rate counts at the new one after an edit. So a rate that is lowered may stop its jobs until that is paid for.

// Reads what has started, and says the longest stop among the rates, or 0, also when it cannot be read. Where no rate is lowered,
// nothing is read, and `told` is called at once.
void readRateStop(client::ApiClient &client, QObject *context, const JobMatcher &before, const JobMatcher &after,
                  std::function<void(qint64 stop_ms)> told);
// "… may not start for up to 11 m …"
QString rateStopText(const QString &duration);

} // namespace junban::ui
