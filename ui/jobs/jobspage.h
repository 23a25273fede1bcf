#pragma once

#include "ui/base/preferences.h"
#include "ui/jobs/jobcolumns.h"
#include "ui/jobs/joblist.h"
#include "ui/jobs/jobtableview.h"
#include "ui/jobs/tabcounts.h"

#include <QSet>
#include <QTimer>
#include <QWidget>
#include <functional>

QT_BEGIN_NAMESPACE
class QBoxLayout;
class QLabel;
class QLineEdit;
class QMenu;
class QProgressBar;
class QPushButton;
class QStackedLayout;
class QStringListModel;
class QTabBar;
class QToolButton;
QT_END_NAMESPACE

namespace junban::ui {

class EmptyState;
class FilterBar;
class SavedFilters;
class LineLabel;
class TabRow;
struct Condition;

// The jobs screen: a tab with a count for each state, a filter by name and tag, the live table, and a line that says which jobs the table
// leaves out.
class JobsPage : public QWidget
{
    Q_OBJECT

public:
    JobsPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);
    ~JobsPage() override;

    void showState(std::optional<JobState> state);
    // Which tab is shown with which filter, as a line for the next start, and back.
    QByteArray place() const;
    void restorePlace(const QByteArray &line);
    void showName(const QByteArray &name);
    // The jobs in a state with this name (empty: any), or that an expression finds (empty: all).
    void showJobs(std::optional<JobState> state, const QByteArray &name, const QByteArray &match);
    // The jobs of the state from the other end of the master's order.
    void setReversed(bool reversed);
    // Shows the failed jobs of one group of failures, and nothing else. `title`: the cause, as the list of failures shows it.
    void showCause(const QByteArray &signature, const QByteArray &name, const QString &title);
    // Whether all rows of a cause are selected, and there are more jobs of it than rows: the operator means all of them.
    bool isWholeCauseSelected() const;
    // Whether the operator has said that the selection stands for all jobs that match.
    bool isAllSelected() const { return m_allSelected; }
    // What was done was done with all; the next action is for the rows that are selected.
    void forgetAllSelected();
    // What the list shows, without its order.
    client::JobQuery query() const;
    // What the line below the table says about the selection; empty: nothing.
    QString selectionText() const { return m_selectionText; }
    QPushButton *selectAllButton() const { return m_selectAll; }
    void showWhich(client::JobsOf which);
    void clearFilter();
    void focusFilter();
    void toggleFreeze();
    void refresh() { m_list.refresh(); }

    // The selected jobs, in the order of the rows, with ghosts as they were last known.
    QList<Job> selectedJobs() const;
    // Buttons for the selected jobs, below the table.
    void setActions(const QList<QAction *> &actions);
    // The width that something is about to take beside this screen, whose lines break as if it had it: nothing goes to another place
    // then.
    void setRoomBeside(std::function<int()> room_px);
    void keepRoomBeside();
    // What a right click on a job shows.
    void setJobMenu(QMenu *menu) { m_jobMenu = menu; }
    // Puts what a cell offers for the filter in front of that menu.
    void offerCell(const QModelIndex &index);
    void resetLayout() { m_columns->reset(); }

    JobList &list() { return m_list; }
    JobTableView *table() const { return m_view; }
    QTabBar *tabs() const { return m_tabs; }
    TabRow *tabRow() const { return m_tabRow; }
    FilterBar *filterBar() const { return m_bar; }
    QToolButton *onlyButton() const { return m_only; }
    QPushButton *searchButton() const { return m_search; }
    QString footText() const;
    // Counts the jobs that the filter finds again.
    void countAgain() { m_counts.again(); }
    // Rows that have left the list stay while they are selected. After an operation they go.
    void dropGone() { m_list.dropGone(); }

Q_SIGNALS:
    void currentJobChanged(const junban::JobId &id);
    void openRequested(const junban::JobId &id);
    void selectionChanged();
    // A new JobMatcher is wanted, with this expression.
    void matcherRequested(const QByteArray &expression);
    void pauseRequested(const QByteArray &expression);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *buildFilter();
    void buildTabs(QWidget *box);
    void buildFilterFields(QWidget *box);
    QWidget *buildTable();
    QWidget *buildFoot();
    void applyFilter();
    void sayFields();
    QString causeText() const;
    bool canSearchOn() const;
    bool isFiltered() const;
    qint64 matchingElsewhere() const;
    void sayOnly();
    bool isCounted() const;
    void countFound();
    void countTabs();
    void sortBy(int column, Qt::SortOrder order);
    void showOrder();
    void saySelection();
    void sayFoot();
    void loadMore();
    void sayState();
    void askNames();
    // What a cell of a job says; none: nothing that could be searched for.
    std::optional<Condition> conditionOf(const Job &job, int column) const;
    void openJobMenu(const QPoint &at);

    client::ApiClient &m_client;
    Feed &m_feed;
    Preferences &m_preferences;
    JobTableView *m_view;
    JobList m_list;
    JobColumns *m_columns = nullptr;
    QTabBar *m_tabs = nullptr;
    QSet<JobState> m_met;            // states of which there were jobs
    TabRow *m_tabRow = nullptr;      // the tabs as one sees them
    QLabel *m_causeLabel = nullptr;  // in place of the fields while the jobs of one cause are shown
    QByteArray m_cause;             // its signature
    QByteArray m_causeName;         // of its jobs
    QString m_causeTitle;
    FilterBar *m_bar = nullptr;
    SavedFilters *m_saved = nullptr;
    QBoxLayout *m_line = nullptr;   // of the filter's fields
    QProgressBar *m_progress = nullptr;
    QLineEdit *m_name = nullptr;
    QLineEdit *m_tag = nullptr;
    QStringListModel *m_names = nullptr;
    QToolButton *m_clear = nullptr;
    QToolButton *m_only = nullptr; // which tab narrows the search
    QToolButton *m_freeze = nullptr;
    LineLabel *m_foot = nullptr;
    QPushButton *m_search = nullptr;
    QWidget *m_buttons = nullptr;    // for the selected jobs
    std::function<int()> m_roomBeside_px;
    QString m_selectionText;
    QPushButton *m_selectAll = nullptr;
    bool m_allSelected = false;
    bool m_applying = false; // rows come and go by an answer of the master
    qint64 m_countedAt_ms = 0; // when the counts of the tabs came
    bool m_reversed = false;
    TabCounts m_counts;
    bool m_countsDue = false;        // the filter was changed since the last count
    QStackedLayout *m_stack = nullptr;
    EmptyState *m_empty = nullptr;
    QMenu *m_jobMenu = nullptr;
    QTimer m_filterPause;   // from the last keystroke to the request
    QTimer m_loadingPause;  // before "loading" is worth saying
    JobId m_current;
};

} // namespace junban::ui
