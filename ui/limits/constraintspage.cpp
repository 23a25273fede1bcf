#include "ui/limits/constraintspage.h"

#include "core/base/clock.h"
#include "core/limits.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/limits/bucketsview.h"
#include "ui/limits/constrainttexts.h"
#include "ui/limits/matcherdialog.h"
#include "ui/limits/pausedialog.h"
#include "ui/limits/ratestop.h"
#include "ui/limits/revisionsdialog.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/flowlayout.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/question.h"
#include "ui/widgets/recordlist.h"
#include "ui/widgets/steadybutton.h"

#include <QAction>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>

namespace junban::ui {

using client::SavedMatcher;

namespace {

enum Tab { BucketsTab, MatcherTab, HeldTab };

// Of a further limit of the same JobMatcher, whose title stands below that of the first.
QIcon blankIcon()
{
    constexpr int side_px = 64; // as large as any table wants one
    QPixmap nothing(side_px, side_px);
    nothing.fill(Qt::transparent);
    return QIcon(nothing);
}

} // namespace

ConstraintsPage::ConstraintsPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent)
    : Page(client, feed, preferences, parent)
{
    using enum RecordColumn::Side;
    m_list = new RecordList({{tr("JobMatcher"), 28}, {tr("Kind"), 22, Left, {}, RecordColumn::Sort::None, false, true},
                             {tr("Limit"), 36, Left, {}, RecordColumn::Sort::None, false, false, false, false, 30},
                             {tr("Mode"), 15, Left, {}, RecordColumn::Sort::None, true},
                             {tr("Used"), 18, Right, tr("Cost of running jobs; of a rate: of jobs started in its period")},
                             {tr("Applies to (waiting)"), 22, Right, tr("Ready jobs that it applies to, held or not")},
                             {tr("Full"), 13, Left, tr("Keys at their limit now; of a breaker: tripped keys")},
                             {tr("Opens at"), 27},
                             {tr("Observed"), 11, Right, tr("How often it would have held a job if enforced"),
                              RecordColumn::Sort::None, false, true}},
                            tr("JobMatchers and constraints"), this);
    m_list->table()->remember(preferences, QStringLiteral("constraints/header"));
    buildActions();
    arrange({buildHead()}, m_list, buildDetail(), Detail::Shown);
    connect(m_list->table(), &RecordTable::chosenChanged, this, &ConstraintsPage::sayDetail);
    connect(m_list->table(), &RecordTable::openRequested, m_edit, &QAction::trigger);
    connect(m_list, &RecordList::moreRequested, this, [this] {
        m_matchers.wantMore();
        refresh();
    });
    connect(m_list->empty(), &EmptyState::actionTriggered, this, [this] { unreadable() ? refresh() : create(); });
    connect(&m_preferences, &Preferences::formatChanged, this, &ConstraintsPage::say);
    connect(&m_feed, &Feed::arrived, this, &ConstraintsPage::sayHeld); // its sum is that of the strip, at the same moment
    say();
}

QWidget *ConstraintsPage::buildHead()
{
    auto *box = new QWidget(this);
    m_summary = plainLabel({}, box);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long title must not widen the window
    auto *pause = new QPushButton(Look::icon(Icon::Pause), tr("&Pause…"), box);
    pause->setToolTip(tr("Start no more jobs, or none that match"));
    connect(pause, &QPushButton::clicked, this, [this] { askPause(chosenExpression()); });
    auto *add = new QPushButton(tr("&New JobMatcher…"), box);
    connect(add, &QPushButton::clicked, this, [this] { create(); });
    QHBoxLayout *layout = headLine(box);
    layout->addWidget(m_summary, 1);
    layout->addWidget(pause);
    layout->addWidget(add);
    return box;
}

