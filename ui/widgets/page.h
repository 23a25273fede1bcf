#pragma once

#include "ui/base/feed.h"
#include "ui/base/preferences.h"

#include <QTimer>
#include <QWidget>
#include <functional>

QT_BEGIN_NAMESPACE
class QAction;
class QHBoxLayout;
class QLabel;
class QLayout;
class QMenu;
class QVBoxLayout;
QT_END_NAMESPACE

namespace junban::ui {

class EmptyState;
class RecordList;

// Base of the screens that show records. While a screen is visible, it asks the master again as the feed does. When a request fails, it
// keeps showing the answer before. It tells the window what an operator did.
class Page : public QWidget
{
    Q_OBJECT

public:
    Page(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);

    // Asks the master now, unless an answer is still to come.
    virtual void refresh() = 0;
    // The same, asked for by the operator.
    virtual void refreshNow() { refresh(); }
    // To the page's table, or, while it has no rows, to what gives the focus on to it later.
    void focusList();

    static constexpr int refresh_ms = 1'900; // from one refresh to the next, at least, unless matchers, schedules or the like were changed

Q_SIGNALS:
    void openJobRequested(const junban::JobId &id);
    // Its row in a list of jobs was clicked.
    void jobClicked(const junban::JobId &id);
    // See JobActions::done.
    void done(const QString &text, const QString &offer, const std::function<void()> &act);
    void failed(const QString &text);

protected:
    void showEvent(QShowEvent *event) override;
    // A moment and how far it is away: "02:30:00, in 3 h".
    QString fromNow(qint64 at_ms) const;
    // The same in a time zone of its own, and in the operator's (Format::timeIn()); an empty zone: only in the operator's.
    QString fromNow(qint64 at_ms, const QByteArray &zone) const;
    QString ago(qint64 at_ms) const;
    Format format() const { return m_preferences.format(); }

    // Lays out a page: what is at its head, then a table above the detail of the chosen record.
    enum class Detail { Shown, UntilChosen }; // UntilChosen: hidden at first
    void arrange(const QList<QWidget *> &heads, RecordList *list, QWidget *detail, Detail shown);
    // The list that focusList() leads to; a page that is not laid out by arrange() names it.
    void setMainList(RecordList *list) { m_main = list; }
    // The title of a detail, in bold, and a faint line about it. A text that is too long is cut, so that the pane grows no wider.
    QLabel *titleLabel(QWidget *box) const;
    static QLabel *aboutLabel(QWidget *box);
    // Lays out a detail: these lines and buttons are at its head. The rest is added to the layout that is returned.
    QVBoxLayout *layOutDetail(QWidget *box, const QList<QWidget *> &lines, const QList<QAction *> &actions) const;
    // A job of this list, whose key ends with the job's id, is opened when its row is.
    void openJobsOf(RecordList *list);
    // A line for the head, with the same margins on every page.
    QHBoxLayout *headLine(QWidget *box) const;
    // Makes the context menu of a table's rows. It does not open while none of its actions is enabled. `prepare` is called before it opens
    // at a cell.
    using Prepare = std::function<void(QMenu *menu, const QModelIndex &cell)>;
    QMenu *offer(RecordList *list, const QList<QAction *> &actions, const Prepare &prepare = {});
    // Adds a button for each of these actions.
    static void addButtons(QLayout *layout, const QList<QAction *> &actions, QWidget *box);

    // Notes an answer; true if it succeeded. The error is kept only as long as no answer has succeeded: later the screen stays as it is,
    // and the window says that it is old.
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
    // While nothing is known yet, says so in the empty state and returns true. `unreadable`: "The schedules could not be read".
    bool saidUnknown(EmptyState *empty, const QString &unreadable) const;
    bool unreadable() const { return m_error.has_value(); }
    // Says how an operator's act ended, and refreshes.
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
    // Refreshes, but not sooner than refresh_ms after the last time.
    void refreshInTurn();

    RecordList *m_main = nullptr;
    std::optional<Error> m_error;
    bool m_known = false;
    qint64 m_refreshedAt_ms = 0; // Clock::monotonic_ms()
    QTimer m_soon;               // until a refresh that came too early is made
};

} // namespace junban::ui
