#include "ui/past/resultspage.h"

#include "core/base/durations.h"
#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/payloadtext.h"
#include "ui/base/text.h"
#include "ui/limits/argumentpaths.h"
#include "ui/limits/condition.h"
#include "ui/limits/filterbar.h"
#include "ui/limits/savedfilters.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/flowlayout.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/payloadview.h"
#include "ui/widgets/question.h"
#include "ui/widgets/recordlist.h"
#include "ui/widgets/savedialog.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSaveFile>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

constexpr int jsonIndent = 2;
constexpr qint64 costlyScan = 2'000;
constexpr int costlyBeats = 5;
constexpr qint64 soon_ms = 5 * 60'000; // a result that expires sooner is shown in amber

} // namespace

ResultsPage::ResultsPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent)
    : Page(client, feed, preferences, parent)
{
    using enum RecordColumn::Side;
    using enum RecordColumn::Sort;
    // The whole ID is seldom of interest.
    m_list = new RecordList({{tr("Job"), 16}, {tr("Name"), 22}, {tr("Size"), 12, Right}, {tr("Finished"), 18, Left, {}, None, true},
                             {tr("Expires"), 20, Left, {}, None, true}},
                            tr("Results"), this);
    setMainList(m_list);
    m_list->table()->remember(preferences, QStringLiteral("results/header"));
    buildActions();
    auto *split = new QSplitter(Qt::Horizontal, this);
    split->setChildrenCollapsible(false);
    split->addWidget(m_list);
    split->addWidget(m_detail = buildDetail());
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setSizes({3'000, 2'000}); // only their proportion matters
    m_detail->hide();
    auto *head = new QWidget(this);
    m_bar = new FilterBar(m_preferences, Searched::Jobs, head);
    m_bar->append(new SavedFilters(m_client, m_preferences, *m_bar, FilterScreen::Results, m_bar));
    m_bar->setSuggestions(suggestionsFrom({}, cel::searchEnvironment()));
    m_stop = new QPushButton(head);
    m_stop->hide();
    connect(m_stop, &QPushButton::clicked, this, &ResultsPage::stopOrGoOn);
    QHBoxLayout *line = headLine(head);
    line->addWidget(m_bar, 1);
    line->addWidget(m_stop);
    connect(m_bar, &FilterBar::applied, this, &ResultsPage::search);
    connect(m_bar, &FilterBar::entered, m_list->table(), qOverload<>(&QWidget::setFocus));
    setTabOrder(m_bar->edit(), m_list->table());
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(head);
    layout->addWidget(split, 1);
    connect(m_list->table(), &RecordTable::chosenChanged, this, [this] {
        sayDetail();
        peek();
    });
    connect(m_list->table(), &RecordTable::openRequested, m_open, &QAction::trigger);
    connect(m_list, &RecordList::moreRequested, this, &ResultsPage::more);
    connect(m_list->empty(), &EmptyState::actionTriggered, this, [this] {
        if (!unreadable() && !m_match.isEmpty())
            m_bar->setFilter({});
        else
            refresh();
    });
    connect(&m_preferences, &Preferences::formatChanged, this, &ResultsPage::say);
    say();
}

void ResultsPage::buildActions()
{
    m_save = new QAction(Look::icon(Icon::Save), tr("&Save as…"), this);
    m_discard = new QAction(Look::icon(Icon::Bin), tr("&Discard…"), this);
    m_open = new QAction(Look::icon(Icon::Jobs), tr("&Open the job"), this);
    m_extensions = new QMenu(tr("&Keep for"), this);
    m_extensions->setIcon(Look::icon(Icon::Clock));
    for (const qint64 hours : {1, 24, 7 * 24, 30 * 24}) {
        const QString text = hours < 48 ? tr("%Ln hour(s) from now", nullptr, int(hours))
                                        : tr("%Ln day(s) from now", nullptr, int(hours / 24));
        connect(m_extensions->addAction(text), &QAction::triggered, this, [this, hours] { extend(hours * hour_ms); });
    }
    connect(m_save, &QAction::triggered, this, &ResultsPage::askPath);
    connect(m_discard, &QAction::triggered, this, &ResultsPage::askDiscard);
    connect(m_open, &QAction::triggered, this, [this] {
        if (const std::optional<KeptResult> result = chosen())
            Q_EMIT openJobRequested(result->id);
    });
    offer(m_list, {m_open, m_save, m_extensions->menuAction(), m_discard},
          [this](QMenu *menu, const QModelIndex &cell) { offerCell(menu, cell); });
}

