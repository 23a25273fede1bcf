#include "ui/access/auditlogpage.h"

#include "core/limits.h"
#include "ui/access/accesstexts.h"
#include "ui/access/auditchange.h"
#include "ui/base/look.h"
#include "ui/base/payloadtext.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/widgets/copytext.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/payloadview.h"
#include "ui/widgets/recordlist.h"
#include "ui/widgets/valuewindow.h"

#include <QAction>
#include <QComboBox>
#include <QCompleter>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStringListModel>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace junban::ui {

namespace {

constexpr qsizetype value_characters_max = 300;
constexpr int searchBeats = 5; // a narrowed list, for which the master may look at many entries, is asked for at every fifth occasion
constexpr qint64 hour = 3'600'000;
constexpr qint64 ranges_ms[] = {0, hour, 24 * hour, 7 * 24 * hour};
enum Column { AtColumn, WhoColumn, FromColumn, ActionColumn, TargetColumn, StatusColumn, ReasonColumn, ChangeColumn };

bool isSame(const AuditEntry &a, const AuditEntry &b)
{
    return a.at_ms == b.at_ms && a.actor == b.actor && a.action == b.action && a.target == b.target && a.result == b.result
        && a.reason == b.reason && a.before == b.before && a.after == b.after;
}

// How many entries of `page` came before the first of those that are known; all of them when none is known.
qsizetype newOf(const QList<AuditEntry> &page, const QList<AuditEntry> &known)
{
    for (qsizetype from = 0; from < page.size(); ++from) {
        const qsizetype both = std::min(page.size() - from, known.size());
        if (both > 0 && std::equal(page.begin() + from, page.begin() + from + both, known.begin(), isSame))
            return from;
    }
    return page.size();
}

// A key that stays with an entry, which has none of its own. Two that are alike are told apart by their place.
QByteArrayList keysOf(const QList<AuditEntry> &entries)
{
    QByteArrayList keys;
    QHash<QByteArray, int> seen;
    for (const AuditEntry &entry : entries) {
        const QByteArray key = QByteArray::number(entry.at_ms) + ' ' + entry.actor + ' ' + entry.action + ' ' + entry.target;
        const int before = seen[key]++;
        keys.append(before == 0 ? key : key + ' ' + QByteArray::number(before));
    }
    return keys;
}

QLineEdit *filterField(const QString &name, QStringListModel *words, QWidget *parent)
{
    auto *field = new QLineEdit(parent);
    field->setPlaceholderText(name);
    field->setAccessibleName(name);
    field->setClearButtonEnabled(true);
    field->setMaxLength(limits::name_bytes_max);
    auto *completer = new QCompleter(words, field);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    field->setCompleter(completer);
    return field;
}

} // namespace

AuditLogPage::AuditLogPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent)
    : Page(client, feed, preferences, parent)
{
    using enum RecordColumn::Side;
    using enum RecordColumn::Sort;
    m_list = new RecordList({{tr("At"), 16, Left, {}, None, true}, {tr("Who"), 20}, {tr("From"), 16, Left, tr("The caller's address"), None,
                             false, true}, {tr("Action"), 20}, {tr("Target"), 30}, {tr("Status"), 8, Right, tr("The status of the answer")},
                             {tr("Reason"), 26}, {tr("Change"), 60, Left, {}, None, false, false, false, true}},
                            tr("Audit"), this);
    m_list->table()->remember(preferences, QStringLiteral("audit/header"));
    buildActions();
    m_detail = buildDetail();
    arrange({buildHead()}, m_list, m_detail, Detail::UntilChosen);
    setTabOrder(m_range, m_list->table());
    connect(m_list->table(), &RecordTable::chosenChanged, this, &AuditLogPage::sayDetail);
    connect(m_list->table(), &RecordTable::openRequested, m_open, &QAction::trigger);
    connect(m_list, &RecordList::moreRequested, this, &AuditLogPage::more);
    connect(m_list->empty(), &EmptyState::actionTriggered, this, [this] {
        if (!m_failure && isNarrowed())
            setFilter({});
        else
            refreshNow();
    });
    connect(&m_preferences, &Preferences::formatChanged, this, &AuditLogPage::say);
    say();
}

