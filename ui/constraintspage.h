#pragma once

#include "client/matchers.h"
#include "ui/page.h"
#include "ui/recordmodel.h"

QT_BEGIN_NAMESPACE
class QAction;
class QLabel;
class QPlainTextEdit;
class QSplitter;
class QTabWidget;
class QVBoxLayout;
QT_END_NAMESPACE

namespace junban::ui {

class RecordList;

// JobMatchers with their constraints and live use, what holds how many jobs, and the pauses in force; for the chosen constraint its
// buckets with those who hold them.
class ConstraintsPage : public Page
{
    Q_OBJECT

public:
    ConstraintsPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);

    void refresh() override;
    // Opens the form for a new matcher; with an expression to begin with.
    void create(const QByteArray &expression = {});
    // Chooses a constraint, or a matcher's first one, when it is known.
    void showConstraint(const QByteArray &matcher, const QByteArray &constraint);

    RecordList *list() const { return m_list; }
    RecordList *buckets() const { return m_buckets; }
    RecordList *held() const { return m_held; }
    QTabWidget *tabs() const { return m_tabs; }
    QAction *edit() const { return m_edit; }
    QAction *toggle() const { return m_toggle; }
    QAction *revisions() const { return m_revisions; }
    QAction *remove() const { return m_delete; }
    QList<QAction *> actions() const { return {m_edit, m_toggle, m_revisions, m_delete}; }
    QWidget *pausesBox() const { return m_pausesBox; }
    // The matcher of the chosen row.
    const client::SavedMatcher *chosen() const;
    // Asks what is to be paused; with the jobs of this expression to begin with.
    void askPause(const QByteArray &match = {});

    static constexpr int matchers_max = 500;
    static constexpr int constraints_max = 100;
    static constexpr int held_max = 100;

private:
    QWidget *buildHead();
    QWidget *buildDetail();
    void buildActions();
    void matchersCame(Result<client::MatcherPage> answer);
    void askBuckets();
    // Ids hold no blanks.
    static QByteArray rowKey(const QByteArray &matcher, const QByteArray &constraint) { return matcher + ' ' + constraint; }
    QByteArray chosenConstraint() const;
    const client::LiveConstraint *live(const QByteArray &constraint) const;
    Record record(const client::SavedMatcher &saved, const Constraint *constraint) const;
    Record bucketRecord(const client::Bucket &bucket) const;
    Record heldRecord(const client::Held &held) const;
    void say();
    void sayDetail();
    void sayHeld();
    void sayPauses();
    void openForm(const std::optional<client::SavedMatcher> &saved, const QByteArray &expression);
    void toggleEnabled();
    void showRevisions();
    void askDelete();
    void resume(const QByteArray &id);
    void acted(const Result<client::SavedMatcher> &answer, const QString &text);

    QList<client::SavedMatcher> m_matchers;
    qint64 m_reading = 0;
    QList<client::LiveConstraint> m_live;
    client::HeldList m_heldNow;
    QList<client::Pause> m_pauses;
    QStringList m_pausesTold;      // by id, as they stand in the strips
    QList<client::Bucket> m_bucketsNow;
    QByteArray m_bucketsOf;        // the constraint they are of
    bool m_moreBuckets = false;
    std::optional<Error> m_error;
    bool m_known = false;
    client::CallId m_call = 0, m_liveCall = 0, m_heldCall = 0, m_pausesCall = 0, m_bucketsCall = 0;
    RecordList *m_list = nullptr;
    RecordList *m_buckets = nullptr;
    RecordList *m_held = nullptr;
    QTabWidget *m_tabs = nullptr;
    QPlainTextEdit *m_about = nullptr;
    QLabel *m_summary = nullptr;
    QWidget *m_pausesBox = nullptr;
    QVBoxLayout *m_pausesLayout = nullptr;
    QAction *m_edit = nullptr;
    QAction *m_toggle = nullptr;
    QAction *m_revisions = nullptr;
    QAction *m_delete = nullptr;
};

} // namespace junban::ui
