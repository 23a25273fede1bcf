#include "ui/limits/previewtree.h"

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/limits/constrainttexts.h"
#include "ui/limits/ratestop.h"
#include "ui/widgets/sparkline.h"

#include <QHeaderView>
#include <QPainter>
#include <algorithm>

namespace junban::ui {

namespace {

enum { JobRole = Qt::UserRole, ChartRole, TopRole };

// Draws a row with ChartRole as columns, of which TopRole is the full height.
class ChartDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const QVariant chart = index.data(ChartRole);
        if (!chart.isValid()) {
            QStyledItemDelegate::paint(painter, option, index);
            return;
        }
        const int inset = option.fontMetrics.height() / 8, characters = 30;
        QRectF rect = QRectF(option.rect).adjusted(inset, inset, -inset, -inset);
        rect.setWidth(std::min(rect.width(), double(characterWidth(option.fontMetrics) * characters)));
        drawSparkline(*painter, rect, chart.value<QList<double>>(), option.palette.color(QPalette::Link), index.data(TopRole).toDouble());
    }
};

// Why the evaluator gave no value, in words.
QString causeText(const QByteArray &cause)
{
    const std::pair<const char *, const char *> texts[] = {
        {"no_such_field", QT_TRANSLATE_NOOP("PreviewTexts", "a field is missing")},
        {"no_such_key", QT_TRANSLATE_NOOP("PreviewTexts", "a key is missing")},
        {"wrong_type", QT_TRANSLATE_NOOP("PreviewTexts", "a value has another type")},
        {"overflow", QT_TRANSLATE_NOOP("PreviewTexts", "a number is too large")},
        {"bad_conversion", QT_TRANSLATE_NOOP("PreviewTexts", "a value cannot be converted")},
        {"too_much_work", QT_TRANSLATE_NOOP("PreviewTexts", "it is too much work")},
        {"division_by_zero", QT_TRANSLATE_NOOP("PreviewTexts", "a division by zero")},
        {"index_out_of_range", QT_TRANSLATE_NOOP("PreviewTexts", "a list is too short")},
    };
    for (const auto &[word, text] : texts) {
        if (cause == word)
            return QCoreApplication::translate("PreviewTexts", text);
    }
    return shown(cause);
}

// Whether it keeps all jobs that match from starting.
bool pauses(const Constraint &constraint)
{
    return constraint.mode == ConstraintMode::Enforce && std::holds_alternative<PauseParameters>(constraint.parameters);
}

// The kinds that go by the clock, by failures or by people, of which a replay says nothing.
QString leftOut(const QList<Constraint> &constraints)
{
    QStringList kinds;
    for (const Constraint &constraint : constraints) {
        const ConstraintKind kind = constraint.kind();
        const bool isTold = kind == ConstraintKind::Rate || kind == ConstraintKind::Concurrency || kind == ConstraintKind::Pause;
        const QString name = viewOf(kind).name;
        if (!isTold && kindOf(kind).gate > 0 && constraint.mode == ConstraintMode::Enforce && !kinds.contains(name))
            kinds.append(name);
    }
    return listed(kinds);
}

} // namespace

PreviewTree::PreviewTree(QWidget *parent)
    : QTreeWidget(parent)
{
    setColumnCount(2);
    setHeaderHidden(true);
    setRootIsDecorated(true);
    setAccessibleName(tr("Preview"));
    setEditTriggers(NoEditTriggers);
    header()->setStretchLastSection(true);
    setColumnWidth(0, characterWidth(fontMetrics()) * 32);
    setItemDelegateForColumn(1, new ChartDelegate(this));
    connect(this, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem *item) {
        if (const std::optional<JobId> id = JobId::fromText(item->data(0, JobRole).toByteArray()))
            Q_EMIT jobRequested(*id);
    });
}

void PreviewTree::setNote(const QString &note)
{
    clear();
    m_hasPreview = false;
    QTreeWidgetItem *item = group(note, {});
    item->setFirstColumnSpanned(true);
    item->setForeground(0, palette().color(QPalette::PlaceholderText));
}

QTreeWidgetItem *PreviewTree::group(const QString &title, const QString &value)
{
    auto *item = new QTreeWidgetItem(this, {title, value});
    item->setToolTip(1, plainTip(value));
    item->setExpanded(true);
    return item;
}

QTreeWidgetItem *PreviewTree::row(QTreeWidgetItem *parent, const QString &name, const QString &value, const JobId &job)
{
    auto *item = new QTreeWidgetItem(parent, {name, value});
    item->setToolTip(0, plainTip(name));
    item->setToolTip(1, plainTip(value));
    if (!job.isNull())
        item->setData(0, JobRole, job.text());
    return item;
}

