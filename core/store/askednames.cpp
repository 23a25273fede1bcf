#include "core/store/askednames.h"

#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/payload.h"

#include <algorithm>
#include <utility>

namespace junban {

namespace {

constexpr qint64 kept_ms = qint64(limits::asked_kept_s * 1000);
constexpr qint64 lately_ms = qint64(limits::asked_lately_s * 1000);

} // namespace

QByteArray AskedNames::packed() const
{
    if (names.isEmpty())
        return {};
    MsgpackWriter writer;
    writer.array(1 + 3 * names.size()).boolean(complete);
    for (const Name &each : names)
        writer.text(each.name).integer(each.askedAt_ms).integer(each.waiting);
    return writer.take();
}

AskedNames AskedNames::fromPacked(QByteArrayView packed)
{
    AskedNames asked;
    payload::Reader reader(packed);
    if (const auto list = reader.next(); !list || list->type != payload::Type::Array)
        return asked;
    if (const auto complete = reader.next())
        asked.complete = complete->boolean;
    while (!reader.atEnd() && !reader.failed()) {
        const auto name = reader.next(), askedAt = reader.next(), waiting = reader.next();
        if (waiting)
            asked.names.append({name->bytes.toByteArray(), askedAt->integer, waiting->integer});
    }
    return asked;
}

AskedFor askedFor(const QList<AskedNames> &all, const QByteArray &name)
{
    AskedFor sum;
    for (const AskedNames &asked : all) {
        sum.complete = sum.complete && asked.complete;
        for (const AskedNames::Name &each : asked.names) {
            if (!each.name.isEmpty() && each.name != name)
                continue;
            sum.waiting += each.waiting;
            sum.askedAt_ms = std::max(sum.askedAt_ms, each.askedAt_ms);
        }
    }
    return sum;
}

void AskedNamesLog::note(const QList<QByteArray> &names, qint64 now_ms)
{
    static const QByteArray all;
    m_news = true;
    if (names.isEmpty())
        noteName(all, now_ms);
    for (const QByteArray &name : names)
        noteName(name, now_ms);
}

void AskedNamesLog::noteName(const QByteArray &name, qint64 now_ms)
{
    const auto known = m_askedAt_ms.find(name);
    if (known != m_askedAt_ms.end()) {
        *known = now_ms;
        return;
    }
    if (m_askedAt_ms.size() == 2 * limits::asked_names_max)
        forgetOldest();
    m_askedAt_ms.insert(name, now_ms);
}

void AskedNamesLog::forgetOldest()
{
    QList<std::pair<qint64, QByteArray>> all;
    for (auto each = m_askedAt_ms.cbegin(); each != m_askedAt_ms.cend(); ++each)
        all.append({each.value(), each.key()});
    const auto stays = all.begin() + (all.size() - limits::asked_names_max);
    std::nth_element(all.begin(), stays, all.end());
    for (auto goes = all.begin(); goes != stays; ++goes)
        m_askedAt_ms.remove(goes->second);
    m_forgotAt_ms = stays->first;
}

std::optional<AskedNames> AskedNamesLog::news(const QHash<QByteArray, qint64> &waiting, qint64 now_ms, qint64 clock_ms)
{
    for (auto each = waiting.cbegin(); each != waiting.cend(); ++each)
        noteName(each.key(), now_ms); // a waiting claim counts as asking now
    if (m_askedAt_ms.size() > limits::asked_names_max)
        forgetOldest();
    const auto tooOld = m_askedAt_ms.removeIf([now_ms](const auto &each) { return now_ms - each.value() > kept_ms; });
    AskedNames asked;
    asked.complete = !m_forgotAt_ms || now_ms - *m_forgotAt_ms > lately_ms;
    if (!m_news && tooOld == 0 && !m_toldWaiting && asked.complete == m_toldComplete)
        return {};
    m_news = false;
    m_toldWaiting = !waiting.isEmpty();
    m_toldComplete = asked.complete;
    for (auto each = m_askedAt_ms.cbegin(); each != m_askedAt_ms.cend(); ++each)
        asked.names.append({each.key(), clock_ms - (now_ms - each.value()), waiting.value(each.key())});
    return asked;
}

} // namespace junban