void AuditLogPage::buildActions()
{
    m_open = new QAction(Look::icon(Icon::Search), tr("&Open the target"), this);
    m_copy = new QAction(Look::icon(Icon::Copy), tr("&Copy the entry"), this);
    m_sameActor = new QAction(tr("Only of this &person or program"), this);
    m_sameAction = new QAction(tr("Only this &action"), this);
    m_sameTarget = new QAction(tr("Only this &target"), this);
    connect(m_open, &QAction::triggered, this, &AuditLogPage::openTarget);
    connect(m_copy, &QAction::triggered, this, [this] {
        if (const AuditEntry *entry = chosen())
            copyText(QString::fromUtf8(payloadJson(pack(auditEntryTable, *entry, Written::Sparse), payloadIndent)), m_list->table());
    });
    const auto narrows = [this](QAction *action, QByteArray Filter::*member, QByteArray AuditEntry::*of) {
        connect(action, &QAction::triggered, this, [this, member, of] {
            const AuditEntry *entry = chosen();
            if (!entry)
                return;
            Filter filter = m_filter;
            filter.*member = entry->*of;
            setFilter(filter);
        });
    };
    narrows(m_sameActor, &Filter::actor, &AuditEntry::actor);
    narrows(m_sameAction, &Filter::action, &AuditEntry::action);
    narrows(m_sameTarget, &Filter::target, &AuditEntry::target);
    offer(m_list, {m_open, m_copy, m_sameActor, m_sameAction, m_sameTarget});
}

QWidget *AuditLogPage::buildHead()
{
    auto *box = new QWidget(this);
    m_actors = new QStringListModel(this);
    m_actionWords = new QStringListModel(this);
    m_targets = new QStringListModel(this);
    m_actor = filterField(tr("Who: a token's ID or note"), m_actors, box);
    m_action = filterField(tr("Action"), m_actionWords, box);
    m_target = filterField(tr("Target"), m_targets, box);
    m_target->setMaxLength(limits::audit_text_bytes_max);
    m_range = new QComboBox(box);
    m_range->addItems({tr("All that is kept"), tr("Last hour"), tr("Last 24 hours"), tr("Last 7 days")});
    m_range->setAccessibleName(tr("Period"));
    m_hint = plainLabel(tr("Enter applies the filter"), box);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    QHBoxLayout *line = headLine(box);
    for (QLineEdit *field : {m_actor, m_action, m_target}) {
        line->addWidget(field, 1);
        connect(field, &QLineEdit::returnPressed, this, [this] {
            apply();
            m_list->table()->setFocus();
        });
        connect(field->completer(), qOverload<const QString &>(&QCompleter::activated), this, &AuditLogPage::apply, Qt::QueuedConnection);
        connect(field, &QLineEdit::textChanged, this, [this](const QString &text) {
            // The button that empties a field means it.
            if (text.isEmpty() && m_filter != typed())
                apply();
            sayHint();
        });
    }
    line->addWidget(m_range);
    line->addWidget(m_hint);
    connect(m_range, &QComboBox::activated, this, &AuditLogPage::apply);
    sayHint();
    return box;
}

QWidget *AuditLogPage::buildDetail()
{
    auto *box = new QWidget(this);
    m_title = titleLabel(box);
    m_about = aboutLabel(box);
    m_reason = plainLabel({}, box);
    m_reason->setWordWrap(true);
    m_reason->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_changes = new RecordList({{tr("Field"), 32}, {tr("Before"), 40}, {tr("After"), 40}}, tr("What was changed"), box);
    m_changes->empty()->say(Icon::Check, tr("No fields were changed"), {});
    m_whole = new PayloadView(tr("Entry"), box);
    auto *tabs = new QTabWidget(box);
    tabs->setDocumentMode(true);
    tabs->addTab(m_changes, tr("Change"));
    tabs->addTab(m_whole, tr("Whole entry"));
    layOutDetail(box, {m_title, m_about, m_reason}, {m_open, m_copy, m_sameActor, m_sameAction, m_sameTarget})->addWidget(tabs, 1);
    // A value that is cut in its cell is shown in full.
    connect(m_changes->table(), &QAbstractItemView::doubleClicked, this, [this](const QModelIndex &cell) {
        const AuditEntry *entry = chosen();
        const QList<ChangedField> fields = entry ? changedFields(entry->before, entry->after) : QList<ChangedField>();
        if (cell.row() >= fields.size() || cell.column() == 0)
            return;
        const ChangedField &field = fields[cell.row()];
        const QByteArray &value = cell.column() == 1 ? field.before : field.after;
        if (!value.isEmpty())
            (new ValueWindow(value, field.path, this))->show();
    });
    return box;
}

