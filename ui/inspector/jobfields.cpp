#include "ui/inspector/jobfields.h"

#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/base/windowtexts.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/labels.h"

#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

QString joined(const QList<QByteArray> &texts)
{
    QStringList list;
    for (const QByteArray &text : texts)
        list.append(shown(text));
    return listed(list);
}

} // namespace

JobFields::JobFields(client::ApiClient &client, Preferences &preferences, QWidget *parent)
    : QScrollArea(parent)
    , m_client(client)
    , m_preferences(preferences)
    , m_page(new QWidget(this))
    , m_form(new QFormLayout)
    , m_links(new QVBoxLayout)
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    m_page->setBackgroundRole(QPalette::Base);
    m_page->setAutoFillBackground(true);
    m_form->setRowWrapPolicy(QFormLayout::DontWrapRows);
    m_form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_form->setHorizontalSpacing(characterWidth(fontMetrics()) * 3);
    m_links->setSpacing(0);
    auto *layout = new QVBoxLayout(m_page);
    layout->addLayout(m_form);
    layout->addLayout(m_links);
    layout->addStretch();
    setWidget(m_page);
}

void JobFields::setJob(const Job &job)
{
    if (job.id != m_job.id || job.spec.group != m_job.spec.group)
        m_group.reset();
    m_job = job;
    say();
    askGroup();
}

// Other jobs change the group, so it is asked for again whenever the job is, while the fields are visible.
void JobFields::askGroup()
{
    if (m_job.spec.group.isEmpty() || m_groupCall != 0 || (m_group && !isVisible()))
        return;
    m_groupCall = m_client.group(m_job.spec.group, client::guarded<Group>(this, [this](Result<Group> answer) {
        m_groupCall = 0;
        if (!answer.ok() || answer->group != m_job.spec.group)
            return;
        m_group = std::move(answer).value();
        say();
    }));
}

// Sets a field. Its label is made once and reused, so that selected text in it stays selected.
void JobFields::field(const QString &name, const QString &value)
{
    if (m_used == m_form->rowCount()) {
        auto *label = plainLabel({}, m_page);
        label->setForegroundRole(QPalette::PlaceholderText);
        auto *text = plainLabel({}, m_page);
        text->setWordWrap(true);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        // A word that is wider than the pane is cut instead of widening every line; the tooltip has the whole text.
        text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        m_form->addRow(label, text);
    }
    auto *label = static_cast<QLabel *>(m_form->itemAt(m_used, QFormLayout::LabelRole)->widget());
    auto *text = static_cast<QLabel *>(m_form->itemAt(m_used, QFormLayout::FieldRole)->widget());
    label->setText(name);
    if (text->text() != value)
        text->setText(value);
    text->setToolTip(plainTip(value));
    ++m_used;
}

void JobFields::time(const QString &name, qint64 at_ms)
{
    if (at_ms > 0)
        field(name, m_preferences.format().dateTime(at_ms));
}

QString JobFields::value(const QString &name) const
{
    for (int row = 0; row < m_form->rowCount(); ++row) {
        if (static_cast<QLabel *>(m_form->itemAt(row, QFormLayout::LabelRole)->widget())->text() == name)
            return static_cast<QLabel *>(m_form->itemAt(row, QFormLayout::FieldRole)->widget())->text();
    }
    return {};
}

void JobFields::say()
{
    const Job &job = m_job;
    const Format format = m_preferences.format();
    m_used = 0;
    field(tr("ID"), QString::fromLatin1(job.id.text()));
    field(tr("Name"), shown(job.spec.name));
    field(tr("Priority"), format.count(job.spec.priority));
    field(tr("Attempts"), tr("%1 of %2").arg(job.attempt).arg(Look::attemptsPossible(job)));
    field(tr("Failures"), format.count(job.failures));
    if (job.releases > 0)
        field(tr("Releases"), format.count(job.releases));
    field(tr("Timeout"), format.span(job.spec.timeout_ms));
    field(tr("Result"), job.spec.keepResult ? tr("kept for %1").arg(format.span(job.spec.resultTtl_ms)) : tr("not kept"));
    field(tr("Retry delay"), tr("%1, times %2 each time, at most %3")
                                 .arg(format.span(job.spec.backoff.base_ms), QLocale().toString(job.spec.backoff.factor),
                                      format.span(job.spec.backoff.max_ms)));
    if (!job.spec.tags.isEmpty())
        field(tr("Tags"), joined(job.spec.tags));
    saySpecial();
    sayGroup();
    sayTimes();
    field(tr("Argument size"), format.bytes(job.argument_bytes));
    if (!job.reason.isEmpty())
        field(tr("Reason"), Look::reason(job.reason));
    if (!job.spec.pusher.isEmpty())
        field(tr("Pusher's token"), shown(job.spec.pusher));
    if (!job.spec.trace.isEmpty())
        field(tr("Trace"), shown(job.spec.trace));
    while (m_form->rowCount() > m_used)
        m_form->removeRow(m_form->rowCount() - 1);
    sayLinks();
}

