#pragma once

#include "client/calls.h"
#include "core/limits/limitanswers.h"
#include "core/limits/limitrequests.h"

namespace junban::client {

using answers::BreakerChanged;
using answers::Bucket;
using answers::BucketPage;
using answers::ConstraintPage;
using answers::Explanation;
using answers::Gate;
using answers::GateStatus;
using answers::Held;
using answers::HeldList;
using answers::LiveConstraint;
using answers::SavedMatcher;
using junban::BreakerQuery;
using junban::BreakerVerb;

// Constraints, how much they are used, and what they hold.
class ConstraintCalls : Calls
{
public:
    using Calls::Calls;

    CallId constraints(int limit, const QByteArray &after, Takes<ConstraintPage> auto callback)
    {
        return get(QStringLiteral("/v1/constraints"), pageQuery(limit, "after", after), answers::constraintPageTable, std::move(callback));
    }
    CallId buckets(const QByteArray &constraint, const QByteArray &cursor, Takes<BucketPage> auto callback)
    {
        const Query from = cursor.isEmpty() ? Query() : Query{{QStringLiteral("cursor"), cursor}};
        return get(path(constraint, "/buckets"), from, answers::bucketPageTable, std::move(callback));
    }
    // Gives one key other parameters, in a packed map; an empty map ends that. It edits the constraint's matcher, whose revision this is.
    CallId overrideBucket(
        const QByteArray &constraint, const QByteArray &key, const QByteArray &fields, qint64 revision, Takes<SavedMatcher> auto callback)
    {
        const QString bucket = path(constraint) + namedPath("/buckets/", key);
        return put(bucket, fields, answers::savedMatcherTable, std::move(callback), onlyAt(revision));
    }
    CallId changeBreaker(const QByteArray &constraint, const BreakerQuery &query, Takes<BreakerChanged> auto callback)
    {
        const char *verb = query.verb == BreakerVerb::Trip ? "/trip" : "/reset";
        const QByteArray body = pack(breakerTable(query.verb), query, Written::Sparse);
        return post(path(constraint, verb), body, answers::breakerChangedTable, std::move(callback));
    }
    CallId held(int limit, Takes<HeldList> auto callback)
    {
        return get(QStringLiteral("/v1/held"), pageQuery(limit, "after", {}), answers::heldTable, std::move(callback));
    }
    CallId explain(JobId id, Takes<Explanation> auto callback)
    {
        return get(jobPath(id, "/explain"), answers::explanationTable, std::move(callback));
    }

private:
    static QString path(const QByteArray &constraint, const char *verb = "") { return namedPath("/v1/constraints/", constraint, verb); }
};

} // namespace junban::client
