#pragma once

#include "core/base/clock.h"
#include "core/redis/link.h"
#include "core/redis/scripts.h"
#include "core/store/matcherstore.h"

#include <memory>

namespace junban::redis {

// Matchers in Redis, in the same namespace as RedisConstraints. Contract, threads and errors as for MatcherStore.
class RedisMatchers : public MatcherStore
{
public:
    // `namespaceName` must have passed RedisStore::validNamespace(). Link and clock must outlive it.
    RedisMatchers(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock);
    ~RedisMatchers() override;

    void list(QByteArray after, qint64 known, Callback<Page> callback) override;
    void save(Save save, Callback<Saved> callback) override;
    void history(QByteArray id, Callback<History> callback) override;
    void refresh(qint64 version, ConstraintParameters parameters, Callback<Done> callback) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban::redis