void JobFields::sayTimes()
{
    const Job &job = m_job;
    time(tr("Enqueued"), job.createdAt_ms);
    if (job.state == JobState::Scheduled)
        time(tr("Next run"), job.runAt_ms);
    time(tr("Expires"), job.expiresAt_ms);
    time(tr("Started"), job.startedAt_ms);
    time(tr("Finished"), job.finishedAt_ms);
    if (!job.worker.isEmpty())
        field(tr("Worker"), shown(job.worker));
    time(tr("Lease ends"), job.leaseExpiresAt_ms);
    time(tr("Deadline"), job.deadline_ms);
    time(tr("Deleted"), job.deletedAt_ms);
}

// The fields that only some jobs have.
void JobFields::saySpecial()
{
    const JobSpec &spec = m_job.spec;
    const Format format = m_preferences.format();
    if (spec.unique) {
        const QString key = spec.unique->key.isEmpty() ? tr("the argument") : shown(spec.unique->key);
        const QString until = spec.unique->until == UniqueUntil::Started ? tr("until it starts") : tr("until it ends");
        const QString other[] = {tr("another one joins this one"), tr("another one is refused"),
                                 tr("another one takes its place")};
        field(tr("Unique key"), tr("%1, %2; %3", "key, until when, what becomes of another")
                                    .arg(key, until, other[size_t(spec.unique->onConflict)]));
    }
    if (!spec.windows.isEmpty()) {
        QStringList lines;
        for (const Window &window : spec.windows)
            lines.append(windowText(window));
        field(tr("Runs only"), lines.join(QLatin1Char('\n')));
    }
    if (spec.expiresIn_ms > 0)
        field(tr("Expires in"), tr("%1 after the enqueue, unless it has started").arg(format.span(spec.expiresIn_ms)));
    if (!spec.dependsOn.isEmpty()) {
        const QString otherwise[] = {tr("it fails"), tr("it is cancelled"), tr("it still runs")};
        const int left = m_job.dependenciesLeft, all = int(spec.dependsOn.size());
        field(tr("Dependencies"), tr("%1 of %2 have succeeded; if one does not: %3")
                                      .arg(QString::number(all - left), QString::number(all),
                                           otherwise[size_t(spec.onDependencyFailure)]));
    }
    if (!spec.then.empty()) {
        QStringList names;
        for (const JobSpec &next : spec.then)
            names.append(shown(next.name));
        field(tr("Then"), tr("%1 (enqueued when it succeeds)").arg(listed(names)));
    }
}

void JobFields::sayGroup()
{
    if (m_job.spec.group.isEmpty())
        return;
    QStringList parts{shown(m_job.spec.group)};
    if (m_group) {
        parts.append(tr("%Ln job(s)", "of a group", int(m_group->total)));
        const std::pair<qint64, QString> counts[] = {{m_group->pending, tr("%1 not ended")}, {m_group->succeeded, tr("%1 succeeded")},
            {m_group->failed, tr("%1 failed")}, {m_group->cancelled, tr("%1 cancelled")}};
        for (const auto &[count, text] : counts) {
            if (count > 0)
                parts.append(text.arg(m_preferences.format().count(count)));
        }
        if (m_group->open)
            parts.append(tr("more may come"));
        if (m_group->hasCallback && m_group->callback.isNull() && m_group->callbackRefused.isEmpty())
            parts.append(tr("a job is enqueued at its end"));
        if (!m_group->callbackRefused.isEmpty())
            parts.append(tr("its last job was refused: %1").arg(reasonText(m_group->callbackRefused)));
    }
    field(tr("Group"), parts.join(QStringLiteral(" · ")));
}

void JobFields::sayLinks()
{
    QList<QPair<QString, JobId>> linked;
    for (const JobId &id : m_job.spec.dependsOn)
        linked.append({tr("Depends on %1").arg(QString::fromLatin1(id.text())), id});
    if (m_group && !m_group->callback.isNull() && m_group->callback != m_job.id)
        linked.append({tr("Its group's last job %1").arg(QString::fromLatin1(m_group->callback.text())), m_group->callback});
    if (linked == m_linked)
        return; // so that a link keeps the focus
    m_linked = linked;
    qDeleteAll(m_linkButtons);
    m_linkButtons.clear();
    for (const auto &[text, id] : std::as_const(m_linked)) {
        auto *link = new QPushButton(Look::icon(Icon::Chain), text, m_page);
        link->setFlat(true);
        QPalette blue = palette();
        blue.setColor(QPalette::ButtonText, blue.color(QPalette::Link));
        link->setPalette(blue);
        link->setCursor(Qt::PointingHandCursor);
        connect(link, &QPushButton::clicked, this, [this, id = id] { Q_EMIT jobRequested(id); });
        m_links->addWidget(link, 0, Qt::AlignLeft);
        m_linkButtons.append(link);
    }
}

} // namespace junban::ui
