#include "ui/limits/bucketsview.h"

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/limits/constrainttexts.h"
#include "ui/limits/overridedialog.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/flowlayout.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/question.h"
#include "ui/widgets/recordlist.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace junban::ui {

using client::BreakerVerb;
using client::SavedMatcher;

BucketsView::BucketsView(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent)
    : Page(client, feed, preferences, parent)
{
    using enum RecordColumn::Side;
    m_list = new RecordList({{tr("Key"), 26}, {tr("State"), 14, Left, {}, RecordColumn::Sort::None, true},
                             {tr("Used"), 9, Right}, {tr("Limit"), 9, Right}, {tr("Waiting"), 9, Right},
                             {tr("Opens at"), 27}, {tr("Observed"), 11, Right, {}, RecordColumn::Sort::None, false, true},
                             {tr("Held by"), 40, Left, tr("Running jobs; Enter opens the first")}},
                            tr("Buckets"), this);
    buildActions();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_head = buildHead());
    layout->addWidget(m_list, 1);
    offer(m_list, actions());
    connect(m_list->table(), &RecordTable::chosenChanged, this, &BucketsView::sayActions);
    connect(m_list->table(), &RecordTable::openRequested, this, [this](const QByteArray &key) {
        if (const client::Bucket *bucket = bucketOf(key); bucket && !bucket->holders.isEmpty())
            Q_EMIT openJobRequested(bucket->holders.first());
    });
    connect(m_list, &RecordList::moreRequested, this, [this] {
        m_buckets.wantMore();
        refresh();
    });
    connect(&m_preferences, &Preferences::formatChanged, this, &BucketsView::say);
    say();
}

void BucketsView::buildActions()
{
    m_limits = new QAction(Look::icon(Icon::Pencil), tr("&Limits for a key…"), this);
    m_unlimit = new QAction(Look::icon(Icon::Bin), tr("&Remove its own limits"), this);
    m_trip = new QAction(Look::icon(Icon::Pause), tr("&Trip…"), this);
    m_reset = new QAction(Look::icon(Icon::Play), tr("Re&set…"), this);
    m_limits->setToolTip(tr("Set other limits for the chosen key, or for a new one"));
    m_trip->setToolTip(tr("Trip the breaker by hand, for the chosen key or for all: no such job starts for a while"));
    m_reset->setToolTip(tr("Reset the breaker by hand, for the chosen key or for all: jobs start at once"));
    connect(m_limits, &QAction::triggered, this, &BucketsView::askLimits);
    connect(m_unlimit, &QAction::triggered, this, &BucketsView::removeLimits);
    connect(m_trip, &QAction::triggered, this, [this] { askBreaker(BreakerVerb::Trip); });
    connect(m_reset, &QAction::triggered, this, [this] { askBreaker(BreakerVerb::Reset); });
}

QWidget *BucketsView::buildHead()
{
    auto *box = new QWidget(this);
    m_title = plainLabel({}, box);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    const int gap = fontMetrics().height() / 2;
    auto *buttons = new FlowLayout;
    buttons->setSpacing(gap / 2);
    addButtons(buttons, actions(), box);
    auto *layout = new QVBoxLayout(box);
    layout->setContentsMargins(gap, gap / 2, gap, gap / 2);
    layout->addWidget(m_title);
    layout->addLayout(buttons);
    return box;
}

void BucketsView::setConstraint(const std::optional<SavedMatcher> &matcher, const QByteArray &constraint)
{
    const bool other = constraint != m_constraint;
    // A list that was asked for before a change in this view has an older revision.
    if (other || !matcher || !m_matcher || matcher->matcher.revision >= m_matcher->matcher.revision)
        m_matcher = matcher;
    m_constraint = constraint;
    if (other) {
        m_client.cancel(std::exchange(m_call, 0));
        m_buckets = {};
    }
    say();
    if (other && isVisible())
        refresh();
}

const Constraint *BucketsView::constraint() const
{
    if (!m_matcher)
        return nullptr;
    const QList<Constraint> &all = m_matcher->matcher.constraints;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Constraint &each) { return each.id == m_constraint; });
    return found == all.end() ? nullptr : &*found;
}

