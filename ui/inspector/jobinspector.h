#pragma once

#include "ui/base/feed.h"
#include "ui/base/preferences.h"
#include "ui/jobs/jobactions.h"
#include "ui/limits/condition.h"

#include <QTimer>
#include <QWidget>
#include <optional>

QT_BEGIN_NAMESPACE
class QLabel;
class QProgressBar;
class QStackedLayout;
class QTabWidget;
class QTableView;
class QToolButton;
QT_END_NAMESPACE

namespace junban::ui {

class AttemptsModel;
class EmptyState;
class ErrorView;
class ExplainView;
class FilterBar;
class JobFields;
class JobHistory;
class LineLabel;
class PayloadView;
class TabRow;
class Timeline;

// One job in full: its state, actions, its life as a strip, attempts, argument, outcome, history and every field. It refreshes with the
// feed, a little later when the job is final. It only peeks at outcomes, so they stay for their pushers.
class JobInspector : public QWidget
{
    Q_OBJECT

public:
    JobInspector(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);

    void show(const JobId &id);
    void showNothing();
    JobId id() const { return m_id; }
    const std::optional<Job> &job() const { return m_job; }
    // Whether the master has removed the job since it was read.
    bool isGone() const { return m_isGone; }
    // Asks the master again now.
    void refresh();
    // The filter that the values of an argument are offered for, and what makes a JobMatcher of one.
    void setFilter(FilterBar *bar, ConditionUses uses);
    // Puts buttons for these actions into the head.
    void setActions(JobActions *actions);
    PayloadView *argument() const { return m_argument; }
    PayloadView *outcome() const { return m_result; }
    ErrorView *failure() const { return m_failure; }
    QTabWidget *tabs() const { return m_tabs; }
    TabRow *tabRow() const { return m_tabRow; }
    QString reason() const; // the line below the state
    static constexpr int rest_ms = 800; // from the feed's news to the look at a job that is final

    QToolButton *revealButton() const { return m_reveal; } // visible while values are hidden
    ExplainView *explanation() const { return m_explain; }
    JobHistory *history() const { return m_history; }
    JobFields *fields() const { return m_fields; }

Q_SIGNALS:
    void jobChanged();
    void revealFailed(const QString &text);
    void openRequested(const junban::JobId &id); // another job
    void constraintRequested(const QByteArray &matcher, const QByteArray &constraint);

protected:
    void changeEvent(QEvent *event) override;

private:
    QWidget *buildHead();
    void buildTabs();
    QWidget *buildAttempts();
    void came(Result<Job> answer);
    void say();
    void sayHead();
    void sayOutcome();
    void chooseTab();
    void offerPart(QMenu *menu, const QModelIndex &part);
    void peek(client::Reveal reveal);
    void reveal();
    bool hasHidden() const;

    client::ApiClient &m_client;
    Feed &m_feed;
    Preferences &m_preferences;
    JobId m_id;
    std::optional<Job> m_job;
    std::optional<Error> m_error;
    client::CallId m_call = 0;
    bool m_again = false;  // asked for while a read was under way
    JobId m_progressed;    // the last job of which a progress was shown
    bool m_isGone = false; // the master has removed the job that is shown
    QTimer m_soon;             // to the next look at a job that is at rest
    quint64 m_epoch = 0;
    JobId m_tabOf;             // the job for which a tab was chosen
    // The tab that the operator chose, of failed jobs and of others; -1: none.
    int m_failedTab = -1, m_otherTab = -1;
    bool m_choosesTab = false;
    bool m_peeked = false;     // the outcome of m_job has been asked for
    QByteArray m_outcome;
    QByteArray m_hidden;       // the argument as it was shown when its hidden values were asked for …
    QByteArray m_revealed;     // … and in full; empty: they were not

    QStackedLayout *m_stack = nullptr;
    EmptyState *m_empty = nullptr;
    QLabel *m_name = nullptr;
    QLabel *m_idLabel = nullptr;
    QLabel *m_stateIcon = nullptr;
    QLabel *m_state = nullptr;
    LineLabel *m_reason = nullptr;
    QProgressBar *m_progress = nullptr;
    QWidget *m_buttons = nullptr;
    Timeline *m_timeline = nullptr;
    QTabWidget *m_tabs = nullptr;
    TabRow *m_tabRow = nullptr;
    QToolButton *m_reveal = nullptr;
    ErrorView *m_failure = nullptr;
    AttemptsModel *m_attempts = nullptr;
    PayloadView *m_argument = nullptr;
    FilterBar *m_filter = nullptr;
    ConditionUses m_uses;
    PayloadView *m_result = nullptr;
    ExplainView *m_explain = nullptr;
    JobHistory *m_history = nullptr;
    JobFields *m_fields = nullptr;
};

} // namespace junban::ui