void ConstraintsPage::buildActions()
{
    m_edit = new QAction(Look::icon(Icon::Pencil), tr("&Edit…"), this);
    m_duplicate = new QAction(Look::icon(Icon::Copy), tr("D&uplicate…"), this);
    m_toggle = new QAction(Look::icon(Icon::Pause), tr("Disa&ble"), this);
    m_revisions = new QAction(Look::icon(Icon::Clock), tr("&Revisions…"), this);
    m_delete = new QAction(Look::icon(Icon::Bin), tr("&Delete…"), this);
    connect(m_edit, &QAction::triggered, this, [this] {
        if (const SavedMatcher *saved = chosen())
            openForm(saved->matcher, {}, {});
    });
    connect(m_duplicate, &QAction::triggered, this, &ConstraintsPage::duplicateChosen);
    connect(m_toggle, &QAction::triggered, this, &ConstraintsPage::toggleEnabled);
    connect(m_revisions, &QAction::triggered, this, &ConstraintsPage::showRevisions);
    connect(m_delete, &QAction::triggered, this, &ConstraintsPage::askDelete);
    setTexts(*m_toggle, {tr("Disa&ble"), tr("Ena&ble")});
    offer(m_list, actions());
}

QWidget *ConstraintsPage::buildDetail()
{
    using enum RecordColumn::Side;
    m_tabs = new QTabWidget(this);
    m_tabs->setDocumentMode(true);
    m_buckets = new BucketsView(m_client, m_feed, m_preferences, m_tabs);
    connect(m_buckets, &BucketsView::saved, this, &ConstraintsPage::tellSaved);
    connect(m_buckets, &Page::openJobRequested, this, &Page::openJobRequested);
    connect(m_buckets, &Page::done, this, &Page::done);
    connect(m_buckets, &Page::failed, this, &Page::failed);
    m_held = new RecordList({{tr("JobMatcher"), 26}, {tr("Kind"), 17}, {tr("Key"), 24}, {tr("Held jobs"), 12, Right},
                             {tr("Used"), 9, Right}, {tr("Limit"), 9, Right},
                             {tr("Oldest"), 16, Left, {}, RecordColumn::Sort::None, false, true}, {tr("Opens at"), 27}},
                            tr("What holds jobs"), m_tabs);
    connect(m_held->table(), &RecordTable::openRequested, this, [this](const QByteArray &key) {
        const QList<QByteArray> parts = key.split(' ');
        showConstraint(parts.value(0), parts.value(1));
    });
    m_about = new QPlainTextEdit(m_tabs);
    m_about->setReadOnly(true);
    m_about->setFrameShape(QFrame::NoFrame);
    m_about->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_about->setAccessibleName(tr("Expression and note"));
    m_tabs->addTab(m_buckets, tr("Buckets"));
    m_tabs->addTab(m_about, tr("Expression"));
    m_tabs->addTab(m_held, tr("What holds jobs"));
    auto *box = new QWidget(this);
    const int gap = fontMetrics().height() / 2;
    auto *buttons = new FlowLayout;
    buttons->setContentsMargins(gap, gap, gap, gap);
    buttons->setSpacing(gap / 2);
    addButtons(buttons, actions(), box);
    auto *layout = new QVBoxLayout(box);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addLayout(buttons);
    layout->addWidget(m_tabs, 1);
    return box;
}

void ConstraintsPage::refresh()
{
    if (m_call == 0) {
        m_matchers.begin();
        readMatchers({});
    }
    if (m_liveCall == 0)
        readLive();
    if (m_heldCall == 0) {
        m_heldCall = m_client.held(held_max, client::guarded<client::HeldList>(this, [this](Result<client::HeldList> answer) {
            m_heldCall = 0;
            if (answer.ok())
                heldCame(std::move(answer).value());
            sayHeld();
        }));
    }
    m_buckets->refresh();
}

// As in the overview, a limit that opens and closes with single jobs holds them all the while.
void ConstraintsPage::heldCame(client::HeldList now)
{
    const qint64 now_ms = Clock::monotonic_ms();
    const auto keyOf = [](const client::Held &held) { return rowKey(held.matcher, held.constraint) + ' ' + held.key; };
    QSet<QByteArray> there;
    for (const client::Held &held : std::as_const(now.held)) {
        there.insert(keyOf(held));
        m_heldLately[keyOf(held)] = {held, now_ms};
    }
    const QList<HeldBy> by = m_feed.overview() ? m_feed.overview()->held.by : QList<HeldBy>();
    m_heldLately.removeIf([&](const auto &each) {
        const auto isIts = [&](const HeldBy &one) { return one.constraint == each->held.constraint; };
        const bool lingers = now_ms - each->seen_ms < limits::held_lingers_ms && opensBriefly(each->held.kind);
        return !there.contains(each.key()) && (!lingers || std::none_of(by.begin(), by.end(), isIts));
    });
    for (const Lately &lately : std::as_const(m_heldLately)) {
        if (!there.contains(keyOf(lately.held)))
            now.held.append(lately.held);
    }
    m_heldNow = std::move(now);
}

