#pragma once

#include "ui/feed.h"
#include "ui/preferences.h"

#include <QWidget>
#include <functional>

namespace junban::ui {

// What the screens beside the jobs have in common: each asks the master again with the feed while it can be seen, keeps what it
// knows when an answer fails, and tells the window what an operator did.
class Page : public QWidget
{
    Q_OBJECT

public:
    Page(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);

    // Asks again now, unless the answer before has not come yet.
    virtual void refresh() = 0;

    static constexpr int beats = 2; // of the feed, between two looks

Q_SIGNALS:
    void openJobRequested(const junban::JobId &id);
    void jobsRequested(const QByteArray &name, junban::JobState state);
    // As JobActions::done.
    void done(const QString &text, const QString &offer, const std::function<void()> &act);
    void failed(const QString &text);

protected:
    void showEvent(QShowEvent *event) override;
    // A moment and how far it is away: "02:30:00, in 3 h".
    QString fromNow(qint64 at_ms) const;
    QString ago(qint64 at_ms) const;
    Format format() const { return m_preferences.format(); }

    client::ApiClient &m_client;
    Feed &m_feed;
    Preferences &m_preferences;

private:
    int m_beats = 0;
};

} // namespace junban::ui
