#include "ui/constraintspage.h"

#include "ui/constrainttexts.h"
#include "ui/emptystate.h"
#include "ui/look.h"
#include "ui/matcherdialog.h"
#include "ui/pausedialog.h"
#include "ui/question.h"
#include "ui/recordlist.h"
#include "ui/revisionsdialog.h"
#include "ui/text.h"

#include <QAction>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace junban::ui {

using client::SavedMatcher;

namespace {

enum Tab { BucketsTab, MatcherTab, HeldTab };

} // namespace

ConstraintsPage::ConstraintsPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent)
    : Page(client, feed, preferences, parent)
{
    using enum RecordColumn::Side;
    m_list = new RecordList({{tr("JobMatcher"), 28}, {tr("Kind"), 22}, {tr("Limit"), 42}, {tr("Mode"), 15},
                             {tr("Used"), 10, Right, tr("What the running jobs cost")},
                             {tr("Waiting"), 10, Right, tr("Ready jobs that it concerns, held or not")},
                             {tr("Closed"), 13, Left, tr("Buckets that admit no job now")}, {tr("Opens"), 27},
                             {tr("Observed"), 11, Right, tr("How often it would have held a job, had it been in force")}},
                            tr("JobMatchers and constraints"), this);
    m_list->table()->remember(preferences, QStringLiteral("constraints/header"));
    buildActions();
    auto *split = new QSplitter(Qt::Vertical, this);
    split->setChildrenCollapsible(false);
    split->addWidget(m_list);
    split->addWidget(buildDetail());
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    m_pausesBox = new QWidget(this);
    m_pausesLayout = new QVBoxLayout(m_pausesBox);
    m_pausesLayout->setContentsMargins({});
    m_pausesLayout->setSpacing(1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(buildHead());
    layout->addWidget(m_pausesBox);
    layout->addWidget(split, 1);

    connect(m_list->table(), &RecordTable::chosenChanged, this, [this] {
        sayDetail();
        askBuckets();
    });
    connect(m_list->table(), &RecordTable::openRequested, m_edit, &QAction::trigger);
    connect(m_list->empty(), &EmptyState::actionTriggered, this, [this] { m_error ? refresh() : create(); });
    connect(&m_preferences, &Preferences::formatChanged, this, &ConstraintsPage::say);
    say();
}

QWidget *ConstraintsPage::buildHead()
{
    auto *box = new QWidget(this);
    m_summary = plainLabel({}, box);
    auto *pause = new QPushButton(Look::icon(Glyph::Pause), tr("&Pause…"), box);
    pause->setToolTip(tr("Start no more jobs, or none that match"));
    connect(pause, &QPushButton::clicked, this, [this] { askPause(); });
    auto *add = new QPushButton(tr("&New JobMatcher…"), box);
    connect(add, &QPushButton::clicked, this, [this] { create(); });
    auto *layout = new QHBoxLayout(box);
    const int gap = fontMetrics().height() / 2;
    layout->setContentsMargins(gap, gap, gap, gap);
    layout->addWidget(m_summary, 1);
    layout->addWidget(pause);
    layout->addWidget(add);
    return box;
}

void ConstraintsPage::buildActions()
{
    m_edit = new QAction(Look::icon(Glyph::Pencil), tr("&Edit…"), this);
    m_toggle = new QAction(Look::icon(Glyph::Pause), tr("S&witch off"), this);
    m_revisions = new QAction(Look::icon(Glyph::Clock), tr("&Revisions…"), this);
    m_delete = new QAction(Look::icon(Glyph::Bin), tr("&Delete…"), this);
    connect(m_edit, &QAction::triggered, this, [this] {
        if (const SavedMatcher *saved = chosen())
            openForm(*saved, {});
    });
    connect(m_toggle, &QAction::triggered, this, &ConstraintsPage::toggleEnabled);
    connect(m_revisions, &QAction::triggered, this, &ConstraintsPage::showRevisions);
    connect(m_delete, &QAction::triggered, this, &ConstraintsPage::askDelete);
    auto *menu = new QMenu(this);
    menu->addActions(actions());
    connect(m_list->table(), &QWidget::customContextMenuRequested, menu, [this, menu](const QPoint &at) {
        if (m_list->table()->indexAt(at).isValid())
            menu->popup(m_list->table()->viewport()->mapToGlobal(at));
    });
}

QWidget *ConstraintsPage::buildDetail()
{
    using enum RecordColumn::Side;
    m_tabs = new QTabWidget(this);
    m_tabs->setDocumentMode(true);
    m_buckets = new RecordList({{tr("Key"), 26}, {tr("State"), 12}, {tr("Used"), 9, Right}, {tr("Limit"), 9, Right},
                                {tr("Waiting"), 9, Right}, {tr("Opens"), 27}, {tr("Observed"), 11, Right},
                                {tr("Held by"), 40, Left, tr("Running jobs; Enter opens the first")}},
                               tr("Buckets"), m_tabs);
    connect(m_buckets->table(), &RecordTable::openRequested, this, [this](const QByteArray &key) {
        for (const client::Bucket &bucket : std::as_const(m_bucketsNow)) {
            if (bucket.key == key && !bucket.holders.isEmpty())
                Q_EMIT openJobRequested(bucket.holders.first());
        }
    });
    m_held = new RecordList({{tr("JobMatcher"), 26}, {tr("Kind"), 17}, {tr("Key"), 24}, {tr("Held jobs"), 12, Right},
                             {tr("Used"), 9, Right}, {tr("Limit"), 9, Right}, {tr("Oldest"), 16}, {tr("Opens"), 27}},
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
    auto *buttons = new QWidget(m_tabs);
    auto *layout = new QHBoxLayout(buttons);
    layout->setContentsMargins({});
    for (QAction *action : actions()) {
        auto *button = new QToolButton(buttons);
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        layout->addWidget(button);
    }
    m_tabs->setCornerWidget(buttons);
    return m_tabs;
}

void ConstraintsPage::refresh()
{
    if (m_call == 0) {
        m_call = m_client.matchers(matchers_max, {}, client::guarded<client::MatcherPage>(this, [this](Result<client::MatcherPage> answer) {
            m_call = 0;
            matchersCame(std::move(answer));
        }));
    }
    if (m_liveCall == 0) {
        const auto came = [this](Result<client::ConstraintPage> answer) {
            m_liveCall = 0;
            if (answer.ok())
                m_live = answer->constraints;
            say();
        };
        m_liveCall = m_client.constraints(constraints_max, {}, client::guarded<client::ConstraintPage>(this, came));
    }
    if (m_heldCall == 0) {
        m_heldCall = m_client.held(held_max, client::guarded<client::HeldList>(this, [this](Result<client::HeldList> answer) {
            m_heldCall = 0;
            if (answer.ok())
                m_heldNow = std::move(answer).value();
            sayHeld();
        }));
    }
    if (m_pausesCall == 0) {
        m_pausesCall = m_client.pauses(client::guarded<QList<client::Pause>>(this, [this](Result<QList<client::Pause>> answer) {
            m_pausesCall = 0;
            if (answer.ok())
                m_pauses = std::move(answer).value();
            sayPauses();
        }));
    }
    askBuckets();
}

void ConstraintsPage::matchersCame(Result<client::MatcherPage> answer)
{
    if (answer.ok()) {
        m_matchers = answer->matchers;
        m_reading = answer->reading;
        m_known = true;
        m_error.reset();
    } else if (!m_known) {
        m_error = answer.error();
    } // else the last known stays, and the window says that it is old
    say();
}

QByteArray ConstraintsPage::chosenConstraint() const
{
    return m_list->table()->chosen().split(' ').value(1);
}

const SavedMatcher *ConstraintsPage::chosen() const
{
    const QByteArray id = m_list->table()->chosen().split(' ').value(0);
    const auto found = std::find_if(m_matchers.begin(), m_matchers.end(),
                                    [&](const SavedMatcher &saved) { return saved.matcher.id == id; });
    return found == m_matchers.end() ? nullptr : &*found;
}

const client::LiveConstraint *ConstraintsPage::live(const QByteArray &constraint) const
{
    const auto found = std::find_if(m_live.begin(), m_live.end(),
                                    [&](const client::LiveConstraint &live) { return live.constraint.id == constraint; });
    return found == m_live.end() ? nullptr : &*found;
}

void ConstraintsPage::showConstraint(const QByteArray &matcher, const QByteArray &constraint)
{
    m_list->table()->choose(rowKey(matcher, constraint));
    m_tabs->setCurrentIndex(BucketsTab);
}

void ConstraintsPage::askBuckets()
{
    const QByteArray constraint = chosenConstraint();
    if (constraint != m_bucketsOf) {
        m_client.cancel(m_bucketsCall);
        m_bucketsCall = 0;
        m_bucketsNow.clear();
        m_bucketsOf = constraint;
        sayDetail();
    }
    if (constraint.isEmpty() || m_bucketsCall != 0)
        return;
    const auto came = [this, constraint](Result<client::BucketPage> answer) {
        m_bucketsCall = 0;
        if (!answer.ok() || constraint != m_bucketsOf)
            return;
        m_bucketsNow = answer->buckets;
        m_moreBuckets = !answer->next.isEmpty();
        // The closed ones first, and among them those on which most jobs wait.
        std::stable_sort(m_bucketsNow.begin(), m_bucketsNow.end(), [](const client::Bucket &a, const client::Bucket &b) {
            return std::tuple(a.open, -a.waiting, a.key) < std::tuple(b.open, -b.waiting, b.key);
        });
        sayDetail();
    };
    m_bucketsCall = m_client.buckets(constraint, {}, client::guarded<client::BucketPage>(this, came));
}

void ConstraintsPage::say()
{
    QList<Record> records;
    for (const SavedMatcher &saved : std::as_const(m_matchers)) {
        for (const Constraint &constraint : saved.matcher.constraints)
            records.append(record(saved, &constraint));
        if (saved.matcher.constraints.isEmpty())
            records.append(record(saved, nullptr));
    }
    m_list->setRecords(records);
    if (m_error)
        m_list->empty()->say(Glyph::Warning, tr("The JobMatchers could not be read"), shown(m_error->message), tr("Try again"));
    else if (!m_known)
        m_list->empty()->say(Glyph::Hourglass, tr("Loading…"), {});
    else
        m_list->empty()->say(Glyph::Constraints, tr("No JobMatchers"),
                             tr("A JobMatcher is a condition on jobs, such as job.name.startsWith(\"mail.\"), with limits for those that "
                                "meet it."),
                             tr("New JobMatcher…"));
    m_list->setFoot(m_reading > 0 ? tr("After the last change %n ready job(s) are being read anew", nullptr, int(m_reading)) : QString());
    sayDetail();
    sayHeld();
}

void ConstraintsPage::sayDetail()
{
    const SavedMatcher *saved = chosen();
    for (QAction *action : actions())
        action->setEnabled(saved != nullptr);
    QList<Record> buckets;
    for (const client::Bucket &bucket : std::as_const(m_bucketsNow))
        buckets.append(bucketRecord(bucket));
    m_buckets->setRecords(buckets);
    m_buckets->setFoot(m_moreBuckets && !buckets.isEmpty() ? tr("There are more buckets than are shown.") : QString());
    if (!saved) {
        m_buckets->empty()->say(Glyph::Constraints, tr("Select a constraint to see its buckets."), {});
        m_about->setPlainText({});
        return;
    }
    m_buckets->empty()->say(Glyph::Constraints, tr("No job is concerned just now"), {});
    m_toggle->setText(saved->matcher.enabled ? tr("S&witch off") : tr("S&witch on"));
    m_toggle->setIcon(Look::icon(saved->matcher.enabled ? Glyph::Pause : Glyph::Play));
    QString about = QString::fromUtf8(saved->matcher.expression);
    if (!saved->matcher.note.isEmpty())
        about += QStringLiteral("\n\n") + QString::fromUtf8(saved->matcher.note);
    about += QStringLiteral("\n\n") + tr("Revision %1, saved %2 by %3")
                 .arg(QString::number(saved->matcher.revision), format().dateTime(saved->matcher.editedAt_ms),
                      shown(saved->matcher.editedBy));
    if (m_about->toPlainText() != about)
        m_about->setPlainText(about);
}

void ConstraintsPage::sayHeld()
{
    QList<Record> records;
    qint64 jobs = 0;
    for (const client::Held &held : std::as_const(m_heldNow.held)) {
        records.append(heldRecord(held));
        jobs += held.jobs;
    }
    m_held->setRecords(records);
    m_held->empty()->say(Glyph::Check, tr("No constraint holds a job"), {});
    m_held->setFoot(m_heldNow.complete ? QString() : tr("There is more than could be looked at."));
    m_tabs->setTabText(HeldTab, records.isEmpty() ? tr("What holds jobs") : tr("What holds jobs (%1)").arg(records.size()));
    if (records.isEmpty())
        m_summary->setText(tr("No job is held by a constraint."));
    else
        m_summary->setText(tr("%n job(s) are held", nullptr, int(jobs)) + QStringLiteral(" · ")
                           + tr("most by %1: %2").arg(shown(m_heldNow.held.first().matcher), keyText(m_heldNow.held.first().key)));
}

void ConstraintsPage::sayPauses()
{
    QStringList told{format().dateTime(1)}; // in another zone or language they are other strips
    for (const client::Pause &pause : std::as_const(m_pauses))
        told.append(QString::fromUtf8(pause.id));
    if (told == std::exchange(m_pausesTold, told))
        return; // a button that is being pressed stays
    while (QLayoutItem *item = m_pausesLayout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const client::Pause &pause : std::as_const(m_pauses))
        m_pausesLayout->addWidget(new PauseStrip(pause, format(), [this, id = pause.id] { resume(id); }, m_pausesBox));
    m_pausesBox->setVisible(!m_pauses.isEmpty());
}

void ConstraintsPage::askPause(const QByteArray &match)
{
    auto *dialog = new PauseDialog(m_client, match, m_feed.now_ms(), window());
    connect(dialog, &PauseDialog::paused, this, [this](const QByteArray &id) {
        Q_EMIT done(tr("Paused"), tr("Resume"), [this, id] { resume(id); });
        refresh();
    });
    dialog->open();
}

void ConstraintsPage::resume(const QByteArray &id)
{
    m_client.resume(id, client::guarded<QList<client::Pause>>(this, [this](Result<QList<client::Pause>> answer) {
        if (answer.ok())
            Q_EMIT done(tr("The pause has ended"), {}, {});
        else
            Q_EMIT failed(tr("Refused: %1").arg(shown(answer.error().message)));
        refresh();
    }));
}

void ConstraintsPage::create(const QByteArray &expression)
{
    openForm({}, expression);
}

void ConstraintsPage::openForm(const std::optional<SavedMatcher> &matcher, const QByteArray &expression)
{
    auto *dialog = new MatcherDialog(m_client, matcher ? std::optional(matcher->matcher) : std::nullopt, m_preferences, window());
    if (!expression.isEmpty())
        dialog->setExpression(expression);
    connect(dialog, &MatcherDialog::saved, this, [this](const SavedMatcher &now, qint64 before) {
        const QString text = tr("Revision %1 is in force").arg(now.matcher.revision);
        if (before > 0)
            Q_EMIT done(text, tr("Undo"), [this, id = now.matcher.id, before, revision = now.matcher.revision] {
                m_client.revertMatcher(id, before, revision, client::guarded<SavedMatcher>(this, [this](Result<SavedMatcher> answer) {
                    acted(answer, tr("The revision before is in force again"));
                }));
            });
        else
            Q_EMIT done(text, {}, {});
        refresh();
    });
    connect(dialog, &MatcherDialog::jobRequested, this, &ConstraintsPage::openJobRequested);
    dialog->open();
}

void ConstraintsPage::acted(const Result<SavedMatcher> &answer, const QString &text)
{
    if (answer.ok())
        Q_EMIT done(text, {}, {});
    else if (answer.error().code == ErrorCode::RevisionMismatch)
        Q_EMIT failed(tr("Someone else has changed it meanwhile; nothing was done."));
    else
        Q_EMIT failed(tr("Refused: %1").arg(shown(answer.error().message)));
    refresh();
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
        const QString text = on ? tr("The JobMatcher is switched on") : tr("The JobMatcher is switched off");
        if (answer.ok() && !answer->value)
            acted(Error{ErrorCode::InvalidField, answer->problems.first().problem.message, {}, 0}, text);
        else
            acted(answer.ok() ? Result<SavedMatcher>(*answer->value) : Result<SavedMatcher>(answer.error()), text);
    }));
}