bool BucketsView::isBacklog() const
{
    const Constraint *now = constraint();
    return now && now->kind() == ConstraintKind::Backlog;
}

// Asks for the selected row and not for its key alone, because the key of a bucket may be empty.
const client::Bucket *BucketsView::chosen() const
{
    const QModelIndexList chosen = m_list->table()->selectionModel()->selectedRows();
    return chosen.isEmpty() ? nullptr : bucketOf(chosen.first().data(RecordModel::KeyRole).toByteArray());
}

const client::Bucket *BucketsView::bucketOf(const QByteArray &key) const
{
    const QList<client::Bucket> &all = m_buckets.rows();
    const auto found = std::find_if(all.begin(), all.end(), [&](const client::Bucket &bucket) { return bucket.key == key; });
    return found == all.end() ? nullptr : &*found;
}

void BucketsView::refresh()
{
    if (m_constraint.isEmpty() || m_call != 0)
        return;
    m_buckets.begin();
    read({});
}

void BucketsView::read(const QByteArray &cursor)
{
    const auto came = [this, constraint = m_constraint](Result<client::BucketPage> answer) {
        if (constraint != m_constraint)
            return;
        m_call = 0;
        if (learned(answer)) {
            const QByteArray next = m_buckets.take(answer->buckets, answer->next);
            if (!next.isEmpty()) {
                read(next);
                return;
            }
        }
        say();
    };
    m_call = m_client.buckets(m_constraint, cursor, client::guarded<client::BucketPage>(this, came));
}

Cell BucketsView::stateCell(const client::Bucket &bucket) const
{
    if (bucket.breaker == "half_open")
        return {tr("probing", "a breaker"), tr("The breaker lets a few probe jobs through"), {}, Tone::Amber};
    if (bucket.breaker == "open")
        return {tr("tripped", "a breaker"), {}, {}, Tone::Bad};
    if (!bucket.breaker.isEmpty())
        return {tr("not tripped", "a breaker"), {}, {}, Tone::Good}; // "open" would be understood as the opposite
    if (isBacklog() && bucket.limit && bucket.waiting >= *bucket.limit)
        return {tr("full", "a backlog"), {}, {}, Tone::Amber};
    return {bucket.open ? tr("open", "a bucket") : tr("full", "a bucket"), {}, {}, bucket.open ? Tone::Good : Tone::Amber};
}

Record BucketsView::record(const client::Bucket &bucket) const
{
    QStringList holders;
    for (const JobId &id : bucket.holders)
        holders.append(QString::fromLatin1(id.text()));
    Record record{bucket.key, {}};
    record.cells.append({keyText(bucket.key), bucket.overridden ? tr("has limits of its own") : QString(),
                         bucket.overridden ? Look::icon(Icon::Pencil) : QIcon()});
    record.cells.append(stateCell(bucket));
    record.cells.append({format().count(isBacklog() ? bucket.waiting : bucket.used)}); // a backlog counts those that wait
    record.cells.append({bucket.limit ? format().count(*bucket.limit) : QString()});
    record.cells.append({format().count(bucket.waiting)});
    const QByteArray zone = constraint() ? zoneOf(*constraint()) : QByteArray();
    record.cells.append({bucket.open ? QString() : fromNow(bucket.opensAt_ms, zone), format().dateTime(bucket.opensAt_ms)});
    record.cells.append({bucket.wouldHold > 0 ? format().count(bucket.wouldHold) : QString()});
    record.cells.append({listed(holders)});
    return record;
}

void BucketsView::say()
{
    // Those that admit none come first, and among them those that hold most jobs.
    QList<client::Bucket> sorted = m_buckets.rows();
    std::stable_sort(sorted.begin(), sorted.end(), [](const client::Bucket &a, const client::Bucket &b) {
        return std::tuple(a.open, -a.waiting, a.key) < std::tuple(b.open, -b.waiting, b.key);
    });
    QList<Record> records;
    for (const client::Bucket &bucket : std::as_const(sorted))
        records.append(record(bucket));
    m_list->setRecords(records, m_list->table()->isHeld() ? RecordModel::Order::Held : RecordModel::Order::Given);
    m_list->setFoot(m_buckets.more() ? tr("%Ln bucket(s); there are more", nullptr, int(records.size())) : QString(),
                    m_buckets.more() ? RecordList::More::Offered : RecordList::More::None);
    if (m_constraint.isEmpty())
        m_list->empty()->say(Icon::Constraints, tr("Select a constraint to see its buckets."), {});
    else if (!saidUnknown(m_list->empty(), tr("The buckets could not be read")))
        m_list->empty()->say(Icon::Constraints, tr("No jobs right now"), {});
    sayActions();
}

