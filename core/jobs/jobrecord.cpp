#include "core/base/enumof.h"
#include "core/calendar/timezone.h"
#include "core/jobs/jobfields.h"
#include "core/jobs/uniquehash.h"
#include "core/msgpack/msgpackwriter.h"

#include <QCryptographicHash>
#include <QtEndian>
#include <algorithm>
#include <bit>

// How a job is stored in Redis: the record, and the options of a push.
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

// Reads values of fixed width from the front of a record. After the bytes have run out it gives zeros, and ok() is false.
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
        || !sameFields(passiveTable, &spec, &plain)
        || !spec.windows.isEmpty() || spec.unique || !spec.dependsOn.isEmpty() || spec.expiresIn_ms > 0 || !spec.group.isEmpty()
        || !spec.pusher.isEmpty() || spec.pushed;
}

// The fields that scripts do not read, as a MessagePack map. Fields with their default values are left out.
QByteArray packExtras(const JobSpec &spec)
{
    MsgpackWriter writer;
    int pairs = 0;
    const auto key = [&](const char *name) -> MsgpackWriter & {
        ++pairs;
        return writer.text(name);
    };
    if (!spec.tags.isEmpty()) {
        key("tags").array(spec.tags.size());
        for (const QByteArray &tag : spec.tags)
            writer.text(tag);
    }
    pairs += appendFields(writer, passiveTable, &spec, Written::Whole);
    key("result_ttl_ms").integer(spec.resultTtl_ms);
    if (!spec.windows.isEmpty())
        key("windows").binary(windowsToMsgpack(spec.windows));
    if (spec.unique) {
        key("unique").array(3).text(spec.unique->key).integer(int(spec.unique->until)).integer(int(spec.unique->onConflict));
    }
    if (!spec.dependsOn.isEmpty()) {
        key("depends_on").array(1 + spec.dependsOn.size()).integer(int(spec.onDependencyFailure));
        for (const JobId &id : spec.dependsOn)
            writer.text(id.view());
    }
    if (spec.expiresIn_ms > 0)
        key("expires_in_ms").integer(spec.expiresIn_ms);
    if (!spec.group.isEmpty())
        key("group").text(spec.group);
    if (!spec.pusher.isEmpty())
        key("pusher").text(spec.pusher);
    if (spec.pushed) {
        const Settable &was = *spec.pushed;
        key("pushed").array(7).integer(was.priority).integer(was.timeout_ms).integer(was.maxRetry).integer(was.backoff.base_ms);
        writer.real(was.backoff.factor).integer(was.backoff.max_ms).real(was.backoff.jitter);
    }
    MsgpackWriter whole;
    return whole.map(pairs).raw(writer.take()).take();
}

// Calls `each` for each element of an array whose head has been read.
template<typename Each>
bool unpackArray(payload::Reader &reader, const payload::Token &array, Each each)
{
    for (quint32 i = 0; i < array.count; ++i) {
        const auto element = reader.next();
        if (!element || !each(i, *element))
            return false;
    }
    return array.type == payload::Type::Array;
}

template<typename Enum>
bool take(const payload::Token &number, Enum last, Enum &into)
{
    const std::optional<Enum> known = enumOf(number.integer, last);
    into = known.value_or(into);
    return known.has_value();
}

bool unpackExtra(payload::Reader &reader, QByteArrayView key, const payload::Token &value, JobSpec &spec)
{
    if (key == "result_ttl_ms") {
        spec.resultTtl_ms = value.integer;
    } else if (key == "expires_in_ms") {
        spec.expiresIn_ms = value.integer;
    } else if (key == "group") {
        spec.group = value.bytes.toByteArray();
    } else if (key == "pusher") {
        spec.pusher = value.bytes.toByteArray();
    } else if (key == "windows") {
        Result<QList<Window>> windows = windowsFromMsgpack(value.bytes, "windows", Zones::Any);
        if (!windows.ok())
            return false;
        spec.windows = std::move(*windows);
    } else if (key == "tags") {
        return unpackArray(reader, value, [&](quint32, const payload::Token &tag) {
            spec.tags.append(tag.bytes.toByteArray());
            return true;
        });
    } else if (key == "unique") {
        spec.unique.emplace();
        return unpackArray(reader, value, [&](quint32 at, const payload::Token &part) {
            if (at == 0)
                spec.unique->key = part.bytes.toByteArray();
            else if (at == 1)
                return take(part, UniqueUntil::Finished, spec.unique->until);
            else
                return take(part, OnConflict::Replace, spec.unique->onConflict);
            return true;
        });
    } else if (key == "pushed") {
        Settable &was = spec.pushed.emplace();
        return unpackArray(reader, value, [&](quint32 at, const payload::Token &part) {
            switch (at) {
            case 0: was.priority = qint32(part.integer); break;
            case 1: was.timeout_ms = part.integer; break;
            case 2: was.maxRetry = int(part.integer); break;
            case 3: was.backoff.base_ms = part.integer; break;
            case 4: was.backoff.factor = part.real; break;
            case 5: was.backoff.max_ms = part.integer; break;
            default: was.backoff.jitter = part.real; break;
            }
            return true;
        });
    } else if (key == "depends_on") {
        return unpackArray(reader, value, [&](quint32 at, const payload::Token &part) {
            if (at == 0)
                return take(part, OnDependencyFailure::Run, spec.onDependencyFailure);
            spec.dependsOn.append(JobId::fromBytes(part.bytes).value_or(JobId()));
            return true;
        });
    }
    return true;
}

