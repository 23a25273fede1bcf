#include "ui/limits/revisionsdialog.h"

#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/limits/constrainttexts.h"
#include "ui/limits/ratestop.h"
#include "ui/widgets/question.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/recordlist.h"

#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace junban::ui {

RevisionsDialog::RevisionsDialog(client::ApiClient &client, const JobMatcher &now, const Format &format, QWidget *window)
    : FormDialog(window)
    , m_client(client)
    , m_now(now)
    , m_format(format)
    , m_list(new RecordList({{tr("Revision"), 14}, {tr("Saved"), 36}, {tr("By"), 20}, {tr("Title"), 30}}, tr("Revisions"), this))
    , m_differences(new RecordList({{tr("Field"), 20}, {tr("In this revision"), 42}, {tr("Active"), 42}}, tr("Differences"), this))
{
    setWindowTitle(tr("Revisions of %1").arg(shown(now.id)));
    m_list->empty()->say(Icon::Hourglass, tr("Loading…"), {});
    m_differences->empty()->say(Icon::Check, tr("Select a revision to compare it with the active one"), {});
    auto *split = new QSplitter(Qt::Vertical, this);
    split->addWidget(m_list);
    split->addWidget(m_differences);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(split, 1);
    layout->addWidget(makeEnd(tr("Restore this &revision"), tr("Close"), &client));
    go()->setEnabled(false);
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
        m_list->empty()->say(Icon::Warning, tr("The revisions could not be read"), reasonText(answer.error().reason));
        return;
    }
    m_revisions.clear();
    for (const client::SavedMatcher &revision : std::as_const(answer->revisions))
        m_revisions.append(revision.matcher);
    if (!m_revisions.isEmpty() && !answer->deleted)
        m_now = m_revisions.first();
    QList<Record> records;
    for (const JobMatcher &matcher : std::as_const(m_revisions)) {
        Record record{QByteArray::number(matcher.revision), {}};
        const bool current = matcher.revision == m_now.revision;
        record.cells.append({current ? tr("%1 (active)").arg(matcher.revision) : QString::number(matcher.revision), {},
                             current ? Look::icon(Icon::Check) : QIcon()});
        record.cells.append({m_format.dateTime(matcher.editedAt_ms)});
        record.cells.append({Look::actor(matcher.editedBy)});
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
    go()->setEnabled(matcher && matcher->revision != m_now.revision);
    QList<Record> records;
    if (matcher) {
        for (const MatcherDifference &difference : differencesOf({*matcher, m_now}, m_format)) {
            Record record{difference.key, {}};
            record.cells.append({difference.name});
            for (const QString &text : difference.texts)
                record.cells.append({text.isEmpty() ? tr("none") : text, {}, {}, text.isEmpty() ? Tone::Faint : Tone::Plain});
            records.append(record);
        }
        m_differences->empty()->say(Icon::Check, tr("No changes from the active version"), {});
    }
    m_differences->setRecords(records);
}

void RevisionsDialog::send()
{
    const JobMatcher *matcher = chosen();
    if (!matcher)
        return;
    go()->setEnabled(false);
    const auto came = [this](Result<client::SavedMatcher> answer) {
        if (answer.ok()) {
            Q_EMIT reverted(*answer);
            accept();
            return;
        }
        go()->setEnabled(true);
        say(answer.error().code == ErrorCode::RevisionMismatch
                ? tr("Someone else changed it meanwhile. Close this to see the current version.")
                : reasonText(answer.error().reason));
    };
    const auto revert = [this, id = m_now.id, revision = matcher->revision, active = m_now.revision, came] {
        m_client.revertMatcher(id, revision, active, client::guarded<client::SavedMatcher>(this, came));
    };
    readRateStop(m_client, this, m_now, *matcher, [this, revision = matcher->revision, revert](qint64 stop_ms) {
        if (stop_ms == 0) {
            revert();
            return;
        }
        go()->setEnabled(true);
        ask(this, m_client, {tr("Restore revision %1?").arg(revision), rateStopText(m_format.duration(stop_ms)), tr("Restore"),
                             Question::Weight::Grave}, revert);
    });
}

} // namespace junban::ui
