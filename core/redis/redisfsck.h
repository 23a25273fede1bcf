#pragma once

#include "core/redis/link.h"
#include "core/redis/scripts.h"
#include "core/store/fsck.h"

#include <memory>

namespace junban::redis {

// fsck of a namespace in Redis. Contract, threads and errors as for Fsck.
class RedisFsck : public Fsck
{
public:
    // `namespaceName` must have passed RedisStore::validNamespace(). The link must outlive it.
    RedisFsck(Link &link, const QByteArray &namespaceName, ScriptClock scriptClock);
    ~RedisFsck() override;

    void look(Repair repair, QByteArray cursor, Callback<FsckReport> callback) override;
    void run(Repair repair, Callback<FsckReport> callback) override;

private:
    struct Tools;
    class Pass;
    std::shared_ptr<Tools> m_tools;
};

} // namespace junban::redis
