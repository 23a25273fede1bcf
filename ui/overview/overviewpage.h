#pragma once

#include "ui/base/feed.h"
#include "ui/base/preferences.h"
#include "ui/overview/overviewbars.h"

#include <QWidget>
#include <map>

QT_BEGIN_NAMESPACE
class QBoxLayout;
class QButtonGroup;
class QLabel;
class QStackedLayout;
class QTableView;
class QToolButton;
QT_END_NAMESPACE

namespace junban::ui {

class BarPanel;
class CountTile;
class EmptyState;
class LineLabel;
class NamesModel;
class ThroughputChart;

// The first screen: how many jobs are in each state, how many per second start and end, why jobs wait, how much of the limits is used, what
// fails, how the workers are, and the counts of each name. Every figure leads to its list.
class OverviewPage : public QWidget
{
    Q_OBJECT

public:
    OverviewPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);


    CountTile *tile(JobState state) const;
    ThroughputChart *chart() const { return m_chart; }
    BarPanel *reasons() const { return m_reasons; }
    BarPanel *oldest() const { return m_oldest; }
    BarPanel *limits() const { return m_limits; }
    BarPanel *causes() const { return m_causes; }
    BarPanel *workers() const { return m_workers; }
    QString chartTitle() const;
    // Of the chart: the number of its button, -1 for a range that is over.
    int range() const { return m_range; }
    void setRange(int range);
    // A range that is over, in seconds since the epoch.
    void showPast(qint64 from_s, qint64 to_s, const QString &name);
    // Its menu: yesterday, any range, the kind of axis.
    QToolButton *otherRanges() const { return m_otherRanges; }
    QTableView *names() const { return m_namesView; }
    QToolButton *allNames() const { return m_allNames; }
    EmptyState *empty() const { return m_empty; }
    bool showsEmpty() const;
    // A shell command that enqueues a first job.
    static QString example(const QUrl &url);

    static constexpr qint64 oldAge_ms = 5 * 60'000; // a ready job older than this deserves attention
    static constexpr int names_max = 500;

Q_SIGNALS:
    void stateRequested(junban::JobState state);
    void nameRequested(const QByteArray &name);
    void pauseRequested(const QByteArray &expression);
    void resumeRequested(const QByteArray &pause);
    void unaskedRequested(const QList<QByteArray> &names);
    void priorityRequested(int priority);
    void constraintRequested(const QByteArray &matcher, const QByteArray &constraint);
    void causeRequested(const QByteArray &signature);
    void resultsRequested();
    // The list of workers is wanted, with one of them chosen if its name is given.
    void workersRequested(const QByteArray &worker);
    void documentationRequested();

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *buildPage();
    QWidget *buildTiles();
    QWidget *buildChart();
    QWidget *buildNames();
    void arrived();
    void askNames();
    void openNameMenu(const QPoint &at);
    void buildOtherRanges(QWidget *box);
    void showRange(int range);
    void showYesterday();
    void askRange();
    qint64 now_s() const;
    void showName(const QByteArray &name);
    void askSeries();
    void askPanels();
    OverviewBars bars() const;

    client::ApiClient &m_client;
    Feed &m_feed;
    Preferences &m_preferences;
    std::map<JobState, CountTile *> m_tiles;
    CountTile *m_results = nullptr;
    ThroughputChart *m_chart = nullptr;
    NamesModel *m_names = nullptr;
    QTableView *m_namesView = nullptr;
    QLabel *m_namesTitle = nullptr;
    QStackedLayout *m_stack = nullptr;
    EmptyState *m_empty = nullptr;
    QList<QBoxLayout *> m_rows;     // panels side by side, or below each other where there is no room
    QBoxLayout *m_panels = nullptr; // the two lower rows, likewise
    BarPanel *m_reasons = nullptr;
    BarPanel *m_oldest = nullptr;
    BarPanel *m_limits = nullptr;
    BarPanel *m_causes = nullptr;
    BarPanel *m_workers = nullptr;
    OverviewPlaces m_places;
    bool m_askingNames = false;
    LineLabel *m_chartTitle = nullptr;
    QToolButton *m_allNames = nullptr;
    QByteArray m_name;             // whose chart is shown; empty: that of all names
    QButtonGroup *m_ranges = nullptr;
    QToolButton *m_otherRanges = nullptr;
    int m_range = 0;               // of the chart: which of its buttons; -1: none
    qint64 m_span_s = 5 * 60, m_until_s = 0; // of the chart: how long, and when it ends; 0: now
    qint64 m_panelsAsked_ms = 0;   // when the panels' figures were asked for, on the monotonic clock; 0: not yet
    qint64 m_seriesAsked_ms = 0;   // when, on the monotonic clock; 0: its series are still to be asked for
};

} // namespace junban::ui