QWidget *ResultsPage::buildDetail()
{
    auto *box = new QWidget(this);
    m_title = titleLabel(box);
    auto *note = plainLabel(tr("Viewing a result does not collect it."), box);
    note->setForegroundRole(QPalette::PlaceholderText);
    note->setWordWrap(true);
    const int gap = fontMetrics().height() / 2;
    auto *buttons = new FlowLayout;
    buttons->setSpacing(gap / 2);
    addButtons(buttons, {m_save, m_open}, box);
    auto *longer = new QToolButton(box);
    longer->setText(tr("&Keep for"));
    longer->setIcon(Look::icon(Icon::Clock));
    longer->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    longer->setMenu(m_extensions);
    longer->setPopupMode(QToolButton::InstantPopup);
    buttons->addWidget(longer);
    addButtons(buttons, {m_discard}, box);
    auto *head = new QVBoxLayout;
    head->setContentsMargins(gap, gap, gap, gap);
    head->setSpacing(gap / 2);
    head->addWidget(m_title);
    head->addWidget(note);
    head->addLayout(buttons);
    m_payload = new PayloadView(tr("Outcome"), box);
    auto *layout = new QVBoxLayout(box);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_payload, 1);
    return box;
}

void ResultsPage::offerCell(QMenu *menu, const QModelIndex &cell)
{
    const QByteArray key = cell.data(RecordModel::KeyRole).toByteArray();
    const auto result = std::find_if(m_results.cbegin(), m_results.cend(), [&](const KeptResult &each) { return each.id.text() == key; });
    if (cell.column() > 1 || result == m_results.cend() || result->name.isEmpty())
        return;
    const Condition name{"job.name", quotedText(result->name), Condition::Is::Equal, true, true};
    const Condition id{"job.id", quotedText(key)};
    offerCondition(menu, menu->actions().value(0), m_bar, cell.column() == 1 ? name : id,
                   {[this](const QByteArray &expression) { Q_EMIT matcherRequested(expression); },
                    [this](const QByteArray &expression) { Q_EMIT pauseRequested(expression); }});
}

void ResultsPage::refresh()
{
    // A search that looks at many results is made less often; one that was stopped is not begun again by itself.
    if (m_call != 0 || m_search == Search::Stopped || (m_scanned > costlyScan && !m_match.isEmpty() && ++m_asked % costlyBeats != 0))
        return;
    m_coming.clear();
    m_scanning = 0;
    read({});
}

void ResultsPage::search()
{
    m_client.cancel(m_call);
    m_call = 0;
    m_match = m_bar->match();
    m_scanned = 0;
    m_limit = rowsAtOnce;
    m_search = Search::None;
    refresh();
}

void ResultsPage::stopOrGoOn()
{
    if (m_search == Search::Stopped) {
        m_search = Search::GoesOn;
        m_coming = m_results;
        m_scanning = m_scanned;
        read(m_next);
    } else {
        m_client.cancel(m_call);
        m_call = 0;
        m_search = Search::Stopped;
    }
    say();
}

void ResultsPage::read(const QByteArray &cursor)
{
    const client::ResultsQuery query{m_limit - int(m_coming.size()), cursor, m_match};
    m_call = m_client.results(query, client::guarded<ResultPage>(this, [this, match = m_match](Result<ResultPage> answer) {
        if (match != m_match || (!answer.ok() && answer.error().code == ErrorCode::Cancelled))
            return;
        m_call = 0;
        came(std::move(answer));
    }));
}

void ResultsPage::more()
{
    m_limit = std::min(m_limit + rowsAtOnce, limits::page_rows_max);
    m_scanned = 0;
    refresh();
}

// A page of a search looks at a bounded number of results, so the next one is asked for while there are few rows and results to look at.
// What was found so far is shown, unless it would take the place of the rows of a search that has ended.
void ResultsPage::came(Result<ResultPage> answer)
{
    if (learned(answer)) {
        m_coming += answer->results;
        m_total = answer->total;
        m_scanning += answer->scanned;
        const bool goesOn = !answer->next.isEmpty() && m_coming.size() < m_limit;
        const bool first = m_scanned == 0 || m_search != Search::None; // nothing is shown that has ended
        if (goesOn && !m_match.isEmpty() && first)
            m_search = Search::GoesOn;
        else if (!goesOn)
            m_search = Search::None;
        if (goesOn)
            read(answer->next);
        if (!goesOn || first) {
            m_results = m_coming;
            m_scanned = m_scanning;
            m_next = answer->next;
        }
    } else {
        m_search = Search::None;
    }
    say();
}

std::optional<KeptResult> ResultsPage::chosen() const
{
    const QByteArray key = m_list->table()->chosen();
    const auto found
        = std::find_if(m_results.cbegin(), m_results.cend(), [&](const KeptResult &result) { return result.id.text() == key; });
    return found == m_results.cend() ? std::nullopt : std::optional(*found);
}

void ResultsPage::peek()
{
    m_client.cancel(m_peekCall);
    m_peekCall = 0;
    const std::optional<KeptResult> result = chosen();
    if (!result || result->id == m_peeked)
        return;
    m_outcome.clear();
    m_payload->setNote(tr("Loading…"));
    m_peekCall = m_client.peekResult(result->id, client::guarded<ResultNow>(this, [this, id = result->id](auto answer) {
        if (!chosen() || chosen()->id != id)
            return;
        if (!answer.ok()) {
            m_payload->setNote(tr("The result could not be read: %1").arg(reasonText(answer.error().reason)));
            return;
        }
        m_peeked = id;
        if (answer->status == ResultStatus::Ready)
            m_outcome = answer->outcome;
        sayDetail();
    }));
}