void PreviewTree::addChart(QTreeWidgetItem *parent, const QString &name, const QList<qint64> &starts, qint64 top, double step_s)
{
    if (starts.isEmpty())
        return;
    const qint64 most = *std::max_element(starts.cbegin(), starts.cend());
    QTreeWidgetItem *item = row(parent, name, tr("at most %1 in %2", "starts, a duration")
                                                  .arg(m_format.count(most), m_format.span(qint64(step_s * 1000))));
    item->setData(1, ChartRole, QVariant::fromValue(QList<double>(starts.cbegin(), starts.cend())));
    item->setData(1, TopRole, double(std::max<qint64>(1, top)));
}

void PreviewTree::setPreview(const client::MatcherPreview &preview, const QList<Constraint> &constraints, const Format &format,
                             qint64 rateStop_ms)
{
    m_format = format;
    clear();
    m_hasPreview = true;
    addWarnings(preview, rateStop_ms);
    addMatches(preview);
    addEffects(preview, constraints);
    addRunning(preview, constraints);
    addJobs(tr("Newly matched"), preview.newlyMatched, preview.newlyMatchedCount);
    addJobs(tr("No longer matched"), preview.noLongerMatched, preview.noLongerMatchedCount);
    addKeys(preview);
    addOverlaps(preview);
    addJobs(tr("Sample matches"), preview.samples, preview.samples.size());
    expandToDepth(0);
    resizeColumnToContents(0);
    setColumnWidth(0, std::min(columnWidth(0), viewport()->width() / 2));
}

void PreviewTree::addMatches(const client::MatcherPreview &preview)
{
    qint64 all = 0;
    bool complete = true;
    for (const client::PreviewCount &count : preview.states) {
        all += count.matched;
        complete = complete && count.complete;
    }
    QTreeWidgetItem *matches = group(tr("Matches now"), complete ? m_format.count(all) : tr("at least %1").arg(m_format.count(all)));
    for (const client::PreviewCount &count : preview.states) {
        if (count.total == 0)
            continue;
        const QString matched = m_format.count(count.matched);
        row(matches, Look::word(count.state),
            count.complete ? tr("%1 of %2", "jobs").arg(matched, m_format.count(count.total))
                           : tr("at least %1; looked at %2 of %3")
                                 .arg(matched, m_format.count(count.scanned), m_format.count(count.total)));
    }
    QStringList names;
    for (const QByteArray &name : preview.names.names)
        names.append(shown(name));
    for (const QByteArray &prefix : preview.names.prefixes)
        names.append(shown(prefix) + QChar(0x2026));
    QString said = listed(names);
    if (preview.names.word == "any")
        said = tr("any name");
    else if (preview.names.word == "never")
        said = tr("no name");
    row(matches, tr("Names it can match"), said);
}

void PreviewTree::addJobs(const QString &title, const QList<client::PreviewJob> &jobs, qint64 count)
{
    if (jobs.isEmpty() && count == 0)
        return;
    QTreeWidgetItem *item = group(title, m_format.count(count));
    for (const client::PreviewJob &job : jobs)
        row(item, shown(job.name), QStringLiteral("%1  %2").arg(Look::word(job.state), QString::fromLatin1(job.id.text())), job.id);
}

void PreviewTree::addKeys(const client::MatcherPreview &preview)
{
    for (const client::PreviewKeys &keys : preview.keys) {
        if (keys.distinct <= 1 && (keys.top.isEmpty() || keys.top.first().what.isEmpty()))
            continue;
        QTreeWidgetItem *item = group(tr("Keys of %1").arg(kindName(keys.kind)), m_format.count(keys.distinct));
        for (const client::CountOf &key : keys.top)
            row(item, keyText(key.what), tr("%Ln job(s)", nullptr, int(key.jobs)));
    }
}