void ConstraintsPage::readMatchers(const QByteArray &after)
{
    const auto came = [this](Result<client::MatcherPage> answer) {
        m_call = 0;
        if (learned(answer)) {
            m_reading = answer->reading;
            const QByteArray next = m_matchers.take(answer->matchers, answer->next);
            if (!next.isEmpty()) {
                readMatchers(next);
                return;
            }
        }
        say();
    };
    m_call = m_client.matchers(matchersAtOnce, after, client::guarded<client::MatcherPage>(this, came));
}

void ConstraintsPage::readLive()
{
    const auto came = [this](Result<client::ConstraintPage> answer) {
        m_liveCall = 0;
        if (answer.ok())
            liveCame(*answer);
        say();
    };
    m_liveCall = m_client.constraints(constraintsAtOnce, m_liveAfter, client::guarded<client::ConstraintPage>(this, came));
}

void ConstraintsPage::liveCame(const client::ConstraintPage &page)
{
    for (const client::LiveConstraint &live : page.constraints) {
        m_live.insert(live.constraint.id, live);
        m_liveSeen.insert(live.constraint.id);
    }
    m_liveAfter = page.next;
    if (!page.next.isEmpty()) {
        if (m_round == Round::First)
            readLive();
        return;
    }
    m_round = Round::Later;
    m_live.removeIf([this](const auto &each) { return !m_liveSeen.contains(each.key()); });
    m_liveSeen.clear();
}

QString ConstraintsPage::summary() const
{
    return m_summary->text();
}

void ConstraintsPage::showHeld()
{
    m_tabs->setCurrentIndex(HeldTab);
}

RecordList *ConstraintsPage::buckets() const
{
    return m_buckets->list();
}

QByteArray ConstraintsPage::chosenConstraint() const
{
    return m_list->table()->chosen().split(' ').value(1);
}

const SavedMatcher *ConstraintsPage::chosen() const
{
    const QByteArray id = m_list->table()->chosen().split(' ').value(0);
    const auto found = std::find_if(m_matchers.rows().begin(), m_matchers.rows().end(),
                                    [&](const SavedMatcher &saved) { return saved.matcher.id == id; });
    return found == m_matchers.rows().end() ? nullptr : &*found;
}

void ConstraintsPage::showConstraint(const QByteArray &matcher, const QByteArray &constraint)
{
    m_wanted = rowKey(matcher, constraint);
    if (chooseWanted()) {
        // its row was there already
    } else if (m_matchers.more()) {
        m_matchers.wantMore();
        refresh();
    }
    m_tabs->setCurrentIndex(BucketsTab);
}

// Without a constraint the first one of the matcher is meant. Returns whether there is such a row.
bool ConstraintsPage::chooseWanted()
{
    if (m_wanted.isEmpty())
        return false;
    for (int row = 0; row < m_list->model()->rowCount(); ++row) {
        const QByteArray key = m_list->model()->keyAt(row);
        if (key != m_wanted && !(m_wanted.endsWith(rowKey({}, {})) && key.startsWith(m_wanted)))
            continue;
        m_wanted.clear();
        m_list->table()->choose(key);
        return true;
    }
    return false;
}

void ConstraintsPage::say()
{
    QList<Record> records;
    for (const SavedMatcher &saved : m_matchers.rows()) {
        for (const Constraint &constraint : saved.matcher.constraints)
            records.append(record(saved, &constraint));
        if (saved.matcher.constraints.isEmpty())
            records.append(record(saved, nullptr));
    }
    m_list->setRecords(records);
    if (!saidUnknown(m_list->empty(), tr("The JobMatchers could not be read")))
        m_list->empty()->say(Icon::Constraints, tr("No JobMatchers"),
                             tr("A JobMatcher is a condition on jobs, such as job.name.startsWith(\"mail.\"), and limits for the jobs "
                                "that meet it."),
                             tr("New JobMatcher…"));
    QStringList foot;
    if (m_matchers.more())
        foot.append(tr("The first %Ln JobMatcher(s)", nullptr, int(m_matchers.rows().size())));
    if (m_reading > 0)
        foot.append(tr("Rechecking %Ln ready job(s) after the last change", nullptr, int(m_reading)));
    m_list->setFoot(foot.join(QStringLiteral(" · ")), m_matchers.more() ? RecordList::More::Offered : RecordList::More::None);
    chooseWanted();
    sayDetail();
    sayHeld();
}

