#pragma once

#include "client/constraintcalls.h"
#include "client/matchercalls.h"
#include "ui/widgets/page.h"
#include "ui/widgets/pagedrows.h"
#include "ui/widgets/recordmodel.h"

QT_BEGIN_NAMESPACE
class QAction;
class QLabel;
class QPlainTextEdit;
class QTabWidget;
QT_END_NAMESPACE

namespace junban::ui {

class BucketsView;
class RecordList;

// JobMatchers with their constraints and their live use, and how many jobs each constraint holds. The buckets of the chosen
// constraint are below.
class ConstraintsPage : public Page
{
    Q_OBJECT

public:
    ConstraintsPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);

    void refresh() override;
    // Opens the form for a new matcher, which begins with this expression.
    void create(const QByteArray &expression = {});
    // Chooses a constraint, as soon as the master has sent it. An empty `constraint` stands for the matcher's first one.
    void showConstraint(const QByteArray &matcher, const QByteArray &constraint);

    // Shows what holds jobs.
    void showHeld();

    RecordList *list() const { return m_list; }
    BucketsView *bucketsView() const { return m_buckets; }
    RecordList *buckets() const;
    RecordList *held() const { return m_held; }
    QString summary() const; // the line at the head
    QTabWidget *tabs() const { return m_tabs; }
    QAction *edit() const { return m_edit; }
    QAction *duplicate() const { return m_duplicate; }
    QAction *toggle() const { return m_toggle; }
    QAction *revisions() const { return m_revisions; }
    QAction *remove() const { return m_delete; }
    QList<QAction *> actions() const { return {m_edit, m_duplicate, m_toggle, m_revisions, m_delete}; }
    // The matcher of the chosen row.
    const client::SavedMatcher *chosen() const;
    QByteArray chosenExpression() const; // empty: no JobMatcher is chosen
    // Opens the form for a pause, which begins with this expression.
    void askPause(const QByteArray &match = {});
    // Ends a pause.
    void resume(const QByteArray &id);

Q_SIGNALS:
    void created(); // a new JobMatcher was saved

public:
    static constexpr int matchersAtOnce = 500;
    static constexpr int constraintsAtOnce = 100; // for each of them the master reads its buckets, which takes a while
    static constexpr int held_max = 100;

private:
    QWidget *buildHead();
    QWidget *buildDetail();
    void buildActions();
    void readMatchers(const QByteArray &after);
    void readLive();
    void liveCame(const client::ConstraintPage &page);
    // Ids contain no blanks, so a blank can separate them.
    static QByteArray rowKey(const QByteArray &matcher, const QByteArray &constraint) { return matcher + ' ' + constraint; }
    QByteArray chosenConstraint() const;
    Record record(const client::SavedMatcher &saved, const Constraint *constraint) const;
    Record heldRecord(const client::Held &held) const;
    void say();
    bool chooseWanted();
    void sayDetail();
    void heldCame(client::HeldList now);
    void sayHeld();
    void openForm(const std::optional<JobMatcher> &base, const std::optional<JobMatcher> &like, const QByteArray &expression);
    // Says that a revision is in force, and offers to restore the one before.
    void tellSaved(const client::SavedMatcher &now, qint64 before);
    void undoSaved(const JobMatcher &now, qint64 before);
    void duplicateChosen();
    void toggleEnabled();
    void showRevisions();
    void askDelete();

    PagedRows<client::SavedMatcher> m_matchers;
    QByteArray m_wanted;           // the row to choose as soon as the table has it; empty: none
    qint64 m_reading = 0;
    // The live use of all constraints is read in rounds. The first round is read at once, later ones by one page at each refresh.
    QHash<QByteArray, client::LiveConstraint> m_live;
    QSet<QByteArray> m_liveSeen;   // the constraints of this round
    QByteArray m_liveAfter;        // where the next page of this round begins
    enum class Round { First, Later } m_round = Round::First;
    client::HeldList m_heldNow;
    struct Lately {
        client::Held held;
        qint64 seen_ms = 0; // Clock::monotonic_ms()
    };
    QHash<QByteArray, Lately> m_heldLately; // what held jobs at one of the last looks, by its row
    client::CallId m_call = 0, m_liveCall = 0, m_heldCall = 0;
    RecordList *m_list = nullptr;
    BucketsView *m_buckets = nullptr;
    RecordList *m_held = nullptr;
    QTabWidget *m_tabs = nullptr;
    QPlainTextEdit *m_about = nullptr;
    QLabel *m_summary = nullptr;
    QAction *m_edit = nullptr;
    QAction *m_duplicate = nullptr;
    QAction *m_toggle = nullptr;
    QAction *m_revisions = nullptr;
    QAction *m_delete = nullptr;
};

} // namespace junban::ui