AuditLogPage::Filter AuditLogPage::typed() const
{
    const auto text = [](const QLineEdit *field) { return field->text().trimmed().toUtf8(); };
    return {text(m_actor), text(m_action), text(m_target), ranges_ms[std::max(0, m_range->currentIndex())]};
}

void AuditLogPage::setFilter(const Filter &filter)
{
    m_actor->setText(QString::fromUtf8(filter.actor));
    m_action->setText(QString::fromUtf8(filter.action));
    m_target->setText(QString::fromUtf8(filter.target));
    const auto range = std::find(std::begin(ranges_ms), std::end(ranges_ms), filter.last_ms);
    m_range->setCurrentIndex(range == std::end(ranges_ms) ? 0 : int(range - std::begin(ranges_ms)));
    apply();
}

void AuditLogPage::enterFilter()
{
    m_actor->setFocus(Qt::ShortcutFocusReason);
    m_actor->selectAll();
}

void AuditLogPage::apply()
{
    const Filter wanted = typed();
    sayHint();
    if (wanted == m_filter)
        return;
    m_filter = wanted;
    m_client.cancel(std::exchange(m_call, 0));
    m_entries.clear();
    m_next.clear();
    m_withheld = 0;
    m_failure.reset();
    m_isRead = false;
    sayHint();
    if (isVisible())
        ask({});
    say();
}

void AuditLogPage::refresh()
{
    if (m_call != 0 || (isNarrowed() && !m_entries.isEmpty() && ++m_asked % searchBeats != 0))
        return;
    ask({});
}

void AuditLogPage::refreshNow()
{
    if (std::exchange(m_withheld, 0) > 0)
        say();
    if (m_call == 0)
        ask({});
}

void AuditLogPage::more()
{
    if (m_call != 0 || m_next.isEmpty())
        return;
    m_wanted = rowsAtOnce;
    ask(m_next);
    sayFoot();
}

// The newest entries, or those after the cursor.
void AuditLogPage::ask(const QByteArray &cursor)
{
    const client::AuditQuery query{0, m_filter.last_ms, m_filter.actor, m_filter.action, m_filter.target, rowsAtOnce, cursor};
    m_call = m_client.audit(query, client::guarded<AuditPage>(this, [this, cursor](const Result<AuditPage> &answer) {
        if (!answer.ok() && answer.error().code == ErrorCode::Cancelled)
            return;
        m_call = 0;
        came(answer, cursor);
    }));
}

// With a filter the master looks at a bounded number of entries for one page, so the next page is asked for while there are few rows.
void AuditLogPage::came(const Result<AuditPage> &answer, const QByteArray &cursor)
{
    const bool wasKnown = !m_failure && !m_entries.isEmpty();
    m_failure = answer.ok() ? std::nullopt : std::optional(answer.error());
    m_isRead = m_isRead || answer.ok();
    if (!answer.ok()) {
        say();
        return;
    }
    const qsizetype before = m_entries.size();
    if (cursor.isEmpty() && wasKnown) {
        mergeNewest(*answer);
    } else {
        if (cursor.isEmpty()) {
            m_entries.clear();
            m_wanted = rowsAtOnce;
        }
        m_entries += answer->entries;
        m_next = answer->next;
        m_wanted = m_next.isEmpty() ? 0 : m_wanted - int(answer->entries.size());
        if (m_wanted > 0)
            ask(m_next);
    }
    if (m_entries.size() != before || before == 0 || m_withheld > 0)
        say();
    else
        sayFoot();
}

// Entries are only ever added, at the front. While somebody points at a row or has chosen one, rows stay where they are.
void AuditLogPage::mergeNewest(const AuditPage &page)
{
    const qsizetype fresh = newOf(page.entries, m_entries);
    if (fresh == 0)
        return;
    if (fresh == page.entries.size() && !page.next.isEmpty()) {
        // There may be others between these and those that are known.
        m_entries = page.entries;
        m_next = page.next;
        m_withheld = 0;
        return;
    }
    m_entries = page.entries.first(fresh) + m_entries;
    m_withheld += fresh; // say() shows them when nothing holds the rows
    if (m_entries.size() > rows_max) {
        m_entries.resize(rows_max);
        m_next.clear();
    }
}

