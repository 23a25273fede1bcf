#pragma once

#include "ui/base/feed.h"
#include "ui/base/preferences.h"

#include <QWidget>
#include <functional>

QT_BEGIN_NAMESPACE
class QAction;
class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QMenu;
QT_END_NAMESPACE

namespace junban::ui {

class EmptyState;
class RecordList;

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

    // A table over its detail, below what stands at the head.
    enum class Detail { Shown, UntilChosen }; // UntilChosen: hidden at first
    void arrange(const QList<QWidget *> &heads, RecordList *list, QWidget *detail, Detail shown);
    // What a detail is of, in bold, and what else there is to say of it, faint. Either is cut rather than making the pane wider.
    QLabel *titleLabel(QWidget *box) const;
    static QLabel *aboutLabel(QWidget *box);
    // A line at the head, with the distances of all pages.
    QHBoxLayout *headLine(QWidget *box) const;
    // The menu of the table's rows; it does not come while none of it can be done.
    QMenu *offer(RecordList *list, const QList<QAction *> &actions);
    // The same as buttons.
    static void addButtons(QBoxLayout *layout, const QList<QAction *> &actions, QWidget *box);

    // Whether an answer brought something to show. When none ever did, it says why; else the last known stays, and the window says
    // that it is old.
    template<typename T>
    bool learned(const Result<T> &answer)
    {
        if (answer.ok()) {
            m_known = true;
            m_error.reset();
        } else if (!m_known) {
            m_error = answer.error();
        }
        return answer.ok();
    }
    // Whether nothing is known yet, which the empty state says then. `unreadable`: "The schedules could not be read".
    bool saidUnknown(EmptyState *empty, const QString &unreadable) const;
    bool unreadable() const { return m_error.has_value(); }
    // Says what came of an operator's act, and asks the master how things are now.
    template<typename T>
    void acted(const Result<T> &answer, const QString &text, const QString &offer = {}, const std::function<void()> &act = {})
    {
        if (answer.ok())
            Q_EMIT done(text, offer, act);
        else
            Q_EMIT failed(refusal(answer.error()));
        refresh();
    }

    client::ApiClient &m_client;
    Feed &m_feed;
    Preferences &m_preferences;

private:
    static QString refusal(const Error &error);

    std::optional<Error> m_error;
    bool m_known = false;
    int m_beats = 0;
};

} // namespace junban::ui
