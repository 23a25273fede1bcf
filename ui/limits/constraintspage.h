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
class QVBoxLayout;
QT_END_NAMESPACE

namespace junban::ui {

class BucketsView;
class RecordList;

// JobMatchers with their constraints and their live use, how many jobs each constraint holds, and the pauses in force. Below stand the
// buckets of the chosen constraint.
class ConstraintsPage : public Page
{
    Q_OBJECT

public:
    ConstraintsPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);

    void refresh() override;
    // Opens the form for a new matcher; with an expression to begin with.
    void create(const QByteArray &expression = {});
    // Chooses a constraint, or a matcher's first one, as soon as it is known.
    void showConstraint(const QByteArray &matcher, const QByteArray &constraint);

    RecordList *list() const { return m_list; }
    BucketsView *bucketsView() const { return m_buckets; }
    RecordList *buckets() const;
    RecordList *held() const { return m_held; }
    QTabWidget *tabs() const { return m_tabs; }
    QAction *edit() const { return m_edit; }
    QAction *duplicate() const { return m_duplicate; }
    QAction *toggle() const { return m_toggle; }
    QAction *revisions() const { return m_revisions; }
    QAction *remove() const { return m_delete; }
    QList<QAction *> actions() const { return {m_edit, m_duplicate, m_toggle, m_revisions, m_delete}; }
    QWidget *pausesBox() const { return m_pausesBox; }
    // The matcher of the chosen row.
    const client::SavedMatcher *chosen() const;
    // Opens the form for a pause, with this expression to begin with.
    void askPause(const QByteArray &match = {});

    static constexpr int matchersAtOnce = 500;
    static constexpr int constraintsAtOnce = 100; // each with a look at its buckets, which takes the master a while
    static constexpr int held_max = 100;

private:
    QWidget *buildHead();
    QWidget *buildDetail();
    void buildActions();
    void readMatchers(const QByteArray &after);
    void readLive();
    void liveCame(const client::ConstraintPage &page);
    // An id contains no blank, so one parts the two.
    static QByteArray rowKey(const QByteArray &matcher, const QByteArray &constraint) { return matcher + ' ' + constraint; }
    QByteArray chosenConstraint() const;
    Record record(const client::SavedMatcher &saved, const Constraint *constraint) const;
    Record heldRecord(const client::Held &held) const;
    void say();
    void sayDetail();
    void sayHeld();
    void sayPauses();
    void openForm(const std::optional<JobMatcher> &base, const std::optional<JobMatcher> &like, const QByteArray &expression);
    // Says that a revision is in force, and offers the one before.
    void tellSaved(const client::SavedMatcher &now, qint64 before);
    void duplicateChosen();
    void toggleEnabled();
    void showRevisions();
    void askDelete();
    void resume(const QByteArray &id);

    PagedRows<client::SavedMatcher> m_matchers;
    QByteArray m_wanted;           // the row to choose as soon as it is there; empty: none
    qint64 m_reading = 0;
    // The live use of all constraints is read in rounds: the first one at once, later ones by a page at every look.
    QHash<QByteArray, client::LiveConstraint> m_live;
    QSet<QByteArray> m_liveSeen;   // of this round
    QByteArray m_liveAfter;        // where its next page begins
    enum class Round { First, Later } m_round = Round::First;
    client::HeldList m_heldNow;
    QList<client::Pause> m_pauses;
    QStringList m_pausesTold;      // the ids in the strips, which are made anew only when these change
    client::CallId m_call = 0, m_liveCall = 0, m_heldCall = 0, m_pausesCall = 0;
    RecordList *m_list = nullptr;
    BucketsView *m_buckets = nullptr;
    RecordList *m_held = nullptr;
    QTabWidget *m_tabs = nullptr;
    QPlainTextEdit *m_about = nullptr;
    QLabel *m_summary = nullptr;
    QWidget *m_pausesBox = nullptr;
    QVBoxLayout *m_pausesLayout = nullptr;
    QAction *m_edit = nullptr;
    QAction *m_duplicate = nullptr;
    QAction *m_toggle = nullptr;
    QAction *m_revisions = nullptr;
    QAction *m_delete = nullptr;
};

} // namespace junban::ui
