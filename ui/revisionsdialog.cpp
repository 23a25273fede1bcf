#include "ui/revisionsdialog.h"

#include "ui/constrainttexts.h"
#include "ui/emptystate.h"
#include "ui/look.h"
#include "ui/recordlist.h"
#include "ui/text.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace junban::ui {

QList<MatcherDifference> differencesOf(const JobMatcher &first, const JobMatcher &second, const Format &format)
{
    const QList<MatcherRow> left = matcherRows(first, format), right = matcherRows(second, format);
    QList<MatcherDifference> differences;
    const auto textOf = [](const QList<MatcherRow> &rows, const QByteArray &key) -> const MatcherRow * {
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const MatcherRow &each) { return each.key == key; });
        return row == rows.end() ? nullptr : &*row;
    };
    for (const MatcherRow &row : left) {
        const MatcherRow *other = textOf(right, row.key);
        if (!other || other->text != row.text)
            differences.append({row.key, row.name, row.text, other ? other->text : QString()});
    }
    for (const MatcherRow &row : right) {
        if (!textOf(left, row.key))
            differences.append({row.key, row.name, QString(), row.text});
    }
    return differences;
}

RevisionsDialog::RevisionsDialog(client::ApiClient &client, const JobMatcher &now, const Format &format, QWidget *window)
    : QDialog(window)
    , m_client(client)
    , m_now(now)
    , m_format(format)
    , m_list(new RecordList({{tr("Revision"), 14}, {tr("Saved"), 36}, {tr("By"), 20}, {tr("Title"), 30}}, tr("Revisions"), this))
    , m_differences(new RecordList({{tr("What differs"), 20}, {tr("In this revision"), 42}, {tr("In force"), 42}}, tr("Differences"), this))
    , m_problem(plainLabel({}, this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Revisions of %1").arg(shown(now.id)));
    m_list->empty()->say(Glyph::Hourglass, tr("Loading…"), {});
    m_differences->empty()->say(Glyph::Check, tr("Select a revision to compare it with the one in force"), {});
    m_problem->setWordWrap(true);
    m_problem->hide();
    auto *split = new QSplitter(Qt::Vertical, this);
    split->addWidget(m_list);
    split->addWidget(m_differences);
    auto *buttons = new QDialogButtonBox(this);
    m_go = buttons->addButton(tr("&Bring it back"), QDialogButtonBox::AcceptRole);
    m_go->setEnabled(false);
    QPushButton *leave = buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    leave->setDefault(true);
    connect(m_go, &QPushButton::clicked, this, &RevisionsDialog::revert);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(split, 1);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);
    const int line = fontMetrics().height();
    resize(line * 56, line * 34);
    connect(m_list->table(), &RecordTable::chosenChanged, this, &RevisionsDialog::sayDifferences);
    m_client.matcherRevisions(now.id, client::guarded<client::MatcherRevisions>(this, [this](Result<client::MatcherRevisions> answer) {
        came(std::move(answer));
    }));
}

void RevisionsDialog::came(Result<client::MatcherRevisions> answer)
{
    if (!answer.ok()) {
        m_list->empty()->say(Glyph::Warning, tr("The revisions could not be read"), shown(answer.error().message));
        return;
    }
    m_revisions = answer->revisions;
    if (!m_revisions.isEmpty() && !answer->deleted)
        m_now = m_revisions.first();
    QList<Record> records;
    for (const JobMatcher &matcher : std::as_const(m_revisions)) {
        Record record{QByteArray::number(matcher.revision), {}};
        const bool current = matcher.revision == m_now.revision;
        record.cells.append({current ? tr("%1 (in force)").arg(matcher.revision) : QString::number(matcher.revision), {},
                             current ? Look::icon(Glyph::Check) : QIcon()});
        record.cells.append({m_format.dateTime(matcher.editedAt_ms)});
        record.cells.append({shown(matcher.editedBy)});
        record.cells.append({shown(matcher.title)});
        records.append(record);
    }
    m_list->setRecords(records);
}

const JobMatcher *RevisionsDialog::chosen() const
{
    const qint64 revision = m_list->table()->chosen().toLongLong();
    const auto found = std::find_if(m_revisions.begin(), m_revisions.end(),
                                    [&](const JobMatcher &matcher) { return matcher.revision == revision; });
    return found == m_revisions.end() ? nullptr : &*found;
}

void RevisionsDialog::sayDifferences()
{
    const JobMatcher *matcher = chosen();
    m_go->setEnabled(matcher && matcher->revision != m_now.revision);
    QList<Record> records;
    if (matcher) {
        for (const MatcherDifference &difference : differencesOf(*matcher, m_now, m_format)) {
            Record record{difference.key, {}};
            record.cells.append({difference.name});
            record.cells.append({difference.first.isEmpty() ? tr("none") : difference.first, {}, {},
                                 difference.first.isEmpty() ? Tone::Faint : Tone::Plain});
            record.cells.append({difference.second.isEmpty() ? tr("none") : difference.second, {}, {},
                                 difference.second.isEmpty() ? Tone::Faint : Tone::Plain});
            records.append(record);
        }
        m_differences->empty()->say(Glyph::Check, tr("There is no difference to the one in force"), {});
    }
    m_differences->setRecords(records);
}

void RevisionsDialog::revert()
{
    const JobMatcher *matcher = chosen();
    if (!matcher)
        return;
    m_go->setEnabled(false);
    const auto came = [this](Result<client::SavedMatcher> answer) {
        if (answer.ok()) {
            Q_EMIT reverted(*answer);
            accept();
            return;
        }
        m_go->setEnabled(true);
        m_problem->setText(answer.error().code == ErrorCode::RevisionMismatch
                               ? tr("Someone else has changed it meanwhile. Close this to see what it is now.")
                               : shown(answer.error().message));
        m_problem->show();
    };
    m_client.revertMatcher(m_now.id, matcher->revision, m_now.revision, client::guarded<client::SavedMatcher>(this, came));
}

} // namespace junban::ui
