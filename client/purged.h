#pragma once

#include "client/apiclient.h"

#include <functional>

namespace junban::client {

// How many jobs end at once when how long they are kept is changed.
struct Purged {
    decltype(JobCounts::byState) byState{}; // starred ones, which stay, are counted too
    bool complete = true;                   // false: there may be more

    qint64 jobs() const;
};

// What a name keeps, or all names when it is empty; nothing where the settings of a name say nothing.
Retention retentionOf(const RetentionSettings &settings, const QByteArray &name);
// What jobs are kept by where `wanted` says nothing: the defaults, or, for a name, the settings for all.
Retention retentionBelow(const RetentionSettings &settings, const QByteArray &name);

// Counts, by the master's clock, the jobs that end when `wanted` takes the place of what is kept of a name, or of all names when it is
// empty. `told` is called once, not when `context` is deleted before.
void countPurged(ApiClient &client, QObject *context, const RetentionSettings &settings, const QByteArray &name, const Retention &wanted,
                 std::function<void(const Result<Purged> &)> told);

} // namespace junban::client
