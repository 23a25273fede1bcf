#pragma once

#include "core/base/clock.h"
#include "core/redis/link.h"
#include "core/redis/scripts.h"
#include "core/store/operationstore.h"

#include <memory>

namespace junban::redis {

// Frozen views and operations in Redis. Contract, threads and errors as for OperationStore.
class RedisOperations : public OperationStore
{
public:
    // `namespaceName` must have passed RedisStore::validNamespace(). Link and clock must outlive it.
    RedisOperations(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock);
    ~RedisOperations() override;

    void freeze(FreezeItem item, Callback<qint64> callback) override;
    void freezeState(FreezeStateItem item, Callback<FrozenState> callback) override;
    void view(QByteArray id, qint64 offset, int limit, Callback<ViewPage> callback) override;
    void keep(QByteArray view, qint64 count) override;
    void views(Callback<ViewList> callback) override;
    void drop(QByteArray view, Callback<Done> callback) override;
    void viewStates(QByteArray id, qint64 offset, int limit, Callback<ViewStates> callback) override;
    void save(OperationSave save, Callback<Done> callback) override;
    void change(OperationChange change, Callback<Done> callback) override;
    void get(QByteArray id, Callback<BulkOperation> callback) override;
    void list(Callback<OperationList> callback) override;
    void skipped(QByteArray id, qint64 offset, int limit, Callback<SkippedPage> callback) override;
    void free(Callback<QList<QByteArray>> callback) override;
    void operate(OperateItem item, Callback<Operated> callback) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban::redis
