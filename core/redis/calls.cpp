#include "core/redis/calls.h"

#include "core/base/clock.h"
#include "core/base/reasons/store.h"
#include "core/limits.h"

#include <algorithm>

namespace junban::redis {

namespace {

constexpr int again_ms_min = 50;
constexpr int again_ms_max = 400;

} // namespace

Calls::Calls(QObject &context, Carrier carrier)
    : m_carrier(std::move(carrier))
{
    m_probe.setSingleShot(true);
    QObject::connect(&m_probe, &QTimer::timeout, &context, [this] { probe(); });
}

void Calls::run(const Script &script, QList<QByteArray> keys, QList<QByteArray> arguments, Callback<Reply> callback)
{
    QList<QByteArray> words{"FCALL", script.function.name, QByteArray::number(keys.size())};
    words.reserve(3 + keys.size() + arguments.size());
    words.append(std::move(keys));
    words.append(std::move(arguments));
    const auto call = std::make_shared<Call>(Call{&script, std::move(words), std::move(callback), Clock::monotonic_ms()});
    call->error = retryAfter(reasons::redisUnreachable(), 1);
    if (m_carrier.isUp() && !m_gated) {
        attempt(call);
        return;
    }
    m_held.push_back(call);
    if (m_gated && !m_probing && !m_probe.isActive())
        m_probe.start(0);
}

void Calls::attempt(const CallPtr &call)
{
    ++call->tries;
    m_carrier.send(call->words, [this, call](const Result<Reply> &reply) { answered(call, reply); });
}

void Calls::answered(const CallPtr &call, const Result<Reply> &reply)
{
    if (!reply.ok()) {
        hold(call, reply.error());
        return;
    }
    if (reply->isError()) {
        refused(call, *reply);
        return;
    }
    open();
    call->callback(reply);
}

void Calls::refused(const CallPtr &call, const Reply &reply)
{
    const Error error = errorOf(reply.view());
    const Trouble trouble = troubleOf(reply.view());
    if (trouble == Trouble::ServerWaits) {
        gate(error);
        hold(call, error);
        return;
    }
    open();
    switch (trouble) {
    case Trouble::NoFunction:
        load(call);
        return;
    case Trouble::NotPrimary:
    case Trouble::Moved:
        m_carrier.elsewhere(trouble, reply.view());
        hold(call, error);
        return;
    case Trouble::CallWaits:
        sleep(call, error);
        return;
    default:
        call->callback(error);
    }
}

// The server does not have the function, so nothing has run. Its library is sent, and the call right behind it. A server that is full, or
// that takes no writes now, takes no library either. Then the call is sent as a script: so it succeeds or fails as the script's flags say.
void Calls::load(const CallPtr &call)
{
    if (!m_carrier.isUp()) {
        hold(call, call->error);
        return;
    }
    QList<QByteArray> words = call->words;
    if (call->loaded) {
        words[0] = "EVAL";
        words[1] = call->script->text();
    } else {
        call->loaded = true;
        m_carrier.send({"FUNCTION", "LOAD", "REPLACE", call->script->library->text()}, [](const Result<Reply> &) {});
    }
    m_carrier.send(words, [this, call](const Result<Reply> &again) { answered(call, again); });
}

void Calls::hold(const CallPtr &call, Error error)
{
    call->error = std::move(error);
    call->loaded = false;
    if (Clock::monotonic_ms() - call->since_ms > limits::away_ms_max)
        giveUp(call);
    else
        m_held.push_back(call);
}

void Calls::sleep(const CallPtr &call, Error error)
{
    const int pause_ms = std::min(again_ms_min << std::min(call->tries - 1, 10), again_ms_max);
    call->error = std::move(error);
    call->loaded = false;
    call->awake_ms = Clock::monotonic_ms() + pause_ms;
    if (call->awake_ms - call->since_ms > limits::away_ms_max)
        giveUp(call);
    else
        m_asleep.push_back(call);
}

void Calls::giveUp(const CallPtr &call)
{
    Error error = call->error;
    if (error.code == ErrorCode::Ambiguous) // the caller may repeat the call with the same ids
        error.code = ErrorCode::StoreUnavailable;
    call->callback(std::move(error));
}

void Calls::resume()
{
    m_probing = false;
    if (m_gated) {
        probe();
        return;
    }
    while (m_carrier.isUp() && !m_held.empty()) {
        const CallPtr call = m_held.front();
        m_held.pop_front();
        attempt(call);
    }
}

void Calls::gate(const Error &why)
{
    m_why = why;
    m_probing = false;
    if (!m_gated) {
        m_gated = true;
        m_gatedSince_ms = Clock::monotonic_ms();
        m_probe_ms = again_ms_min;
    }
    if (!m_probe.isActive()) {
        m_probe.start(m_probe_ms);
        m_probe_ms = std::min(m_probe_ms * 2, again_ms_max);
    }
}

void Calls::open()
{
    m_probing = false;
    if (!m_gated)
        return;
    m_gated = false;
    m_probe.stop();
    resume();
}

void Calls::probe()
{
    if (!m_gated || m_probing || m_held.empty() || !m_carrier.isUp())
        return;
    const CallPtr call = m_held.front();
    m_held.pop_front();
    m_probing = true;
    attempt(call);
}

void Calls::tick(qint64 now_ms, const Error &why)
{
    const auto inTime = [now_ms](const CallPtr &call) { return now_ms - call->since_ms <= limits::away_ms_max; };
    const auto late = std::stable_partition(m_held.begin(), m_held.end(), inTime);
    const std::vector<CallPtr> given(late, m_held.end());
    m_held.erase(late, m_held.end());
    for (const CallPtr &call : given) {
        if (!m_gated)
            call->error = why;
        giveUp(call);
    }
    if (m_asleep.empty())
        return;
    const auto woken = std::stable_partition(
        m_asleep.begin(), m_asleep.end(), [now_ms](const CallPtr &call) { return call->awake_ms > now_ms; });
    const std::vector<CallPtr> calls(woken, m_asleep.end());
    m_asleep.erase(woken, m_asleep.end());
    for (const CallPtr &call : calls) {
        if (m_carrier.isUp() && !m_gated)
            attempt(call);
        else
            m_held.push_back(call);
    }
}

qint64 Calls::gated_ms() const
{
    return m_gated ? std::max<qint64>(1, Clock::monotonic_ms() - m_gatedSince_ms) : 0;
}

} // namespace junban::redis