void ConstraintsPage::sayDetail()
{
    const SavedMatcher *saved = chosen();
    for (QAction *action : actions())
        action->setEnabled(saved != nullptr);
    m_buckets->setConstraint(saved ? std::optional(*saved) : std::nullopt, chosenConstraint());
    if (!saved) {
        m_about->setPlainText({});
        return;
    }
    m_toggle->setText(saved->matcher.enabled ? tr("Disa&ble") : tr("Ena&ble"));
    m_toggle->setIcon(Look::icon(saved->matcher.enabled ? Icon::Pause : Icon::Play));
    QString about = QString::fromUtf8(saved->matcher.expression);
    if (!saved->matcher.note.isEmpty())
        about += QStringLiteral("\n\n") + QString::fromUtf8(saved->matcher.note);
    about += QStringLiteral("\n\n") + tr("Revision %1, saved %2 by %3")
                 .arg(QString::number(saved->matcher.revision), format().dateTime(saved->matcher.editedAt_ms),
                      Look::actor(saved->matcher.editedBy));
    if (m_about->toPlainText() != about)
        m_about->setPlainText(about);
}

void ConstraintsPage::sayHeld()
{
    QList<Record> records;
    for (const client::Held &held : std::as_const(m_heldNow.held))
        records.append(heldRecord(held));
    m_held->setRecords(records);
    m_held->empty()->say(Icon::Check, tr("No jobs are held"), {});
    m_held->setFoot(m_heldNow.complete ? QString() : tr("Incomplete: there is more."));
    m_tabs->setTabText(HeldTab, records.isEmpty() ? tr("What holds jobs") : tr("What holds jobs (%1)").arg(records.size()));
    // The rows count a job that two limits hold twice; the overview counts it once.
    const HeldNow now = m_feed.overview() ? m_feed.overview()->held : HeldNow();
    if (now.jobs == 0 || now.by.isEmpty())
        m_summary->setText(tr("No jobs are held by a constraint."));
    else
        m_summary->setText(heldText(now, format()));
}

QByteArray ConstraintsPage::chosenExpression() const
{
    const SavedMatcher *saved = chosen();
    return saved ? saved->matcher.expression : QByteArray();
}

void ConstraintsPage::askPause(const QByteArray &match)
{
    auto *dialog = new PauseDialog(m_client, match, window());
    connect(dialog, &PauseDialog::paused, this, [this](const QByteArray &id) {
        Q_EMIT done(tr("Paused"), tr("Resume"), [this, id] { resume(id); });
        refresh();
        m_feed.retryNow();
    });
    dialog->open();
}

void ConstraintsPage::resume(const QByteArray &id)
{
    m_client.resume(id, client::guarded<client::PauseList>(this, [this](Result<client::PauseList> answer) {
        acted(answer, tr("Resumed"));
        m_feed.retryNow();
    }));
}

void ConstraintsPage::create(const QByteArray &expression)
{
    openForm({}, {}, expression);
}

void ConstraintsPage::duplicateChosen()
{
    if (const SavedMatcher *saved = chosen())
        openForm({}, saved->matcher, {});
}

void ConstraintsPage::openForm(const std::optional<JobMatcher> &base, const std::optional<JobMatcher> &like, const QByteArray &expression)
{
    auto *dialog = new MatcherDialog(m_client, base, m_preferences, window());
    if (like)
        dialog->setLike(*like);
    if (base)
        dialog->showConstraint(chosenConstraint());
    if (!expression.isEmpty())
        dialog->setExpression(expression);
    connect(dialog, &MatcherDialog::saved, this, &ConstraintsPage::tellSaved);
    if (!base)
        connect(dialog, &MatcherDialog::saved, this, &ConstraintsPage::created);
    connect(dialog, &MatcherDialog::jobRequested, this, &ConstraintsPage::openJobRequested);
    dialog->open();
}