void BucketsView::sayActions()
{
    const Constraint *now = constraint();
    const client::Bucket *bucket = chosen();
    const bool breaker = now && now->kind() == ConstraintKind::Breaker;
    const bool parted = now && !now->by.isEmpty();
    m_limits->setVisible(parted);
    m_unlimit->setVisible(parted);
    m_unlimit->setEnabled(bucket && bucket->overridden);
    m_trip->setVisible(breaker);
    m_reset->setVisible(breaker);
    m_head->setVisible(now != nullptr);
    m_title->setText(now ? tr("%1: %2", "a kind and its limit").arg(viewOf(now->kind()).name, constraintText(*now, format())) : QString());
    m_title->setToolTip(plainTip(m_title->text()));
}

void BucketsView::askLimits()
{
    const Constraint *now = constraint();
    if (!now)
        return;
    const client::Bucket *bucket = chosen();
    const std::optional<QByteArray> key = bucket ? std::optional(bucket->key) : std::nullopt;
    auto *dialog = new OverrideDialog(m_client, *now, key, m_matcher->matcher.revision, window());
    connect(dialog, &OverrideDialog::saved, this, [this, before = m_matcher->matcher.revision](const SavedMatcher &after) {
        m_matcher = after; // so that the next change replaces this revision
        Q_EMIT saved(after, before);
    });
    dialog->open();
}

void BucketsView::removeLimits()
{
    const client::Bucket *bucket = chosen();
    if (!bucket || !m_matcher)
        return;
    const qint64 before = m_matcher->matcher.revision;
    m_client.overrideBucket(m_constraint, bucket->key, OverrideDialog::none(), before,
                            client::guarded<SavedMatcher>(this, [this, before](Result<SavedMatcher> answer) {
        if (answer.ok()) {
            m_matcher = *answer;
            Q_EMIT saved(*answer, before);
            refresh();
        } else {
            acted(answer, {});
        }
    }));
}

void BucketsView::askBreaker(BreakerVerb verb)
{
    const client::Bucket *bucket = chosen();
    client::BreakerQuery query{verb, {}, 0};
    if (bucket)
        query.key = bucket->key;
    const QString whose = bucket ? keyText(bucket->key) : tr("all keys");
    const Constraint *now = constraint();
    if (!now)
        return;
    const JobMatcher &matcher = m_matcher->matcher;
    const QString title = shown(matcher.title.isEmpty() ? matcher.id : matcher.title);
    const auto *breaker = std::get_if<BreakerParameters>(&now->parameters);
    const QString length = breaker ? format().span(qint64(breaker->openFor_s * 1000)) : QString();
    const Question trip{tr("Trip the breaker of “%1” for %2?", "a JobMatcher and a key").arg(title, whose),
                        tr("None of these jobs starts for %1; then the breaker lets a few through. Running jobs continue.", "a duration")
                            .arg(length), tr("Trip")};
    const Question reset{tr("Reset the breaker of “%1” for %2?", "a JobMatcher and a key").arg(title, whose),
                         tr("Its counts are reset, and jobs start at once."), tr("Reset")};
    ask(window(), m_client, verb == BreakerVerb::Trip ? trip : reset, [this, query] { change(query); });
}

void BucketsView::change(const client::BreakerQuery &query)
{
    m_client.changeBreaker(m_constraint, query, client::guarded<client::BreakerChanged>(this, [this, query](auto answer) {
        const int buckets = answer.ok() ? int(answer->buckets) : 0;
        acted(answer, query.verb == BreakerVerb::Trip ? tr("Tripped for %Ln key(s)", nullptr, buckets)
                                                      : tr("Reset for %Ln key(s)", nullptr, buckets));
    }));
}

} // namespace junban::ui
