#pragma once

#include "core/journal/protocol.h"

#include <QMap>
#include <memory>

namespace junban::test {

// What the batches of leaderships were. A number of a leadership names one content.
class Contents
{
public:
    void note(const QByteArray &id, const QByteArray &n, const QByteArray &content)
    {
        const auto known = m_all.constFind({id, n});
        if (known == m_all.constEnd())
            m_all.insert({id, n}, content);
        else if (*known != content)
            ++second;
    }

    int second = 0; // how often a number had a second one

private:
    QMap<QPair<QByteArray, QByteArray>, QByteArray> m_all;
};

// A Redis without sockets: what the two functions and reads do with its keys, one request after the other.
class SimServer
{
public:
    using Keys = QMap<QByteArray, QMap<QByteArray, QByteArray>>; // a key that is no hash has one field, ""

    Keys keys;
    qint64 now_ms = 1'700'000'000'000;
    // What the functions compare. All but Whole are faults.
    enum class Fence {
        Whole,
        ClientKill,              // `apply` compares nothing, as a MULTI; who has taken closes the connections of the others
        WithoutId,               // `apply` compares n alone
        WithoutNumber,           // `apply` compares the id alone
    };
    Fence fence = Fence::Whole;
    std::shared_ptr<Contents> contents = std::make_shared<Contents>(); // servers of one namespace share it

    journal::Lead lead() const
    {
        QList<QByteArray> values;
        for (const QByteArray &field : journal::Lead::fields())
            values.append(keys.value("lead").value(field));
        return journal::Lead::of(values);
    }

    journal::Answered execute(const journal::Request &request)
    {
        switch (request.kind) {
        case journal::Request::Kind::ReadLead: return journal::LeadIs{lead()};
        case journal::Request::Kind::Take: return take(request.words);
        case journal::Request::Kind::Apply: return apply(request.words);
        case journal::Request::Kind::Read: break;
        }
        engine::Stored stored{request.words[1], {}};
        const auto fields = keys.value(request.words[1]);
        for (auto field = fields.begin(); field != fields.end(); ++field)
            stored.fields.append({field.key(), field.value()});
        return stored;
    }

private:
    journal::Answered take(const QList<QByteArray> &words)
    {
        const journal::Lead found = lead();
        const bool same = found.id == words[0]
            && (found.isMissing() || (QByteArray::number(found.n) == words[1] && QByteArray::number(found.beat) == words[2]));
        if (!same || found.layout > words[4].toInt())
            return journal::Fenced{found};
        auto &record = keys["lead"];
        record["id"] = words[3];
        record["n"] = record["base"] = QByteArray::number(found.n);
        record["beat"] = "0";
        record["term"] = QByteArray::number(found.term + 1);
        record["layout"] = words[4];
        record["address"] = words[5];
        record.remove("gone");
        return journal::Taken{now_ms, lead()};
    }

    journal::Answered apply(const QList<QByteArray> &words)
    {
        const journal::Lead found = lead();
        const bool otherId = fence != Fence::WithoutId && found.id != words[0];
        const bool otherNumber = fence != Fence::WithoutNumber && QByteArray::number(found.n) != words[1];
        if (fence != Fence::ClientKill && (otherId || otherNumber))
            return journal::Fenced{found};
        if (words[2] == words[1]) {
            keys["lead"]["beat"] = words[3];
            return journal::Confirmed{now_ms};
        }
        contents->note(words[0], words[2], words.mid(3).join('\n'));
        for (qsizetype at = 4; at < words.size();) {
            const QByteArray &verb = words[at];
            const QByteArray &key = words[at + 1];
            const qsizetype count = words[at + 2].toLongLong();
            const QList<QByteArray> rest = words.mid(at + 3, count);
            if (verb == "DEL")
                keys.remove(key);
            else if (verb == "SET")
                keys[key] = {{QByteArray(), rest[0]}};
            for (qsizetype i = 0; verb == "HSET" && i < count; i += 2)
                keys[key][rest[i]] = rest[i + 1];
            for (qsizetype i = 0; verb == "HDEL" && i < count; ++i)
                keys[key].remove(rest[i]);
            if (keys.contains(key) && keys[key].isEmpty())
                keys.remove(key);
            at += 3 + count;
        }
        keys["lead"]["n"] = words[2];
        keys["lead"]["at"] = words[3];
        return journal::Confirmed{now_ms};
    }
};

// A memory that holds keys as Redis does. `segs` names its other keys.
class SimMemory : public journal::Memory
{
public:
    SimServer::Keys keys;
    int begun = 0;
    int forgotten = 0;
    Result<Done> derived = Done();

    // A decision: one field of one key.
    engine::Writes set(const QByteArray &key, const QByteArray &field, const QByteArray &value)
    {
        engine::Writes writes;
        if (!keys.value("segs").contains(key))
            writes.setField("segs", key, "1");
        keys["segs"][key] = "1";
        keys[key][field] = value;
        writes.setField(key, field, value);
        return writes;
    }

    QList<engine::WantedKey> begin(qint64) override
    {
        keys.clear();
        ++begun;
        return {{"segs", true}};
    }
    Result<QList<engine::WantedKey>> read(const engine::Stored &stored) override
    {
        QList<engine::WantedKey> more;
        for (const engine::Stored::Field &field : stored.fields) {
            keys[stored.key][field.field] = field.value;
            if (stored.key == "segs")
                more.append({field.field, true});
        }
        return more;
    }
    Result<Done> complete() override { return derived; }
    void forget() override
    {
        keys.clear();
        ++forgotten;
    }
};

} // namespace junban::test
