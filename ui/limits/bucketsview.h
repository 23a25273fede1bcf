#pragma once

#include "client/constraintcalls.h"
#include "ui/widgets/page.h"
#include "ui/widgets/pagedrows.h"
#include "ui/widgets/recordmodel.h"

QT_BEGIN_NAMESPACE
class QAction;
class QLabel;
QT_END_NAMESPACE

namespace junban::ui {

class RecordList;

// The buckets of one constraint and the jobs that hold them. A key can be given limits of its own, and a breaker can be tripped and reset
// by hand.
class BucketsView : public Page
{
    Q_OBJECT

public:
    BucketsView(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);

    // Shows the buckets of a constraint of this matcher; without a matcher, no constraint is chosen.
    void setConstraint(const std::optional<client::SavedMatcher> &matcher, const QByteArray &constraint);
    void refresh() override;

    RecordList *list() const { return m_list; }
    QAction *limits() const { return m_limits; }
    QAction *unlimit() const { return m_unlimit; }
    QAction *trip() const { return m_trip; }
    QAction *reset() const { return m_reset; }
    QList<QAction *> actions() const { return {m_limits, m_unlimit, m_trip, m_reset}; }

Q_SIGNALS:
    // A key's limits were changed; `before`: the revision that was replaced.
    void saved(const junban::client::SavedMatcher &now, qint64 before);

private:
    void buildActions();
    QWidget *buildHead();
    void read(const QByteArray &cursor);
    void say();
    void sayActions();
    Record record(const client::Bucket &bucket) const;
    Cell stateCell(const client::Bucket &bucket) const;
    const Constraint *constraint() const;
    bool isBacklog() const;
    const client::Bucket *chosen() const;
    const client::Bucket *bucketOf(const QByteArray &key) const;
    void askLimits();
    void removeLimits();
    void askBreaker(client::BreakerVerb verb);
    void change(const client::BreakerQuery &query);

    std::optional<client::SavedMatcher> m_matcher;
    QByteArray m_constraint;
    PagedRows<client::Bucket> m_buckets;
    client::CallId m_call = 0;
    RecordList *m_list;
    QWidget *m_head = nullptr;
    QLabel *m_title = nullptr;
    QAction *m_limits = nullptr;
    QAction *m_unlimit = nullptr;
    QAction *m_trip = nullptr;
    QAction *m_reset = nullptr;
};

} // namespace junban::ui
