#pragma once

#include "core/redis/successors.h"

#include <QHash>
#include <optional>

namespace junban::redis {

// A replica as its primary sees it.
struct ReplicaState {
    bool online = false;           // it follows; else it is still being given a copy
    qint64 offset = 0;             // how much of the primary's stream it has acknowledged, bytes
    qint64 silent_s = 0;           // since it was last heard of
    quint16 port = 0;              // where it listens; 0: nowhere that is known, as tools that only read the stream do
};

// What `INFO replication persistence` tells of a server at one moment.
struct ReplicationState {
    bool primary = false;
    QByteArray history;            // master_replid: another one after each start and each promotion
    qint64 offset = 0;             // of the stream that replicas read, bytes
    QHash<QByteArray, ReplicaState> replicas; // by Endpoint::text()
    struct AppendOnlyFile {
        qint64 base_bytes = 0;     // its size when it was last rewritten
        qint64 written_bytes = 0;  // of it; what is written survives the end of the process
        qint64 waiting_bytes = 0;  // that must still be written: Redis may wait for up to 2 s while the disk is busy
        bool rewriting = false;    // or about to
    };
    std::optional<AppendOnlyFile> file; // nothing: it keeps none

    static ReplicationState fromInfo(const QByteArray &info);
    // Precondition: this was told later than `before`, by the same server. Whether all that `before` knew of is in the file.
    bool hasWrittenSince(const ReplicationState &before) const;
};

// Whom a cluster may promote in place of the node that answered `CLUSTER NODES`: its replicas, theirs, and so on, reachable or not, and
// every primary without slots, since one that has become a replica stands there as such until it is heard of.
Successors successorsInCluster(const QByteArray &nodes);

} // namespace junban::redis