bool unpackExtras(QByteArrayView bytes, JobSpec &spec)
{
    payload::Reader reader(bytes);
    const auto map = reader.next();
    if (!map || map->type != payload::Type::Map)
        return false;
    for (quint32 i = 0; i < map->count; ++i) {
        const auto key = reader.next();
        const auto raw = key ? reader.skip() : std::nullopt;
        if (!raw)
            return false;
        payload::Reader parts(*raw);
        const payload::Token value = *parts.next();
        Decoder in(Decoder::Of::Answer);
        if (!readField(in, key->bytes, *in.root(*raw), passiveTable, &spec) && !unpackExtra(parts, key->bytes, value, spec))
            return false;
    }
    return true;
}

// The job with its argument in canonical form and without what is of the push alone, and the same for the jobs in its `then`.
JobSpec forComparison(JobSpec spec)
{
    spec.argument = payload::canonical(spec.argument);
    spec.groupCaller = {};
    for (JobSpec &next : spec.then)
        next = forComparison(std::move(next));
    return spec;
}

} // namespace

bool isTraceparent(QByteArrayView text)
{
    constexpr qsizetype size = 55; // 00-<32 digits>-<16 digits>-<2 digits>; a later version may have more after another dash
    const auto isHex = [text](qsizetype at, qsizetype n) {
        const QByteArrayView part = text.sliced(at, n);
        return std::all_of(part.begin(), part.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    };
    const auto isZero = [text](qsizetype at, qsizetype n) {
        const QByteArrayView part = text.sliced(at, n);
        return std::all_of(part.begin(), part.end(), [](char c) { return c == '0'; });
    };
    if (text.size() < size || text.size() > limits::trace_bytes_max || text[2] != '-' || text[35] != '-' || text[52] != '-')
        return false;
    if (!isHex(0, 2) || !isHex(3, 32) || !isHex(36, 16) || !isHex(53, 2) || isZero(3, 32) || isZero(36, 16) || text.startsWith("ff"))
        return false;
    if (!std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; }))
        return false;
    return text.size() == size || (!text.startsWith("00") && text[size] == '-');
}

QByteArray JobSpec::fingerprint() const
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    JobSpec meant = forComparison(*this);
    if (tracedByRequest)
        meant.trace.clear();
    QByteArray fields = packRecord(meant);
    put(fields, static_cast<quint64>(delay_ms));
    put(fields, static_cast<quint64>(runAt_ms.value_or(-1)));
    fields += packOptions(meant);
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
        cutter.number<quint32>(); // result_ttl in seconds, for scripts; the extras have the exact value
        if (!unpackExtras(cutter.bytes(cutter.number<quint16>()), spec))
            return {};
    }
    if (!cutter.ok())
        return {};
    spec.argument = cutter.rest().toByteArray();
    return spec;
}

Reason unreadableWhy(const JobSpec &spec)
{
    const std::optional<QByteArray> zone = lostZone(spec.windows);
    return zone ? TimeZone::lost(*zone).reason : Reason();
}

QList<qint64> closedBoundaries_ms(qint64 now_ms)
{
    // Openings that end at once. There are so many that the scripts ask for more only after they have passed (core/lua/pieces/place.lua).
    return QList<qint64>(4, now_ms + limits::unreadable_again_ms);
}