void ConstraintsPage::tellSaved(const SavedMatcher &now, qint64 before)
{
    if (before == 0)
        showConstraint(now.matcher.id, now.matcher.constraints.isEmpty() ? QByteArray() : now.matcher.constraints.first().id);
    const auto undo = [this, matcher = now.matcher, before] { undoSaved(matcher, before); };
    Q_EMIT done(tr("Revision %1 is active").arg(now.matcher.revision), before > 0 ? tr("Undo") : QString(), undo);
    refresh();
}

// Asks first when that would stop jobs for a while.
void ConstraintsPage::undoSaved(const JobMatcher &now, qint64 before)
{
    const auto revert = [this, id = now.id, before, revision = now.revision] {
        m_client.revertMatcher(id, before, revision, client::guarded<SavedMatcher>(this, [this](Result<SavedMatcher> answer) {
            acted(answer, tr("The previous revision is active again"));
        }));
    };
    const auto came = [this, now, before, revert](const Result<client::MatcherRevisions> &answer) {
        JobMatcher previous;
        for (const SavedMatcher &saved : answer.ok() ? answer->revisions : QList<SavedMatcher>())
            previous = saved.matcher.revision == before ? saved.matcher : previous;
        readRateStop(m_client, this, now, previous, [this, before, revert](qint64 stop_ms) {
            if (stop_ms == 0)
                revert();
            else
                ask(window(), m_client, {tr("Restore revision %1?").arg(before), rateStopText(format().duration(stop_ms)),
                                         tr("Restore"), Question::Weight::Grave}, revert);
        });
    };
    m_client.matcherRevisions(now.id, client::guarded<client::MatcherRevisions>(this, came));
}

void ConstraintsPage::toggleEnabled()
{
    const SavedMatcher *saved = chosen();
    if (!saved)
        return;
    JobMatcher matcher = saved->matcher;
    matcher.enabled = !matcher.enabled;
    using Saved = client::Checked<SavedMatcher>;
    m_client.saveMatcher(matcher, matcher.revision, client::guarded<Saved>(this, [this, on = matcher.enabled](Result<Saved> answer) {
        const QString text = on ? tr("JobMatcher enabled") : tr("JobMatcher disabled");
        if (answer.ok() && !answer->value)
            acted<SavedMatcher>(Error{ErrorCode::InvalidField, answer->problems.first().problem.reason}, text);
        else
            acted(answer, text);
    }));
}

void ConstraintsPage::showRevisions()
{
    const SavedMatcher *saved = chosen();
    if (!saved)
        return;
    auto *dialog = new RevisionsDialog(m_client, saved->matcher, format(), window());
    connect(dialog, &RevisionsDialog::reverted, this, [this](const SavedMatcher &now) {
        Q_EMIT done(tr("Revision %1 is active").arg(now.matcher.revision), {}, {});
        refresh();
    });
    dialog->open();
}

void ConstraintsPage::askDelete()
{
    const SavedMatcher *saved = chosen();
    if (!saved)
        return;
    const JobMatcher matcher = saved->matcher;
    ask(window(), m_client,
        {tr("Delete the JobMatcher “%1”?").arg(shown(matcher.title.isEmpty() ? matcher.id : matcher.title)),
         tr("ID: %1").arg(shown(matcher.id)) + QLatin1Char('\n') + tr("Its limits end at once; held jobs may start."), tr("Delete")},
        [this, matcher] {
            m_client.deleteMatcher(matcher.id, matcher.revision, client::guarded<SavedMatcher>(this, [this](Result<SavedMatcher> answer) {
                const JobMatcher gone = answer.ok() ? answer->matcher : JobMatcher();
                acted(answer, tr("JobMatcher deleted"), tr("Undo"), [this, gone] {
                    const auto came = [this](Result<SavedMatcher> back) { acted(back, tr("JobMatcher restored")); };
                    m_client.revertMatcher(gone.id, gone.revision, 0, client::guarded<SavedMatcher>(this, came));
                });
            }));
        });
}

