#pragma once

#include "client/matchercalls.h"
#include "ui/base/format.h"

#include <QTreeWidget>

namespace junban::ui {

// The master's preview of a matcher: how many jobs it matches, which jobs are new and which no longer match, its keys, the jobs that it
// would have delayed, and warnings.
class PreviewTree : public QTreeWidget
{
    Q_OBJECT

public:
    explicit PreviewTree(QWidget *parent = nullptr);

    // `constraints`: those that were previewed. `rateStop_ms`: see ratestop.h.
    void setPreview(const client::MatcherPreview &preview, const QList<Constraint> &constraints, const Format &format,
                    qint64 rateStop_ms = 0);
    // A sentence instead of a preview.
    void setNote(const QString &note);
    bool hasPreview() const { return m_hasPreview; }

Q_SIGNALS:
    void jobRequested(const junban::JobId &id);

private:
    QTreeWidgetItem *group(const QString &title, const QString &value);
    QTreeWidgetItem *row(QTreeWidgetItem *parent, const QString &name, const QString &value, const JobId &job = {});
    void addChart(QTreeWidgetItem *parent, const QString &name, const QList<qint64> &starts, qint64 top, double step_s);
    void addMatches(const client::MatcherPreview &preview);
    void addJobs(const QString &title, const QList<client::PreviewJob> &jobs, qint64 count);
    void addKeys(const client::MatcherPreview &preview);
    void addEffects(const client::MatcherPreview &preview, const QList<Constraint> &constraints);
    void addRunning(const client::MatcherPreview &preview, const QList<Constraint> &constraints);
    void addOverlaps(const client::MatcherPreview &preview);
    void addWarnings(const client::MatcherPreview &preview, qint64 rateStop_ms);

    Format m_format;
    bool m_hasPreview = false;
};

} // namespace junban::ui
