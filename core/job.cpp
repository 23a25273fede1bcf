#include "core/job.h"

#include "core/msgpackwriter.h"

#include <QCryptographicHash>
#include <QtEndian>
#include <algorithm>
#include <bit>
#include <cmath>

namespace junban {

namespace {

constexpr quint8 recordFormat = 1;
constexpr quint8 flagKeepResult = 1;
constexpr quint8 flagExtras = 2;

template<typename T>
void put(QByteArray &out, T value)
{
    const T little = qToLittleEndian(value);
    out.append(reinterpret_cast<const char *>(&little), sizeof little);
}

void putReal(QByteArray &out, double value)
{
    put(out, std::bit_cast<quint64>(value));
}

// Takes fixed-width values from the front of a record; after a short read everything is zero and ok() is false.
class Cutter
{
public:
    explicit Cutter(QByteArrayView bytes) : m_bytes(bytes) {}

    template<typename T>
    T number()
    {
        const QByteArrayView taken = bytes(sizeof(T));
        return m_ok ? qFromLittleEndian<T>(taken.data()) : T();
    }
    double real() { return std::bit_cast<double>(number<quint64>()); }
    QByteArrayView bytes(qsizetype count)
    {
        if (!m_ok || count > m_bytes.size()) {
            m_ok = false;
            return {};
        }
        const QByteArrayView taken = m_bytes.first(count);
        m_bytes = m_bytes.sliced(count);
        return taken;
    }
    QByteArrayView rest() const { return m_bytes; }
    bool ok() const { return m_ok; }

private:
    QByteArrayView m_bytes;
    bool m_ok = true;
};

bool hasExtras(const JobSpec &spec)
{
    static const JobSpec plain;
    return !(spec.backoff == plain.backoff) || !spec.tags.isEmpty() || spec.resultTtl_ms != plain.resultTtl_ms
        || !spec.trace.isEmpty();
}

// What scripts need not read, as a MessagePack map.
QByteArray packExtras(const JobSpec &spec)
{
    MsgpackWriter writer;
    writer.map(3).text("tags").array(spec.tags.size());
    for (const QByteArray &tag : spec.tags)
        writer.text(tag);
    writer.text("trace").text(spec.trace).text("result_ttl_ms").integer(spec.resultTtl_ms);
    return writer.take();
}

bool unpackExtras(QByteArrayView bytes, JobSpec &spec)
{
    payload::Reader reader(bytes);
    const auto map = reader.next();
    if (!map || map->type != payload::Type::Map)
        return false;
    for (quint32 i = 0; i < map->count; ++i) {
        const auto key = reader.next();
        if (!key)
            return false;
        const auto value = reader.next();
        if (!value)
            return false;
        if (key->bytes == "trace") {
            spec.trace = value->bytes.toByteArray();
        } else if (key->bytes == "result_ttl_ms") {
            spec.resultTtl_ms = value->integer;
        } else if (key->bytes == "tags") {
            for (quint32 tag = 0; tag < value->count; ++tag) {
                const auto text = reader.next();
                if (!text)
                    return false;
                spec.tags.append(text->bytes.toByteArray());
            }
        }
    }
    return true;
}

} // namespace

const char *stateWord(JobState state)
{
    switch (state) {
    case JobState::Scheduled: return "scheduled";
    case JobState::Depends: return "depends";
    case JobState::Ready: return "ready";
    case JobState::Running: return "running";
    case JobState::Awaiting: return "awaiting";
    case JobState::Succeeded: return "succeeded";
    case JobState::Failed: return "failed";
    case JobState::Cancelled: return "cancelled";
    }
    return "ready";
}

std::optional<JobState> stateFromWord(QByteArrayView word)
{
    for (int value = 1; value <= 8; ++value) {
        const auto state = static_cast<JobState>(value);
        if (word == stateWord(state))
            return state;
    }
    return {};
}

qint64 Backoff::delay_ms(int failures, double uniform) const
{
    const double shaped = static_cast<double>(base_ms) * std::pow(factor, std::max(0, failures - 1));
    const double capped = std::min(static_cast<double>(max_ms), shaped);
    return static_cast<qint64>(std::floor(capped * (1 + uniform * jitter)));
}

QByteArray JobSpec::fingerprint() const
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    QByteArray fields = packRecord(*this);
    put(fields, static_cast<quint64>(delay_ms));
    put(fields, static_cast<quint64>(runAt_ms.value_or(-1)));
    hash.addData(fields);
    return hash.result().first(16);
}

QByteArray packRecord(const JobSpec &spec)
{
    const bool extras = hasExtras(spec);
    QByteArray out;
    out.reserve(13 + spec.name.size() + (extras ? 160 : 0) + spec.argument.size());
    put(out, recordFormat);
    put(out, static_cast<quint8>((spec.keepResult ? flagKeepResult : 0) | (extras ? flagExtras : 0)));
    put(out, static_cast<quint32>(spec.priority));
    put(out, static_cast<quint32>(spec.timeout_ms));
    put(out, static_cast<quint16>(spec.maxRetry));
    put(out, static_cast<quint8>(spec.name.size()));
    out.append(spec.name);
    if (extras) {
        put(out, static_cast<quint32>(spec.backoff.base_ms));
        putReal(out, spec.backoff.factor);
        put(out, static_cast<quint32>(spec.backoff.max_ms));
        putReal(out, spec.backoff.jitter);
        put(out, static_cast<quint32>((spec.resultTtl_ms + 999) / 1000));
        const QByteArray rest = packExtras(spec);
        put(out, static_cast<quint16>(rest.size()));
        out.append(rest);
    }
    out.append(spec.argument);
    return out;
}

std::optional<JobSpec> unpackRecord(QByteArrayView record)
{
    Cutter cutter(record);
    JobSpec spec;
    if (cutter.number<quint8>() != recordFormat)
        return {};
    const auto flags = cutter.number<quint8>();
    spec.keepResult = flags & flagKeepResult;
    spec.priority = static_cast<qint32>(cutter.number<quint32>());
    spec.timeout_ms = cutter.number<quint32>();
    spec.maxRetry = cutter.number<quint16>();
    spec.name = cutter.bytes(cutter.number<quint8>()).toByteArray();
    if (flags & flagExtras) {
        spec.backoff.base_ms = cutter.number<quint32>();
        spec.backoff.factor = cutter.real();
        spec.backoff.max_ms = cutter.number<quint32>();
        spec.backoff.jitter = cutter.real();
        cutter.number<quint32>(); // result_ttl in seconds, for scripts; the exact one is among the extras
        if (!unpackExtras(cutter.bytes(cutter.number<quint16>()), spec))
            return {};
    }
    if (!cutter.ok())
        return {};
    spec.argument = cutter.rest().toByteArray();
    return spec;
}

} // namespace junban