Record ConstraintsPage::record(const SavedMatcher &saved, const Constraint *constraint) const
{
    const JobMatcher &matcher = saved.matcher;
    Record record{rowKey(matcher.id, constraint ? constraint->id : QByteArray()), {}};
    const QString title = shown(matcher.title.isEmpty() ? matcher.id : matcher.title);
    const bool leads = !constraint || constraint->id == matcher.constraints.first().id;
    const QIcon icon = !leads ? blankIcon() : matcher.enabled ? Look::icon(Icon::Constraints) : Look::icon(Icon::Pause);
    record.cells.append({title, shown(matcher.id), icon, leads && matcher.enabled ? Tone::Plain : Tone::Faint});
    if (!constraint) {
        record.cells.append({tr("no limit"), {}, {}, Tone::Faint});
        for (int column = 2; column < m_list->model()->columnCount(); ++column)
            record.cells.append(Cell());
        return record;
    }
    record.cells.append({viewOf(constraint->kind()).name, viewOf(constraint->kind()).help});
    record.cells.append({constraintText(*constraint, format())});
    const bool enforced = matcher.enabled && constraint->mode == ConstraintMode::Enforce;
    const QString mode = matcher.enabled ? modeName(constraint->mode) : tr("disabled");
    record.cells.append({mode, {}, {}, enforced ? Tone::Good : constraint->mode == ConstraintMode::Observe ? Tone::Amber : Tone::Faint});
    const auto now = m_live.constFind(constraint->id);
    if (now == m_live.cend()) {
        for (int column = 4; column < m_list->model()->columnCount(); ++column)
            record.cells.append(Cell());
        return record;
    }
    const QString more = now->complete ? QString() : QStringLiteral("≥ ");
    const QString all = more + format().count(now->buckets);
    const std::optional<qint64> capacity = enforced ? capacityOf(*now) : std::nullopt;
    Cell used{more + format().count(takenOf(*now))};
    if (capacity && *capacity > 0) {
        used.text = tr("%1 of %2", "used of a limit").arg(used.text, format().count(*capacity));
        used.meter = double(takenOf(*now)) / double(*capacity);
    }
    record.cells.append(used);
    Cell waiting{more + format().count(now->waiting)};
    if (const std::optional<qint64> clears_ms = enforced ? clearsIn_ms(*now) : std::nullopt)
        waiting.text = tr("%1 · about %2", "waiting jobs, how long they take").arg(waiting.text, format().estimate(*clears_ms));
    record.cells.append(waiting);
    const QList<FullBacklog> full = m_feed.overview() ? m_feed.overview()->backlogs : QList<FullBacklog>();
    const auto isFull = std::find_if(full.begin(), full.end(), [&](const FullBacklog &each) { return each.constraint == constraint->id; });
    if (isFull != full.end())
        record.cells.append({tr("full: %1 of %2", "buckets").arg(format().count(isFull->keys), all), overflowText(isFull->overflow), {},
                             Tone::Amber});
    else if (now->closed > 0)
        record.cells.append({tr("%1 of %2", "buckets").arg(format().count(now->closed), all), {}, {}, Tone::Amber});
    else
        record.cells.append({now->buckets > 0 ? tr("0 of %1", "buckets").arg(all) : QString(), {}, {}, Tone::Faint});
    record.cells.append({now->closed > 0 ? fromNow(now->opensAt_ms, zoneOf(*constraint)) : QString(), format().dateTime(now->opensAt_ms)});
    record.cells.append({now->wouldHold > 0 ? format().count(now->wouldHold) : QString()});
    return record;
}

Record ConstraintsPage::heldRecord(const client::Held &held) const
{
    Record record{rowKey(held.matcher, held.constraint) + ' ' + held.key, {}};
    record.cells.append({shown(held.title.isEmpty() ? held.matcher : held.title), shown(held.constraint), Look::icon(Icon::Constraints)});
    record.cells.append({kindName(held.kind)});
    record.cells.append({keyText(held.key)});
    record.cells.append({format().count(held.jobs), {}, {}, Tone::Amber});
    record.cells.append({held.used ? format().count(*held.used) : QString()});
    record.cells.append({held.limit ? format().count(*held.limit) : QString()});
    record.cells.append({ago(held.oldestAt_ms), format().dateTime(held.oldestAt_ms)});
    const auto live = m_live.constFind(held.constraint);
    const QByteArray zone = live == m_live.cend() ? QByteArray() : zoneOf(live->constraint);
    record.cells.append({fromNow(held.opensAt_ms, zone), format().dateTime(held.opensAt_ms)});
    return record;
}

} // namespace junban::ui
