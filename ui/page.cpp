#include "ui/page.h"

namespace junban::ui {

Page::Page(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent)
    : QWidget(parent)
    , m_client(client)
    , m_feed(feed)
    , m_preferences(preferences)
{
    connect(&m_feed, &Feed::arrived, this, [this] {
        if (isVisible() && ++m_beats % beats == 0)
            refresh();
    });
}

void Page::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

QString Page::fromNow(qint64 at_ms) const
{
    if (at_ms <= 0)
        return {};
    const qint64 now_ms = m_feed.now_ms();
    const QString time = format().timeToday(at_ms, now_ms);
    return at_ms <= now_ms ? time : tr("%1, in %2", "a time and a duration").arg(time, format().age(at_ms - now_ms));
}

QString Page::ago(qint64 at_ms) const
{
    if (at_ms <= 0)
        return {};
    return tr("%1 ago", "a duration").arg(format().age(std::max<qint64>(0, m_feed.now_ms() - at_ms)));
}

} // namespace junban::ui
