#include "ui/past/retentionpage.h"

#include "client/purged.h"
#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/past/retentiondialog.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/question.h"
#include "ui/widgets/recordlist.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

const QByteArray all = "*"; // the key of the row of all names; a name's is "=" and the name

} // namespace

RetentionPage::RetentionPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent)
    : Page(client, feed, preferences, parent)
{
    m_list = new RecordList({{tr("Name"), 28}, {Look::title(JobState::Succeeded), 26}, {Look::title(JobState::Failed), 26},
                             {Look::title(JobState::Cancelled), 26}},
                            tr("Retention"), this);
    m_list->table()->remember(preferences, QStringLiteral("retention/header"));
    buildActions();
    setMainList(m_list);
    auto *head = new QWidget(this);
    QLabel *hint = plainLabel(
        tr("Ended jobs are removed at the maximum age or number, whichever comes first. Results expire separately."), head);
    hint->setWordWrap(true);
    hint->setToolTip(plainTip(hint->text()));
    QHBoxLayout *line = headLine(head);
    line->addWidget(hint, 1);
    addButtons(line, {m_edit, m_clear, m_add}, head);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(head);
    layout->addWidget(m_list, 1);
    connect(m_list->table(), &RecordTable::chosenChanged, this, &RetentionPage::sayActions);
    connect(m_list->table(), &RecordTable::openRequested, m_edit, &QAction::trigger);
    connect(m_list->empty(), &EmptyState::actionTriggered, this, &RetentionPage::refresh);
    connect(&m_preferences, &Preferences::formatChanged, this, &RetentionPage::say);
    say();
}

void RetentionPage::buildActions()
{
    m_edit = new QAction(Look::icon(Icon::Pencil), tr("&Edit…"), this);
    m_clear = new QAction(Look::icon(Icon::Bin), tr("&Remove its settings…"), this);
    m_add = new QAction(Look::icon(Icon::Hourglass), tr("&Add a name…"), this);
    m_clear->setToolTip(tr("The settings for all names then apply to the chosen name"));
    connect(m_edit, &QAction::triggered, this, [this] {
        if (const std::optional<QByteArray> name = chosen())
            open(new RetentionDialog(m_client, *m_kept, *name, format(), window()));
    });
    connect(m_add, &QAction::triggered, this, [this] {
        if (m_kept)
            open(new RetentionDialog(m_client, *m_kept, std::nullopt, format(), window()));
    });
    connect(m_clear, &QAction::triggered, this, &RetentionPage::askClear);
    offer(m_list, {m_edit, m_clear});
}

void RetentionPage::open(RetentionDialog *dialog)
{
    connect(dialog, &RetentionDialog::saved, this, [this] {
        Q_EMIT done(tr("Retention saved"), {}, {});
        refresh();
    });
    dialog->open();
}

void RetentionPage::askClear()
{
    const std::optional<QByteArray> name = chosen();
    if (!m_kept || !name || name->isEmpty())
        return;
    const auto counted = [this, name = *name, tag = m_kept->tag](const Result<client::Purged> &purged) {
        if (!purged.ok()) {
            Q_EMIT failed(reasonText(purged.error().reason));
            return;
        }
        const Question question{
            tr("Remove the settings of “%1”?").arg(shown(name)),
            tr("The settings for all names then apply to its jobs.") + QLatin1Char('\n') + RetentionDialog::purgedText(*purged),
            tr("Remove"),
            purged->jobs() > 0 || !purged->complete ? Question::Weight::Destroys : Question::Weight::Normal};
        ask(window(), m_client, question, [this, name, tag] {
            m_client.clearRetention(name, tag, client::guarded<RetentionSettings>(this, [this](const Result<RetentionSettings> &answer) {
                acted(answer, tr("Retention saved"));
            }));
        });
    };
    client::countPurged(m_client, this, m_kept->settings, *name, {}, counted);
}

void RetentionPage::refresh()
{
    if (m_call != 0)
        return;
    m_call = m_client.retention(client::guarded<client::KeptSettings>(this, [this](const Result<client::KeptSettings> &answer) {
        m_call = 0;
        if (learned(answer))
            m_kept = *answer;
        say();
    }));
}

void RetentionPage::setMayChange(bool may)
{
    m_mayChange = may;
    for (QAction *action : {m_edit, m_add, m_clear})
        action->setVisible(may);
    sayActions();
}

std::optional<QByteArray> RetentionPage::chosen() const
{
    const QByteArray key = m_list->table()->chosen();
    if (key.isEmpty() || !m_kept)
        return std::nullopt;
    return key == all ? QByteArray() : key.mid(1);
}

QString RetentionPage::keptText(const Kept &kept) const
{
    QStringList parts;
    if (kept.age_ms)
        parts.append(format().span(*kept.age_ms));
    if (kept.count)
        parts.append(tr("%Ln job(s)", nullptr, int(*kept.count)));
    return parts.join(QStringLiteral(" · "));
}

void RetentionPage::say()
{
    QList<Record> records;
    const auto append = [&](const QByteArray &key, const Cell &name, const Retention &retention) {
        Record record{key, {name}};
        for (const Kept &kept : {retention.succeeded, retention.failed, retention.cancelled}) {
            const QString text = keptText(kept);
            record.cells.append(text.isEmpty() ? Cell{tr("same as all names"), {}, {}, Tone::Faint} : Cell{text});
        }
        records.append(record);
    };
    if (m_kept) {
        append(all, {tr("All names"), {}, Look::icon(Icon::Hourglass)}, m_kept->settings.all);
        for (const auto &[name, own] : m_kept->settings.names)
            append('=' + name, {shown(name), {}, Look::icon(Icon::Jobs)}, own);
    }
    m_list->setRecords(records);
    saidUnknown(m_list->empty(), tr("The retention could not be read"));
    sayActions();
}

void RetentionPage::sayActions()
{
    const std::optional<QByteArray> name = chosen();
    m_edit->setEnabled(m_mayChange && name);
    m_clear->setEnabled(m_mayChange && name && !name->isEmpty());
    m_add->setEnabled(m_mayChange && m_kept);
}

} // namespace junban::ui
