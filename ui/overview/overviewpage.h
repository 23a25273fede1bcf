#pragma once

#include "ui/base/feed.h"
#include "ui/base/preferences.h"

#include <QWidget>
#include <map>

QT_BEGIN_NAMESPACE
class QLabel;
class QStackedLayout;
class QTableView;
QT_END_NAMESPACE

namespace junban::ui {

class CountTile;
class EmptyState;
class NamesModel;
class ThroughputChart;

// The first screen: how many jobs are in each state, how many per second start and end, and the counts of each name.
class OverviewPage : public QWidget
{
    Q_OBJECT

public:
    OverviewPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);

    CountTile *tile(JobState state) const;
    ThroughputChart *chart() const { return m_chart; }
    EmptyState *empty() const { return m_empty; }
    bool showsEmpty() const;
    // A shell command that enqueues a first job.
    static QString example(const QUrl &url);

    static constexpr qint64 oldAge_ms = 5 * 60'000; // a ready job older than this deserves attention
    static constexpr int names_max = 500;

Q_SIGNALS:
    void stateRequested(junban::JobState state);
    void nameRequested(const QByteArray &name);
    void resultsRequested();
    void documentationRequested();

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *buildTiles();
    QWidget *buildChart();
    QWidget *buildNames();
    void arrived();
    void askNames();
    void showRange(int range);
    void askSeries();

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
    bool m_askingNames = false;
    int m_range = 0;               // of the chart: which of its buttons
    qint64 m_seriesAsked_ms = 0;   // when, on the monotonic clock; 0: its series are still to be asked for
};

} // namespace junban::ui