// The texts that entries have are suggested, as a filter takes whole ones only.
void AuditLogPage::suggest()
{
    QStringList actors, actions, targets;
    const auto add = [](QStringList &words, const QByteArray &text) {
        const QString word = QString::fromUtf8(text);
        if (!word.isEmpty() && !words.contains(word) && words.size() < limits::page_rows_max)
            words.append(word);
    };
    for (const AuditEntry &entry : std::as_const(m_entries)) {
        add(actors, entry.note);
        add(actors, entry.actor);
        add(actions, entry.action);
        add(targets, entry.target);
    }
    for (const auto &[model, words] : {std::pair(m_actors, &actors), std::pair(m_actionWords, &actions), std::pair(m_targets, &targets)}) {
        words->sort(Qt::CaseInsensitive);
        if (model->stringList() != *words)
            model->setStringList(*words);
    }
}

const AuditEntry *AuditLogPage::chosen() const
{
    const qsizetype at = m_keys.indexOf(m_list->table()->chosen());
    return at < 0 || m_list->table()->chosen().isEmpty() ? nullptr : &m_entries[at];
}

QString AuditLogPage::title() const { return m_title->text(); }
QString AuditLogPage::about() const { return m_about->text(); }

Record AuditLogPage::record(const AuditEntry &entry, const QByteArray &key) const
{
    const bool refused = entry.result >= 400;
    Record record{key, {{format().timeToday(entry.at_ms, m_feed.now_ms()), format().dateTime(entry.at_ms)}}};
    QStringList who{shown(entry.actor), AccessTexts::roles(entry.roles), shown(entry.address)};
    who.removeAll(QString());
    record.cells.append({AccessTexts::actor(entry.actor, entry.note), who.join(QStringLiteral(" · "))});
    record.cells.append({shown(entry.address)});
    record.cells.append({shown(entry.action)});
    record.cells.append({shown(entry.target)});
    record.cells.append({entry.result > 0 ? QString::number(entry.result) : QString(), AccessTexts::status(entry.result), {},
                         refused ? Tone::Bad : Tone::Plain});
    record.cells.append({shown(entry.reason)});
    record.cells.append({AccessTexts::change(entry, format()), {}, {}, Tone::Faint});
    return record;
}

void AuditLogPage::say()
{
    if (!m_list->table()->isHeld())
        m_withheld = 0;
    // Also of those that are withheld, so that the others keep theirs.
    m_keys = keysOf(m_entries);
    QList<Record> records;
    for (qsizetype i = m_withheld; i < m_entries.size(); ++i)
        records.append(record(m_entries[i], m_keys[i]));
    m_list->setRecords(records);
    suggest();
    sayFoot();
    sayEmpty();
    sayDetail();
}

void AuditLogPage::sayEmpty()
{
    EmptyState *empty = m_list->empty();
    if (m_failure)
        empty->say(Icon::Warning, tr("The audit could not be read"), reasonText(m_failure->reason), tr("Try again"));
    else if (m_call != 0 || !m_isRead)
        empty->say(Icon::Hourglass, isNarrowed() ? tr("Searching…") : tr("Loading…"), {});
    else if (isNarrowed())
        empty->say(Icon::Search, tr("No entries for this filter"), tr("A filter takes whole texts, as entries have them."),
                   tr("Clear filter"));
    else
        empty->say(Icon::Audit, tr("No entries"), tr("What operators and administrators do is listed here."));
}

void AuditLogPage::sayHint()
{
    m_hint->setVisible(typed() != m_filter);
}

void AuditLogPage::sayFoot()
{
    if (m_entries.isEmpty()) {
        m_list->setFoot({});
        return;
    }
    const qsizetype rows = m_entries.size() - m_withheld;
    QStringList foot{tr("%Ln entries", nullptr, int(rows))};
    if (m_withheld > 0)
        foot.append(tr("%Ln newer, F5 shows them", nullptr, int(m_withheld)));
    if (m_entries.size() >= rows_max)
        foot.append(tr("the filter finds older ones"));
    if (m_call != 0 && m_wanted > 0 && isNarrowed())
        foot.append(tr("searching…"));
    const bool loading = m_call != 0 && m_wanted > 0 && !m_next.isEmpty();
    const bool canMore = !m_next.isEmpty() && m_entries.size() < rows_max;
    m_list->setFoot(foot.join(QStringLiteral(" · ")),
                    !canMore ? RecordList::More::None : loading ? RecordList::More::Loading : RecordList::More::Offered);
}

