#include "core/redis/replication.h"

#include <algorithm>

namespace junban::redis {

namespace {

// "ip=127.0.0.1,port=6380,state=online,offset=14,lag=0"
void addReplica(const QByteArray &line, QHash<QByteArray, ReplicaState> &replicas)
{
    QHash<QByteArray, QByteArray> fields;
    for (const QByteArray &field : line.split(','))
        fields[field.left(field.indexOf('='))] = field.mid(field.indexOf('=') + 1);
    QByteArray name = Endpoint{fields["ip"], fields["port"].toUShort()}.text();
    while (replicas.contains(name)) // replicas that announce no port may have equal addresses
        name += '+';
    replicas[name] = {fields["state"] == "online", fields["offset"].toLongLong(), fields["lag"].toLongLong(), fields["port"].toUShort()};
}

bool isReplicaLine(const QByteArray &key)
{
    return key.startsWith("slave") && key.size() > 5 && key[5] >= '0' && key[5] <= '9';
}

} // namespace

ReplicationState ReplicationState::fromInfo(const QByteArray &info)
{
    ReplicationState state;
    AppendOnlyFile file;
    bool kept = false;
    for (const QByteArray &line : info.split('\n')) {
        const qsizetype colon = line.indexOf(':');
        if (colon < 0)
            continue;
        const QByteArray key = line.first(colon);
        const QByteArray value = line.mid(colon + 1).trimmed();
        if (key == "role")
            state.primary = value == "master";
        else if (key == "master_replid")
            state.history = value;
        else if (key == "master_repl_offset")
            state.offset = value.toLongLong();
        else if (isReplicaLine(key))
            addReplica(value, state.replicas);
        else if (key == "aof_enabled")
            kept = value == "1";
        else if (key == "aof_rewrite_in_progress" || key == "aof_rewrite_scheduled")
            file.rewriting = file.rewriting || value == "1";
        else if (key == "aof_base_size")
            file.base_bytes = value.toLongLong();
        else if (key == "aof_current_size")
            file.written_bytes = value.toLongLong();
        else if (key == "aof_buffer_length")
            file.waiting_bytes = value.toLongLong();
    }
    if (kept)
        state.file = file;
    return state;
}

bool ReplicationState::hasWrittenSince(const ReplicationState &before) const
{
    if (!file || !before.file || file->waiting_bytes == 0)
        return true;
    // After a rewrite the sizes cannot be compared; then it takes until the buffer is empty.
    return file->base_bytes == before.file->base_bytes && file->written_bytes >= before.file->written_bytes + before.file->waiting_bytes;
}

namespace {

// Whether a line of CLUSTER NODES has slots. They come after eight words; "[slot-<-node]" is a slot that the node is about to get.
bool hasSlots(const QList<QByteArray> &words)
{
    return std::any_of(words.begin() + std::min<qsizetype>(8, words.size()), words.end(), [](const QByteArray &word) {
        return !word.isEmpty() && !word.startsWith('[');
    });
}

} // namespace

// <id> <ip:port@cport[,hostname]> <flags> <primary's id> <ping> <pong> <epoch> <link> [<slots>…]
Successors successorsInCluster(const QByteArray &nodes)
{
    struct Node {
        QByteArray id, primary;
        Endpoint at;
        bool never;
    };
    Successors found{Successors::Chooser::Cluster, {}, {}};
    QList<Node> replicas;
    QList<QByteArray> primaries;
    for (const QByteArray &line : nodes.split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        if (words.size() < 4)
            continue;
        const QList<QByteArray> flags = words[2].split(',');
        const QByteArray address = words[1].left(words[1].indexOf('@'));
        const qsizetype colon = address.lastIndexOf(':');
        const Endpoint at{address.left(colon), address.mid(colon + 1).toUShort()};
        if (flags.contains("myself")) {
            primaries.append(words[0]);
        } else if (flags.contains("slave")) {
            replicas.append({words[0], words[3], at, flags.contains("nofailover")});
        } else if (flags.contains("master") && !hasSlots(words)) { // it may be a replica by now, and this node has not heard of it yet
            primaries.append(words[0]);
            found.servers.append(at);
        }
    }
    for (qsizetype i = 0; i < primaries.size(); ++i) {
        for (const Node &node : std::as_const(replicas)) {
            if (node.primary == primaries[i] && !primaries.contains(node.id)) {
                primaries.append(node.id);
                (node.never ? found.never : found.servers).append(node.at);
            }
        }
    }
    return found;
}

} // namespace junban::redis
