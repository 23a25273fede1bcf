#include "core/redis/serverwatch.h"

#include "core/base/clock.h"

#include <QPointer>
#include <algorithm>

namespace junban::redis {

ServerWatch::ServerWatch(Link &link, std::shared_ptr<ServerNotice> notice, QObject *parent)
    : QObject(parent)
    , m_link(link)
    , m_notice(std::move(notice))
{
    m_timer.setInterval(look_ms);
    connect(&m_timer, &QTimer::timeout, this, &ServerWatch::look);
    connect(&m_link, &Link::stateChanged, this, [this](LinkState state) {
        if (state == LinkState::Up)
            look();
    });
    m_timer.start();
    m_ranAt_ms = Clock::monotonic_ms();
    look();
}

// A process that was stopped, or a machine that slept, has heard no answer either. That says nothing of the server.
void ServerWatch::noteGap()
{
    const qint64 now_ms = Clock::monotonic_ms();
    m_stopped_ms += std::max<qint64>(0, now_ms - m_ranAt_ms - look_ms);
    m_ranAt_ms = now_ms;
}

void ServerWatch::look()
{
    noteGap();
    if (m_looking || m_link.state() != LinkState::Up)
        return;
    m_looking = true;
    m_link.command({"INFO"}, [this, self = QPointer<ServerWatch>(this)](const Result<Reply> &info) {
        if (!self)
            return;
        m_looking = false;
        if (info.ok() && !info->isError())
            answered(info->bytes());
    });
}

void ServerWatch::answered(const QByteArray &info)
{
    const auto valueOf = [&info](QByteArrayView name) -> QByteArray {
        const qsizetype at = info.indexOf("\n" + name.toByteArray() + ':');
        if (at < 0)
            return {};
        const qsizetype from = at + name.size() + 2;
        return info.mid(from, info.indexOf('\n', from) - from).trimmed();
    };
    noteGap();
    const qint64 now_ms = m_ranAt_ms;
    const QByteArray run = valueOf("run_id");
    const bool restarted = !m_run.isEmpty() && !run.isEmpty() && run != m_run;
    const qint64 away_ms = m_answeredAt_ms > 0 ? now_ms - m_answeredAt_ms - m_stopped_ms : 0;
    if (restarted || away_ms >= away_ms_min)
        m_notice->noteReturn(Clock::machine_ms(), away_ms, restarted);
    m_run = run;
    m_answeredAt_ms = now_ms;
    m_stopped_ms = 0;
    m_notice->noteServer(Clock::machine_ms() - valueOf("uptime_in_seconds").toLongLong() * 1000, valueOf("used_memory").toLongLong(),
        valueOf("maxmemory").toLongLong());
}

} // namespace junban::redis