void PreviewTree::addEffects(const client::MatcherPreview &preview, const QList<Constraint> &constraints)
{
    const bool paused = std::any_of(constraints.begin(), constraints.end(), pauses);
    if (const client::PreviewReplay &replay = preview.replay; replay.starts > 0) {
        const QString waited = tr("%1 of %2 would have waited", "starts of jobs")
                                   .arg(m_format.count(replay.delayed), m_format.count(replay.starts));
        const QString said = paused ? tr("none of %1 would have started: paused", "starts of jobs").arg(m_format.count(replay.starts))
            : replay.complete       ? waited : tr("%1; older starts were left out", "a sentence").arg(waited);
        QTreeWidgetItem *item = group(tr("Replay of the last 15 minutes"), said);
        if (const QString left = leftOut(constraints); !left.isEmpty())
            row(item, tr("not replayed"), left);
        if (replay.delayed > 0) {
            row(item, tr("on average"), m_format.duration(qint64(replay.meanDelay_s * 1000)));
            row(item, tr("at most"), m_format.duration(qint64(replay.maxDelay_s * 1000)));
        }
        qint64 top = 0;
        for (const qint64 starts : replay.asItWas + replay.limited)
            top = std::max(top, starts);
        addChart(item, tr("Starts, as they were"), replay.asItWas, top, replay.step_s);
        if (!paused)
            addChart(item, tr("Starts, with the limits"), replay.limited, top, replay.step_s);
    }
    if (const auto &drain = preview.drain) {
        const auto duration = [this](double value_s) { return m_format.duration(qint64(value_s * 1000)); };
        const QString before = drain->before_s ? duration(*drain->before_s) : tr("it grows", "a backlog");
        const QString after = duration(drain->after_s), least = duration(drain->least_s);
        const QString gone = drain->after_s == 0 ? tr("as long as workers take (now: %1)", "a duration").arg(before)
            : after == least                     ? tr("%1 (now: %2)", "two durations").arg(after, before)
            : drain->least_s == 0                ? tr("up to %1 (now: %2)", "two durations").arg(after, before)
                                                 : tr("%1 to %2 (now: %3)", "three durations").arg(least, after, before);
        QTreeWidgetItem *item = group(tr("Backlog clears in"),
                                      paused ? tr("never while paused (now: %1)", "a duration").arg(before) : gone);
        row(item, tr("Arrivals"), m_format.rate(preview.arrivals.perSecond));
        row(item, tr("Starts"), tr("%1 in the last %2", "a rate, a duration")
                                    .arg(m_format.rate(preview.arrivals.startsPerSecond), duration(preview.replay.seconds)));
    } else if (!constraints.isEmpty() && !preview.states.isEmpty() && !preview.states.first().complete) {
        group(tr("Backlog clears in"), tr("unknown: not all ready jobs were looked at"));
    }
}

// How many run now beside how many may: what a limit of running jobs would do at once.
void PreviewTree::addRunning(const client::MatcherPreview &preview, const QList<Constraint> &constraints)
{
    const auto count = std::find_if(preview.states.begin(), preview.states.end(),
                                    [](const client::PreviewCount &each) { return each.state == JobState::Running; });
    if (count == preview.states.end())
        return;
    const QString running = m_format.count(count->matched), now = count->complete ? running : tr("at least %1").arg(running);
    for (const Constraint &constraint : constraints) {
        const auto *concurrency = std::get_if<ConcurrencyParameters>(&constraint.parameters);
        if (!concurrency || concurrency->cost != Amount())
            continue;
        const QString may = m_format.count(concurrency->limit);
        group(tr("Running"), (constraint.by.isEmpty() ? tr("%1, limit %2", "numbers of jobs")
                                                                   : tr("%1, limit %2 for each key", "numbers of jobs"))
                                              .arg(now, may));
    }
}

void PreviewTree::addWarnings(const client::MatcherPreview &preview, qint64 rateStop_ms)
{
    const auto warn = [this](const QString &title, const QString &value) {
        QTreeWidgetItem *item = group(value.isEmpty() ? title : tr("%1 · %2", "a warning and of how many jobs").arg(title, value), {});
        item->setFirstColumnSpanned(true);
        item->setIcon(0, Look::icon(Icon::Warning));
        item->setForeground(0, Look::amber(palette()));
        return item;
    };
    qint64 matched = 0, total = 0;
    for (const client::PreviewCount &count : preview.states) {
        matched += count.matched;
        total += count.total;
    }
    if (preview.names.word == "never")
        warn(tr("It can never match"), {});
    else if (total > 0 && matched == total)
        warn(tr("It matches every job there is"), {});
    else if (total > 0 && matched == 0)
        warn(tr("It matches no job there is"), {});
    if (preview.arrivals.growth >= 0.05) // less would be shown as 0
        warn(tr("Arrivals (%1) exceed what can start: the backlog grows by %2", "two rates: 24/s, 4/s")
                 .arg(m_format.rate(preview.arrivals.perSecond), m_format.rate(preview.arrivals.growth)), {});
    if (rateStop_ms > 0) {
        const QString duration = m_format.duration(rateStop_ms);
        warn(tr("Starts may stop for up to %1: the rate is lowered").arg(duration), {})->setToolTip(0, plainTip(rateStopText(duration)));
    }
    for (const client::CountOf &fault : preview.faults) {
        QTreeWidgetItem *item = warn(tr("Cannot be evaluated: %1").arg(causeText(fault.what)), tr("%Ln job(s)", nullptr, int(fault.jobs)));
        item->setToolTip(0, plainTip(item->text(0)));
        if (!fault.sample.isNull())
            item->setData(0, JobRole, fault.sample.text());
    }
}

void PreviewTree::addOverlaps(const client::MatcherPreview &preview)
{
    if (preview.overlaps.isEmpty())
        return;
    QTreeWidgetItem *item = group(tr("Also matched by"), {});
    for (const client::CountOf &overlap : preview.overlaps)
        row(item, shown(overlap.what), tr("%Ln job(s)", nullptr, int(overlap.jobs)));
}

} // namespace junban::ui
