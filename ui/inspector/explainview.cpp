#include "ui/inspector/explainview.h"

#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/limits/constrainttexts.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/recordlist.h"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace junban::ui {

using client::Gate;
using client::GateStatus;

namespace {

constexpr int holdersShown = 3;

} // namespace

ExplainView::ExplainView(client::ApiClient &client, Preferences &preferences, QWidget *parent)
    : QWidget(parent)
    , m_client(client)
    , m_preferences(preferences)
    , m_summary(plainLabel({}, this))
    , m_list(new RecordList({{tr("Gate"), 24}, {tr("Why"), 20}}, tr("Gates"), this))
{
    m_list->table()->wrap();
    m_summary->setWordWrap(true);
    const int gap = fontMetrics().height() / 2;
    m_summary->setContentsMargins(gap, gap, gap, gap);
    QFont bold = font();
    bold.setBold(true);
    m_summary->setFont(bold);
    m_summary->setMinimumHeight(2 * QFontMetrics(bold).lineSpacing() + 2 * gap); // the list must not jump when a second line comes
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_summary);
    layout->addWidget(m_list, 1);
    connect(m_list->table(), &RecordTable::openRequested, this, [this](const QByteArray &key) {
        const qsizetype at = key.toLongLong();
        if (!m_explanation || at >= m_explanation->gates.size())
            return;
        const Gate &gate = m_explanation->gates[at];
        if (!gate.holders.isEmpty())
            Q_EMIT jobRequested(gate.holders.first());
        else if (!gate.constraint.isEmpty())
            Q_EMIT constraintRequested(gate.matcher, gate.constraint);
    });
    say();
}

QString ExplainView::summary() const { return m_summary->text(); }

void ExplainView::setJob(const Job &job, qint64 now_ms, const Others &others)
{
    if (job.id != m_job.id || job.state != m_job.state) {
        m_client.cancel(std::exchange(m_call, 0));
        m_explanation.reset();
        m_error.reset();
    }
    m_job = job;
    m_now_ms = now_ms;
    m_others = others;
    say();
    if (isVisible())
        ask();
}

void ExplainView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    ask();
}

void ExplainView::ask()
{
    if (m_call != 0 || m_job.id.isNull() || isFinal(m_job.state))
        return;
    const auto came = [this, id = m_job.id](Result<client::Explanation> answer) {
        if (id != m_job.id || (!answer.ok() && answer.error().code == ErrorCode::Cancelled))
            return;
        m_call = 0;
        if (answer.ok()) {
            m_explanation = std::move(answer).value();
            m_error.reset();
        } else {
            m_error = answer.error();
        }
        say();
    };
    m_call = m_client.explain(m_job.id, client::guarded<client::Explanation>(this, came));
}

QString ExplainView::gateText(const Gate &gate) const
{
    const std::pair<const char *, QString> gates[] = {
        {"state", tr("State")}, {"due", tr("Due")}, {"too_many", tr("Too many limits")}, {"workers", tr("Workers")},
        {"position", tr("Queue position")},
    };
    QString text = kindName(gate.gate); // the others are called as the kind of their constraint
    for (const auto &[word, name] : gates) {
        if (gate.gate == word)
            text = name;
    }
    const QByteArray &title = gate.title.isEmpty() ? gate.matcher : gate.title;
    return title.isEmpty() ? text : tr("%1: %2", "a gate and its JobMatcher").arg(text, shown(title));
}

// Whether any master has workers for the job.
QString ExplainView::workersText(const Gate &gate) const
{
    const Format format = m_preferences.format();
    if (gate.waiting.value_or(0) > 0)
        return tr("%Ln worker(s) are waiting for jobs of this name.", nullptr, int(*gate.waiting));
    if (gate.askedAt_ms == 0)
        return tr("No worker is known to have asked for jobs of this name.");
    const QString at = format.timeToday(gate.askedAt_ms, m_now_ms);
    const QString span = format.age(std::max<qint64>(0, m_now_ms - gate.askedAt_ms));
    return gate.status == GateStatus::Holding
        ? tr("No worker has asked for jobs of this name since %1 (%2).", "a time and how long ago it was").arg(at, span)
        : tr("A worker asked for jobs of this name at %1 (%2 ago).", "a time and how long ago it was").arg(at, span);
}

