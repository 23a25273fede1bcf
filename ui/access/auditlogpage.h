#pragma once

#include "core/access/auditentry.h"
#include "ui/widgets/page.h"
#include "ui/widgets/recordmodel.h"

QT_BEGIN_NAMESPACE
class QComboBox;
class QLineEdit;
class QStringListModel;
QT_END_NAMESPACE

namespace junban::ui {

class PayloadView;

// Who did what: the entries of the audit, the newest first, those of one person, action, target or time if wanted, and the chosen one in
// full. For administrators.
class AuditLogPage : public Page
{
    Q_OBJECT

public:
    AuditLogPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);

    void refresh() override;
    void refreshNow() override;

    // Which entries are listed; what is empty or 0 does not narrow the list.
    struct Filter {
        QByteArray actor = {};
        QByteArray action = {};
        QByteArray target = {};
        qint64 last_ms = 0;
        bool operator==(const Filter &) const = default;
    };
    const Filter &filter() const { return m_filter; }
    void setFilter(const Filter &filter);
    // Puts the cursor into the filter, for Ctrl+F.
    void enterFilter();

    RecordList *list() const { return m_list; }
    RecordList *changes() const { return m_changes; }
    PayloadView *whole() const { return m_whole; }
    QLineEdit *actor() const { return m_actor; }
    QLineEdit *action() const { return m_action; }
    QLineEdit *target() const { return m_target; }
    QComboBox *range() const { return m_range; }
    QLabel *hint() const { return m_hint; }
    QAction *copy() const { return m_copy; }
    QAction *open() const { return m_open; }
    QAction *sameActor() const { return m_sameActor; }
    QAction *sameAction() const { return m_sameAction; }
    QAction *sameTarget() const { return m_sameTarget; }
    QString title() const;
    QString about() const;

    static constexpr int rowsAtOnce = 100;
    static constexpr int rows_max = 5'000; // of what is loaded; older entries are found by the filter

    // What an entry's target is. Other: nothing that has a screen.
    enum class Kind { Other, Job, Matcher, Schedule, Worker, Operation, Token };
    static Kind kindOf(const AuditEntry &entry);

Q_SIGNALS:
    // A target other than a job is to be shown.
    void targetRequested(junban::ui::AuditLogPage::Kind kind, const QByteArray &target);

private:
    void buildActions();
    QWidget *buildHead();
    QWidget *buildDetail();
    void apply();
    void more();
    void ask(const QByteArray &cursor);
    void came(const Result<AuditPage> &answer, const QByteArray &cursor);
    void mergeNewest(const AuditPage &page);
    void suggest();
    void say();
    void sayEmpty();
    void sayHint();
    void sayFoot();
    void sayDetail();
    void sayChanges(const AuditEntry &entry);
    void openTarget();
    bool isNarrowed() const { return m_filter != Filter(); }
    const AuditEntry *chosen() const;
    Record record(const AuditEntry &entry, const QByteArray &key) const;
    Filter typed() const;

    Filter m_filter;
    QList<AuditEntry> m_entries;     // the newest first
    QByteArrayList m_keys;           // of their rows
    QByteArray m_next;               // where older ones begin; empty: there are none
    qsizetype m_withheld = 0;        // of the newest, while rows hold still
    int m_wanted = 0;                // how many rows older pages are asked for
    int m_asked = 0;
    client::CallId m_call = 0;
    std::optional<Error> m_failure;  // of the last request
    bool m_isRead = false;           // with this filter
    RecordList *m_list = nullptr;
    RecordList *m_changes = nullptr;
    PayloadView *m_whole = nullptr;
    QWidget *m_detail = nullptr;
    QLabel *m_title = nullptr;
    QLabel *m_about = nullptr;
    QLabel *m_reason = nullptr;
    QLineEdit *m_actor = nullptr;
    QLineEdit *m_action = nullptr;
    QLineEdit *m_target = nullptr;
    QComboBox *m_range = nullptr;
    QLabel *m_hint = nullptr;
    QAction *m_copy = nullptr;
    QAction *m_open = nullptr;
    QAction *m_sameActor = nullptr;
    QAction *m_sameAction = nullptr;
    QAction *m_sameTarget = nullptr;
    QStringListModel *m_actors = nullptr;
    QStringListModel *m_actionWords = nullptr;
    QStringListModel *m_targets = nullptr;
};

} // namespace junban::ui
