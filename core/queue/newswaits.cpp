#include "core/queue/newswaits.h"

#include "core/base/clock.h"
#include "core/base/reasons/store.h"
#include "core/limits.h"

#include <algorithm>
#include <vector>

namespace junban {

namespace {

News newsSince(qint64 since, const LastChanges &last)
{
    News news{last.revision(), {}};
    const qint64 from = since > news.revision ? -1 : since;
    for (size_t topic = 0; topic < last.at.size(); ++topic) {
        if (last.at[topic] > from)
            news.changed.append(Topic(topic));
    }
    return news;
}

} // namespace

NewsWaits::NewsWaits(ChangeStore &store, QObject *parent)
    : QObject(parent)
    , m_store(store)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &NewsWaits::look);
}

NewsWaits::WaitId NewsWaits::wait(qint64 since, qint64 wait_ms, std::function<bool()> mayWait, Callback<News> callback)
{
    const WaitId id = ++m_lastWait;
    m_waits.emplace(id, Wait{since, Clock::monotonic_ms() + (m_draining ? 0 : wait_ms), std::move(mayWait), std::move(callback)});
    if (!m_looking && !m_timer.isActive())
        plan(0);
    return id;
}

void NewsWaits::stopWaiting()
{
    m_draining = true;
    for (auto &[id, wait] : m_waits)
        wait.until_ms = 0;
    if (!m_waits.empty() && !m_looking)
        plan(0);
}

void NewsWaits::plan(int pause_ms)
{
    const qint64 now_ms = Clock::monotonic_ms();
    m_next_ms = std::max(m_next_ms, now_ms + pause_ms);
    m_timer.start(int(m_next_ms - now_ms));
}

void NewsWaits::look()
{
    if (m_waits.empty())
        return;
    m_looking = true;
    m_store.lastChanges([this, alive = std::weak_ptr(m_life)](const Result<LastChanges> &last) {
        if (alive.expired())
            return;
        m_looking = false;
        tell(last);
    });
}

void NewsWaits::tell(const Result<LastChanges> &last)
{
    const qint64 now_ms = Clock::monotonic_ms();
    std::vector<std::pair<Callback<News>, Result<News>>> answers; // called last: a callback may begin to wait, or give up another
    bool told = false;
    for (auto wait = m_waits.begin(); wait != m_waits.end();) {
        Result<News> news = last.ok() ? Result<News>(newsSince(wait->second.since, *last)) : Result<News>(last.error());
        if (!wait->second.mayWait())
            news = reasons::tokenEndedWhileWaiting();
        if (news.ok() && news->changed.isEmpty() && wait->second.until_ms > now_ms) {
            ++wait;
            continue;
        }
        told = told || (news.ok() && !news->changed.isEmpty());
        answers.emplace_back(std::move(wait->second.callback), news);
        wait = m_waits.erase(wait);
    }
    m_next_ms = now_ms + (told ? limits::changes_pause_ms : limits::changes_look_ms);
    if (!m_waits.empty())
        plan(0);
    for (const auto &[callback, news] : answers)
        callback(news);
}

} // namespace junban