QList<qint64> windowBoundaries_ms(const QList<Window> &windows, qint64 now_ms)
{
    if (lostZone(windows))
        return closedBoundaries_ms(now_ms);
    QList<qint64> boundaries = boundaries_ms(windows, now_ms, limits::window_boundaries_kept);
    if (isOpen(windows, now_ms))
        boundaries.prepend(0); // the opening, at some time in the past
    return boundaries;
}

QByteArray uniqueHash(const JobSpec &spec)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(spec.name);
    hash.addData(QByteArray(spec.unique->key.isEmpty() ? "\0a" : "\0k", 2));
    hash.addData(spec.unique->key.isEmpty() ? spec.argument : spec.unique->key);
    return hash.result().first(20).toHex();
}

QByteArray packOptions(const JobSpec &spec, std::optional<qint64> now_ms)
{
    MsgpackWriter writer;
    int pairs = 0;
    const auto key = [&](const char *name) -> MsgpackWriter & {
        ++pairs;
        return writer.text(name);
    };
    if (spec.unique) {
        static constexpr const char *conflicts[] = {"c", "j", "r"};
        key("u").text(uniqueHash(spec));
        key("n").text(spec.unique->until == UniqueUntil::Started ? "s" : "f");
        key("c").text(conflicts[int(spec.unique->onConflict)]);
    }
    if (!spec.dependsOn.isEmpty()) {
        static constexpr const char *failures[] = {"f", "c", "r"};
        QByteArray ids;
        for (const JobId &id : spec.dependsOn)
            ids += id.view();
        key("d").text(ids);
        key("f").text(failures[int(spec.onDependencyFailure)]);
    }
    if (!spec.then.empty())
        key("t").text(packPushes(spec.then));
    if (!spec.windows.isEmpty()) {
        const QList<qint64> boundaries = now_ms ? windowBoundaries_ms(spec.windows, *now_ms) : QList<qint64>();
        key("w").array(boundaries.size());
        for (const qint64 at_ms : boundaries)
            writer.integer(at_ms);
    }
    if (spec.expiresIn_ms > 0)
        key("x").integer(spec.expiresIn_ms);
    if (!spec.group.isEmpty()) {
        key("g").text(spec.group);
        if (!spec.groupCaller.token.isEmpty())
            key("k").text(spec.groupCaller.token);
        if (spec.groupCaller.onlyOwn)
            key("o").integer(1);
    }
    if (pairs == 0)
        return {};
    MsgpackWriter whole;
    return whole.map(pairs).raw(writer.take()).take();
}

QByteArray packPushes(const std::vector<JobSpec> &specs)
{
    MsgpackWriter writer;
    writer.array(qsizetype(specs.size()));
    for (const JobSpec &spec : specs) {
        writer.array(4).text(packRecord(spec)).integer(spec.runAt_ms.value_or(0)).integer(spec.delay_ms);
        writer.text(packOptions(spec));
    }
    return writer.take();
}

std::optional<std::vector<JobSpec>> unpackPushes(QByteArrayView pushes)
{
    payload::Reader reader(pushes);
    const auto list = reader.next();
    if (!list || list->type != payload::Type::Array)
        return {};
    std::vector<JobSpec> specs;
    for (quint32 i = 0; i < list->count; ++i) {
        reader.next();
        const auto record = reader.next();
        const auto runAt = reader.next();
        const auto delay = reader.next();
        const auto options = reader.next();
        std::optional<JobSpec> spec = options ? unpackRecord(record->bytes) : std::nullopt;
        if (!spec)
            return {};
        if (runAt->integer > 0)
            spec->runAt_ms = runAt->integer;
        spec->delay_ms = delay->integer;
        const auto option = [&options](const char *key) -> std::optional<payload::Token> {
            const payload::Step step[] = {{QByteArrayView(key), -1}};
            const auto raw = options->bytes.isEmpty() ? std::nullopt : payload::find(options->bytes, step);
            return raw ? payload::Reader(*raw).next() : std::nullopt;
        };
        if (const auto nested = option("t")) {
            std::optional<std::vector<JobSpec>> inner = unpackPushes(nested->bytes);
            if (!inner)
                return {};
            spec->then = std::move(*inner);
        }
        if (const auto token = option("k"))
            spec->groupCaller.token = token->bytes.toByteArray();
        spec->groupCaller.onlyOwn = option("o").has_value();
        specs.push_back(std::move(*spec));
    }
    return specs;
}

} // namespace junban