void ResultsPage::saySearch()
{
    const bool stopped = m_search == Search::Stopped;
    m_stop->setVisible(m_search != Search::None);
    m_stop->setText(stopped ? tr("Search on") : tr("Stop"));
    const QString found = m_search == Search::None ? tr("No result matches") : stopped ? tr("None found so far") : tr("Searching…");
    m_list->empty()->say(Icon::Search, found, m_bar->edit()->toPlainText(), tr("Clear filter"));
}

void ResultsPage::say()
{
    QList<Record> records;
    const qint64 now_ms = m_feed.now_ms();
    for (const KeptResult &result : std::as_const(m_results)) {
        const qint64 left_ms = result.expiresAt_ms - now_ms;
        const QByteArray id = result.id.text();
        records.append({id, {{QString::fromLatin1(id)},
                             {result.name.isEmpty() ? tr("(the job is removed)") : shown(result.name), {}, {},
                              result.name.isEmpty() ? Tone::Faint : Tone::Plain},
                             {format().bytes(result.bytes)},
                             {ago(result.finishedAt_ms), format().dateTime(result.finishedAt_ms)},
                             {tr("in %1", "a duration").arg(format().age(left_ms)), format().dateTime(result.expiresAt_ms), {},
                              left_ms < soon_ms ? Tone::Amber : Tone::Plain}}});
    }
    m_list->setRecords(records);
    saySearch();
    if (!saidUnknown(m_list->empty(), tr("The results could not be read")) && m_match.isEmpty())
        m_list->empty()->say(Icon::Results, tr("No results waiting"),
                             tr("A job that was enqueued to keep its result leaves it here until its pusher fetches it or it expires."));
    const bool canMore = m_search == Search::None && !m_next.isEmpty() && m_limit < limits::page_rows_max;
    const QString shownOf = tr("%1 of %Ln result(s), those that expire first", nullptr, int(m_total)).arg(format().count(m_results.size()));
    const QString found = tr("%Ln row(s)", nullptr, int(m_results.size())) + QStringLiteral("  ·  ")
        + tr("searched %1 of %2").arg(format().count(m_scanned), format().count(m_total));
    m_list->setFoot(!m_match.isEmpty() ? found : m_results.isEmpty() ? QString() : shownOf,
                    canMore ? RecordList::More::Offered : RecordList::More::None);
    sayDetail();
}

void ResultsPage::sayDetail()
{
    const std::optional<KeptResult> result = chosen();
    m_detail->setVisible(result.has_value());
    const bool here = result && result->id == m_peeked && !m_outcome.isEmpty();
    m_save->setEnabled(here);
    for (QAction *action : {m_discard, m_open})
        action->setEnabled(result.has_value());
    m_extensions->setEnabled(result.has_value());
    if (!result)
        return;
    m_title->setText(result->name.isEmpty() ? QString::fromLatin1(result->id.text()) : shown(result->name));
    m_payload->setOwner(m_title->text());
    if (here)
        m_payload->setBytes(m_outcome);
    else if (result->id == m_peeked)
        m_payload->setNote(tr("The result was collected, or it expired."));
}

void ResultsPage::askPath()
{
    const std::optional<KeptResult> result = chosen();
    if (!result)
        return;
    askWhereToSave(window(), tr("Save the result"), QString::fromLatin1(result->id.text()), [this](const QString &path) {
        if (saveTo(path))
            Q_EMIT done(tr("Saved to %1").arg(path), {}, {});
        else
            Q_EMIT failed(tr("%1 could not be written").arg(path));
    });
}

bool ResultsPage::saveTo(const QString &path)
{
    if (m_outcome.isEmpty())
        return false;
    QSaveFile file(path);
    const bool json = path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    const QByteArray content = json ? payloadJson(m_outcome, jsonIndent) + '\n' : m_outcome;
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.commit();
}

void ResultsPage::askDiscard()
{
    const std::optional<KeptResult> result = chosen();
    if (!result)
        return;
    ask(window(), m_client, {tr("Discard this result?"), tr("Its pusher will get no result. This cannot be undone."), tr("Discard"),
                   Question::Weight::Destroys},
        [this, id = result->id] {
            m_client.discardResult(id, client::guarded<Done>(this, [this](Result<Done> answer) {
                acted(answer, tr("Result discarded"));
            }));
        });
}

void ResultsPage::extend(qint64 ttl_ms)
{
    const std::optional<KeptResult> result = chosen();
    if (!result)
        return;
    m_client.extendResult(result->id, ttl_ms, client::guarded<KeptResult>(this, [this](Result<KeptResult> answer) {
        const qint64 until_ms = answer.ok() ? answer->expiresAt_ms : 0;
        acted(answer, tr("Result kept until %1").arg(format().timeToday(until_ms, m_feed.now_ms())));
    }));
}

} // namespace junban::ui