void AuditLogPage::sayDetail()
{
    const AuditEntry *entry = chosen();
    m_detail->setVisible(entry != nullptr);
    for (QAction *action : {m_copy, m_sameActor, m_sameAction})
        action->setEnabled(entry != nullptr);
    m_sameTarget->setEnabled(entry && !entry->target.isEmpty());
    m_open->setEnabled(entry && kindOf(*entry) != Kind::Other);
    if (!entry)
        return;
    m_title->setText(shown(entry->action) + (entry->target.isEmpty() ? QString() : QStringLiteral("  ") + shown(entry->target)));
    m_title->setToolTip(plainTip(m_title->text()));
    QStringList about{AccessTexts::actor(entry->actor, entry->note)};
    if (!entry->note.isEmpty())
        about.append(tr("token %1").arg(shown(entry->actor)));
    if (!entry->roles.isEmpty())
        about.append(AccessTexts::roles(entry->roles));
    if (!entry->address.isEmpty())
        about.append(tr("from %1", "an address").arg(shown(entry->address)));
    about.append(format().dateTime(entry->at_ms));
    if (entry->result > 0)
        about.append(AccessTexts::status(entry->result));
    m_about->setText(about.join(QStringLiteral(" · ")));
    m_about->setToolTip(plainTip(m_about->text()));
    m_reason->setText(tr("Reason: %1").arg(shown(entry->reason)));
    m_reason->setVisible(!entry->reason.isEmpty());
    sayChanges(*entry);
    m_whole->setOwner(shown(entry->action));
    m_whole->setBytes(pack(auditEntryTable, *entry, Written::Sparse));
}

void AuditLogPage::sayChanges(const AuditEntry &entry)
{
    QList<Record> records;
    const qint64 size = std::max(sizeOfTruncated(entry.before), sizeOfTruncated(entry.after));
    const QList<ChangedField> fields = size > 0 ? QList<ChangedField>() : changedFields(entry.before, entry.after);
    const auto cell = [](const QByteArray &value) {
        if (value.isEmpty())
            return Cell{QStringLiteral("–"), tr("It was not there"), {}, Tone::Faint};
        return Cell{payloadPreview(value, value_characters_max), {}, {}};
    };
    for (const ChangedField &field : fields) {
        const QString path = field.path.isEmpty() ? tr("(all)") : field.path;
        records.append({field.path.toUtf8(), {{path}, cell(field.before), cell(field.after)}});
    }
    m_changes->setRecords(records);
    if (size > 0)
        m_changes->empty()->say(Icon::Audit, tr("The change is not kept"), AccessTexts::tooLarge(size, format()));
    else
        m_changes->empty()->say(Icon::Check, tr("No fields were changed"),
                                entry.result >= 400 ? tr("The attempt was refused.") : QString());
}

// The words of actions are operationIds of the API: putMatcher, runSchedule.
AuditLogPage::Kind AuditLogPage::kindOf(const AuditEntry &entry)
{
    if (entry.target.isEmpty())
        return Kind::Other;
    if (JobId::fromText(entry.target))
        return Kind::Job;
    const std::pair<const char *, Kind> kinds[] = {{"Matcher", Kind::Matcher},     {"Bucket", Kind::Matcher}, {"Breaker", Kind::Matcher},
                                                   {"Schedule", Kind::Schedule},   {"Worker", Kind::Worker},
                                                   {"Operation", Kind::Operation}, {"Token", Kind::Token}};
    for (const auto &[word, kind] : kinds) {
        if (entry.action.contains(word))
            return kind;
    }
    return Kind::Other;
}

void AuditLogPage::openTarget()
{
    const AuditEntry *entry = chosen();
    const Kind kind = entry ? kindOf(*entry) : Kind::Other;
    if (kind == Kind::Job)
        Q_EMIT openJobRequested(*JobId::fromText(entry->target));
    else if (kind == Kind::Matcher && !entry->action.contains("Matcher")) // mail-provider.concurrency1/eu
        Q_EMIT targetRequested(kind, entry->target.left(entry->target.left(entry->target.indexOf('/')).lastIndexOf('.')));
    else if (kind != Kind::Other)
        Q_EMIT targetRequested(kind, entry->target);
}

} // namespace junban::ui