// Details of a gate: numbers, key, when it opens, who holds it.
QString ExplainView::detailText(const Gate &gate) const
{
    if (gate.gate == "workers")
        return workersText(gate);
    const Format format = m_preferences.format();
    QStringList parts;
    if (!gate.key.isEmpty())
        parts.append(tr("for %1", "a bucket's key").arg(shown(gate.key)));
    // What counts is what runs at once, what waits, or neither: then there is no use to show.
    const bool backlog = gate.gate == "backlog", running = gate.gate == "concurrency" || gate.gate == "share";
    if (running && gate.used && gate.limit)
        parts.append(tr("%1 of %2 used").arg(format.count(*gate.used), format.count(*gate.limit)));
    else if (gate.limit && gate.period_s > 0)
        parts.append(tr("limit %1 in %2", "how many, a duration")
                         .arg(format.count(*gate.limit), format.span(std::llround(gate.period_s * 1000))));
    else if (gate.limit && !backlog)
        parts.append(tr("limit %1").arg(format.count(*gate.limit)));
    if (gate.cost && *gate.cost > 1)
        parts.append(tr("it costs %1").arg(format.count(*gate.cost)));
    if (backlog && gate.waiting && gate.limit)
        parts.append(tr("%1 of %2 waiting").arg(format.count(*gate.waiting), format.count(*gate.limit)));
    else if (gate.waiting && *gate.waiting > 0)
        parts.append(tr("%Ln waiting", nullptr, int(*gate.waiting)));
    if (gate.gate == "position" && m_explanation->position)
        parts.append(*m_explanation->position == 0 ? tr("first of its kind")
                                                   : tr("%Ln similar job(s) ahead", nullptr, int(*m_explanation->position)));
    if (gate.gate == "state")
        parts.append(Look::word(m_explanation->state));
    if (gate.opensAt_ms > m_now_ms && gate.opensAt_ms < m_now_ms + 1000)
        parts.append(tr("opens in less than 1 s"));
    else if (gate.opensAt_ms > m_now_ms)
        parts.append(tr("opens at %1, in %2")
                         .arg(format.timeToday(gate.opensAt_ms, m_now_ms), format.age(gate.opensAt_ms - m_now_ms)));
    if (!gate.reason.isEmpty())
        parts.append(shown(gate.reason));
    if (!gate.why.isEmpty())
        parts.append(reasonText(gate.why));
    if (gate.status == GateStatus::Holding && !gate.holders.isEmpty()) {
        QStringList holders;
        for (qsizetype i = 0; i < std::min<qsizetype>(holdersShown, gate.holders.size()); ++i)
            holders.append(QString::fromLatin1(gate.holders[i].text()));
        if (gate.holders.size() > holdersShown)
            holders.append(QString(QChar(0x2026)));
        parts.append(tr("held by %1").arg(listed(holders)));
    }
    return parts.join(QStringLiteral(" · "));
}

// A worker that accepts several names takes the best priority of all of them.
QString ExplainView::turnText(const QString &text) const
{
    if (m_others.better == 0)
        return text;
    const auto clamped = [](qint64 count) { return int(std::min<qint64>(count, std::numeric_limits<int>::max())); };
    QString better = tr("%Ln ready job(s) of a higher priority come first, for workers that accept their names, too.", nullptr,
                        clamped(m_others.better));
    if (m_others.unasked > 0)
        better += QLatin1Char(' ')
            + tr("No worker asks for %Ln ready job(s), which may be among these.", nullptr, clamped(m_others.unasked));
    return text + QLatin1Char('\n') + better;
}

QString ExplainView::summaryText() const
{
    if (isFinal(m_job.state))
        return tr("The job has ended.");
    if (m_job.id.isNull())
        return {};
    if (!m_explanation)
        return m_error ? tr("The gates could not be read: %1").arg(reasonText(m_error->reason)) : tr("Loading…");
    if (m_explanation->state == JobState::Running)
        return tr("The job is running.");
    if (m_explanation->state == JobState::Depends)
        return tr("Waits until the jobs it depends on have succeeded.");
    if (m_explanation->state == JobState::Awaiting)
        return tr("Handed off by its worker; waiting for a message.");
    QStringList holding;
    const Gate *workers = nullptr;
    bool others = false;
    for (const Gate &gate : m_explanation->gates) {
        if (gate.status != GateStatus::Holding)
            continue;
        holding.append(gate.gate == "position" ? detailText(gate) : gateText(gate));
        if (gate.gate == "workers")
            workers = &gate;
        else if (gate.gate != "position")
            others = true;
    }
    if (workers && !others)
        return tr("No limit holds it. %1", "a sentence about workers").arg(workersText(*workers));
    if (!holding.isEmpty() && !workers && !others)
        return turnText(tr("No limit holds it, but %Ln job(s) like it come before it.", nullptr, int(m_explanation->position.value_or(1))));
    if (holding.isEmpty())
        return turnText(tr("Nothing holds it: the next worker that accepts its name takes it when its turn comes."));
    QString text = tr("Held by: %1").arg(listed(holding));
    if (m_explanation->estimate_ms > m_now_ms) {
        const Format format = m_preferences.format();
        text += QLatin1Char('\n')
            + tr("Starts at %1 at the earliest, in ≈ %2")
                  .arg(format.timeToday(m_explanation->estimate_ms, m_now_ms), format.age(m_explanation->estimate_ms - m_now_ms));
    }
    return text;
}

void ExplainView::say()
{
    m_summary->setText(summaryText());
    QList<Record> records;
    if (m_explanation && !isFinal(m_job.state)) {
        for (qsizetype i = 0; i < m_explanation->gates.size(); ++i) {
            const Gate &gate = m_explanation->gates[i];
            const bool holds = gate.status == GateStatus::Holding, observed = gate.status == GateStatus::Observed;
            Record record{QByteArray::number(i), {}};
            // A job that runs is held by nothing.
            const QString answer = gate.gate == "state" && m_explanation->state == JobState::Running ? tr("started")
                : holds                                                                              ? tr("holds it")
                : observed                                                                           ? tr("would hold it") : tr("OK");
            record.cells.append({gateText(gate) + QLatin1Char('\n') + answer, {},
                                 Look::icon(holds ? Icon::Hourglass : observed ? Icon::Warning : Icon::Check),
                                 holds ? Tone::Amber : observed ? Tone::Faint : Tone::Plain});
            QStringList why{detailText(gate)};
            if (gate.editedAt_ms > 0)
                why.append(tr("last edited %1 by %2", "a time and a person")
                               .arg(m_preferences.format().dateTime(gate.editedAt_ms), Look::actor(gate.editedBy)));
            why.removeAll(QString());
            record.cells.append({why.join(QLatin1Char('\n'))});
            records.append(record);
        }
    }
    m_list->setRecords(records);
    m_list->empty()->say(Icon::Hourglass, isFinal(m_job.state) ? tr("This job has ended: nothing holds it") : tr("Loading…"), {});
}

} // namespace junban::ui