void ConstraintsPage::showRevisions()
{
    const SavedMatcher *saved = chosen();
    if (!saved)
        return;
    auto *dialog = new RevisionsDialog(m_client, saved->matcher, format(), window());
    connect(dialog, &RevisionsDialog::reverted, this, [this](const SavedMatcher &now) {
        Q_EMIT done(tr("Revision %1 is in force").arg(now.matcher.revision), {}, {});
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
    ask(window(),
        {tr("Delete the JobMatcher “%1”?").arg(shown(matcher.id)), tr("Its limits end at once; held jobs may start."), tr("Delete it")},
        [this, matcher] {
            m_client.deleteMatcher(matcher.id, matcher.revision, client::guarded<SavedMatcher>(this, [this](Result<SavedMatcher> answer) {
                if (!answer.ok()) {
                    acted(answer, {});
                    return;
                }
                Q_EMIT done(tr("The JobMatcher is deleted"), tr("Undo"), [this, gone = answer->matcher] {
                    const auto came = [this](Result<SavedMatcher> back) { acted(back, tr("The JobMatcher is there again")); };
                    m_client.revertMatcher(gone.id, gone.revision, 0, client::guarded<SavedMatcher>(this, came));
                });
                refresh();
            }));
        });
}

} // namespace junban::ui
