#pragma once

#include "ui/past/causes.h"
#include "ui/widgets/page.h"
#include "ui/widgets/recordmodel.h"

#include <memory>

QT_BEGIN_NAMESPACE
class QAction;
class QButtonGroup;
class QComboBox;
class QLabel;
QT_END_NAMESPACE

namespace junban::ui {

class BulkWork;
class FilterBar;
class RecordList;
class TrendView;

// Why jobs fail: a row with a trend for each cause. Below it are the jobs and workers of the chosen cause, and the actions for all of its
// jobs at once. Of several chosen causes all failed jobs can be retried by one operation.
class FailuresPage : public Page
{
    Q_OBJECT

public:
    FailuresPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);

    void refresh() override;
    void refreshNow() override { askAnew(); } // also puts the rows in order again

    enum class By { Cause, Name, Reason, Worker };

    FilterBar *filterBar() const { return m_bar; }
    RecordList *list() const { return m_list; }
    RecordList *jobs() const { return m_jobs; }
    RecordList *workers() const { return m_workers; }
    QComboBox *state() const { return m_state; }
    QComboBox *groupBy() const { return m_by; }
    void setWindow(client::FailurePeriod window);
    client::FailurePeriod window() const { return m_query.period; }
    const std::optional<FailurePage> &chosen() const { return m_chosen; }
    QAction *retry() const { return m_retry; }
    QAction *resolve() const { return m_resolve; }
    QAction *mute() const { return m_mute; }
    QAction *showJobs() const { return m_show; }
    QList<QAction *> actions() const { return {m_retry, m_show, m_mute, m_resolve}; }

    // Chooses a group, as soon as it is known.
    void showCause(const QByteArray &signature);
    // The causes of what meets this expression.
    void showMatching(const QByteArray &expression);
    // What retries groups. It must outlive this.
    void setBulk(BulkWork *bulk) { m_bulk = bulk; }
    // Asks whether all failed jobs of a group shall run again.
    void askRetryOf(const QByteArray &signature);

    static constexpr int jobs_max = 50;
    static constexpr int together_max = 10; // causes that a question names
    static constexpr qint64 mute_ms = 3'600'000;

Q_SIGNALS:
    // The jobs of one cause are wanted.
    void causeRequested(const QByteArray &signature, const QByteArray &name, const QString &title);
    // A new JobMatcher is wanted, with this expression.
    void matcherRequested(const QByteArray &expression);
    void pauseRequested(const QByteArray &expression);

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *buildHead();
    QWidget *buildFilter();
    QWidget *buildDetail();
    void buildActions();
    void askAnew();
    void askChosen();
    void suggest();
    void offerCell(QMenu *menu, const QModelIndex &cell);
    template<typename T>
    void came(const Result<T> &answer, const QList<Cause> &causes, bool complete);
    void say();
    void sayDetail();
    void saySeveral(const QList<Cause> &causes);
    void sayJobs();
    QList<Cause> chosenCauses() const;
    void sortAnew();
    bool comesBefore(const Cause &a, const Cause &b) const;
    Record record(const Cause &group) const;
    Cell causeCell(const Cause &group) const;
    QString belowCause(const Cause &group) const;
    QString foldedText() const;
    QString retryTip(qint64 failed) const;
    void toggleFolded();
    QString titleOf(const Cause &group) const;
    void askRetry(const Cause &group);
    void askRetryTogether(const QList<Cause> &causes);
    struct Together;
    void gather(const std::shared_ptr<Together> &together, const QByteArray &cursor);
    QString whatOf(const Cause &group) const;
    void toggleMute();
    void toggleResolved();

    BulkWork *m_bulk = nullptr;
    client::FailuresQuery m_query;
    By m_groupedBy = By::Cause;
    QList<Cause> m_causes;
    bool m_sorted = false;                   // the rows are to be put in order, whoever looks at them
    qint64 m_heldSince_ms = 0;               // since when the rows are held in their order; 0: they are not
    bool m_unfolded = false;                 // causes of which no job is failed now are shown, too
    qint64 m_folded = 0;                     // how many are not
    bool m_complete = true;                  // false: the master has more groups than these
    std::optional<FailurePage> m_chosen;
    Cause m_cause;                           // the chosen cause
    QByteArray m_wanted;                     // the cause to choose as soon as its row is there
    client::CallId m_call = 0;
    client::CallId m_chosenCall = 0;
    bool m_gathering = false;                // the jobs of several causes, for one operation
    quint64 m_epoch = 0;
    QButtonGroup *m_windows = nullptr;
    QComboBox *m_state = nullptr;
    QComboBox *m_by = nullptr;
    FilterBar *m_bar = nullptr;
    RecordList *m_list = nullptr;
    QWidget *m_detail = nullptr;
    QLabel *m_title = nullptr;
    QLabel *m_about = nullptr;
    QWidget *m_panes = nullptr;              // of one cause
    TrendView *m_trend = nullptr;
    RecordList *m_jobs = nullptr;
    RecordList *m_workers = nullptr;
    QAction *m_retry = nullptr;
    QAction *m_show = nullptr;
    QAction *m_mute = nullptr;
    QAction *m_resolve = nullptr;
};

} // namespace junban::ui
