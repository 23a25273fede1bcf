#pragma once

#include "core/redis/successors.h"

#include <QHash>
#include <optional>

namespace junban::redis {

// A replica as its primary sees it.
struct ReplicaState {
    bool online = false;           // it follows the primary; false: it is still getting its first copy
    qint64 offset = 0;             // how many bytes of the primary's stream it has acknowledged
    qint64 silent_s = 0;           // how long nothing was heard of it
    quint16 port = 0;              // where it listens; 0: unknown, as for tools that only read the stream
};

// The state of a server at one moment, as `INFO replication persistence` shows it.
struct ReplicationState {
    bool primary = false;
    QByteArray history;            // master_replid: a new one after each start and each promotion
    qint64 offset = 0;             // how many bytes the stream has that replicas read
    QHash<QByteArray, ReplicaState> replicas; // by Endpoint::text()
    struct AppendOnlyFile {
        qint64 base_bytes = 0;     // its size after the last rewrite
        qint64 written_bytes = 0;  // its size now; these bytes survive the end of the process
        qint64 waiting_bytes = 0;  // bytes still to be written: Redis may wait for up to 2 s while the disk is busy
        bool rewriting = false;    // a rewrite is under way or scheduled
    };
    std::optional<AppendOnlyFile> file; // nothing: the server has none

    static ReplicationState fromInfo(const QByteArray &info);
    // Whether everything that the server had at `before` has been written to the file. Precondition: this state is a later one of the same
    // server.
    bool hasWrittenSince(const ReplicationState &before) const;
};

// The servers that a cluster may promote in place of the node that answered `CLUSTER NODES`: its replicas, their replicas and so on,
// reachable or not. Primaries without slots count too, with their replicas: a node that has just become a replica is listed as a primary
// until the news has spread, and so is the former primary of a replica that was away.
Successors successorsInCluster(const QByteArray &nodes);

} // namespace junban::redis
