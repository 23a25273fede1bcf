// Operations on many jobs.
#include "app/ctl/asking.h"
#include "app/ctl/verbs.h"
#include "core/base/reasons/start.h"
#include "core/jobs/operation.h"
#include "core/limits.h"

#include <QCoreApplication>
#include <QTimer>
#include <algorithm>
#include <cmath>

namespace junban::app {

namespace {

constexpr int look_ms = 300; // between two looks at an operation that is waited for

QByteArray progressText(const BulkOperation &operation)
{
    return number(OperationProgress(operation).percent()) + " %";
}

constexpr Column<BulkOperation> operationColumns[] = {
    {"OPERATION", [](const BulkOperation &operation) { return operation.id; }},
    {"ACTION", [](const BulkOperation &operation) { return QByteArray(bulkActionWords[size_t(operation.action)]); }},
    {"STATE", [](const BulkOperation &operation) { return QByteArray(operationStateWords[size_t(operation.state)]); }},
    {"THROUGH", progressText},
    {"DONE", [](const BulkOperation &operation) { return number(operation.done); }},
    {"SKIPPED", [](const BulkOperation &operation) { return number(operation.skipped); }},
    {"STARTED", [](const BulkOperation &operation) { return timeText(operation.startedAt_ms); }},
    {"BY", [](const BulkOperation &operation) { return orDash(operation.by); }},
    {"REASON", [](const BulkOperation &operation) { return orDash(operation.reason); }},
};
constexpr Column<SkippedJob> skippedColumns[] = {
    {"ID", [](const SkippedJob &job) { return job.id.text(); }},
    {"WHY", [](const SkippedJob &job) { return job.reason; }},
};

// Empty: of all jobs, or it is not known.
QByteArray selectionText(const Selection &selection)
{
    QByteArrayList parts;
    const auto add = [&parts](const char *what, const QByteArray &value) {
        if (!value.isEmpty())
            parts.append(what + forTerminal(value));
    };
    add("state ", selection.state ? QByteArray(stateWord(*selection.state)) : QByteArray());
    add("name ", selection.name);
    add("tag ", selection.tag);
    add("match ", selection.match);
    add("signature ", selection.signature);
    if (selection.trash)
        parts.append("a place in the trash");
    QByteArrayList ids;
    for (const JobId &id : selection.ids)
        ids.append(id.text());
    add(selection.ids.size() == limits::selection_told_ids_max ? "id (the first) " : "id ", ids.join(", "));
    return parts.join("; ");
}

QByteArray operationText(const BulkOperation &operation)
{
    const OperationProgress progress(operation);
    QByteArray text = operation.id + "  " + bulkActionWords[size_t(operation.action)] + "  "
        + operationStateWords[size_t(operation.state)] + "\nthrough " + number(progress.passed) + " of " + number(progress.all) + " ("
        + progressText(operation) + "), done " + number(operation.done) + ", skipped " + number(operation.skipped);
    for (const SkippedWhy &why : operation.skippedBy)
        text += "\n  " + number(why.jobs) + ' ' + forTerminal(why.reason);
    if (const QByteArray jobs = selectionText(operation.selection); !jobs.isEmpty())
        text += "\nof the jobs with " + jobs;
    if (operation.rate > 0)
        text += "\nat " + QByteArray::number(operation.rate, 'g', 6) + " jobs a second at most";
    if (operation.startedAt_ms > 0)
        text += "\nstarted " + timeText(operation.startedAt_ms) + " by " + forTerminal(operation.by);
    if (!operation.reason.isEmpty())
        text += "\nbecause " + forTerminal(operation.reason);
    if (operation.endedAt_ms > 0)
        text += "\nended " + timeText(operation.endedAt_ms);
    if (!operation.undoes.isEmpty())
        text += "\ntakes back " + operation.undoes;
    if (!operation.undoneBy.isEmpty())
        text += "\ntaken back by " + operation.undoneBy;
    return text + '\n';
}

QByteArray countsText(const StateCounts &counts)
{
    QByteArrayList parts;
    const auto add = [&parts](qint64 jobs, const QByteArray &what) {
        if (jobs > 0)
            parts.append(number(jobs) + ' ' + what);
    };
    for (int state = int(JobState::Scheduled); state <= int(JobState::Cancelled); ++state)
        add(counts.of(JobState(state)), stateWord(JobState(state)));
    add(counts.trash, "in the trash");
    add(counts.gone, "gone");
    return parts.isEmpty() ? QByteArray("none") : parts.join(", ");
}

QByteArray previewText(const OperationPreview &preview)
{
    QByteArray text = QByteArray("would ") + bulkActionWords[size_t(preview.action)] + ' ' + number(preview.jobs) + " jobs\njobs "
        + countsText(preview.counts) + "\nleft as they are " + countsText(preview.excluded);
    if (!preview.complete)
        text += "\nthere are more jobs than a view may have";
    for (const LimitMet &met : preview.limits)
        text += "\nlimit " + forTerminal(met.constraint) + " (" + forTerminal(met.kind) + ") of " + forTerminal(met.matcher) + ": "
            + number(qint64(std::round(met.share * 100))) + " % of them";
    if (preview.drain_s > 0)
        text += "\nthey take " + about(qint64(preview.drain_s * 1000)) + " at least";
    for (const Job &job : preview.samples)
        text += "\n  " + job.id.text() + ' ' + forTerminal(job.spec.name) + ' ' + stateWord(job.state);
    return text + "\ntoken " + preview.token + '\n';
}

QByteArray operationOf(Flags &flags)
{
    return flags.word("OPERATION", "Its name, as the list shows it.");
}

Callback<BulkOperation> showOperation(Session &session)
{
    return [&session](const Result<BulkOperation> &operation) { session.finish(operation, operationTable, operationText); };
}

Selection selectionOf(Flags &flags)
{
    Selection selection;
    const auto textOf = [&flags](const char *flag, const char *help) { return flags.text(flag, help).value_or(QByteArray()); };
    selection.state = flags.state();
    selection.name = textOf("--name NAME", "Only jobs with this name.");
    selection.tag = textOf("--tag TAG", "Only jobs with this tag.");
    selection.match = textOf("--match EXPRESSION", "Only jobs that an expression is true of, like 'job.argument.user == 7'.");
    selection.signature = textOf("--signature SIGNATURE", "Only the failed jobs of this group of failures.");
    selection.trash = flags.on("--trash", "Deleted jobs, instead of those that are not.");
    selection.ids = flags.jobs("--id ID", "Only these jobs.");
    return selection;
}

// Says what it would do, asks, and starts it.
void prepare(Session &session, Flags &flags, const NewOperation &operation, const Callback<BulkOperation> &begun)
{
    const Consent consent = consentOf(session, flags);
    flags.note("It shows what it would do, and asks.");
    if (!flags.ready())
        return;
    session.client().prepareOperation(operation, [&session, consent, begun](const Result<OperationPreview> &preview) {
        if (!preview.ok() || consent == Consent::DryRun) {
            session.finish(preview, operationPreviewTable, [](const OperationPreview &found) { return previewText(found); });
            return;
        }
        if (!session.json())
            session.print(previewText(*preview));
        if (consent == Consent::Given || isConfirmed(session, "Start this"))
            session.client().startOperation(preview->token, begun);
    });
}

// Waits until it has ended, and shows what came of it. It goes on in the master when this program is stopped.
void awaitEnd(Session &session, const Result<BulkOperation> &operation)
{
    if (!operation.ok()) {
        session.fail(operation.error());
        return;
    }
    if (operation->endedAt_ms > 0) {
        session.show(*operation, operationTable, operationText);
        session.end(operation->state == OperationState::Stopped ? exits::stopped : exits::done);
        return;
    }
    QTimer::singleShot(look_ms, qApp, [&session, id = operation->id] {
        session.client().operation(id, [&session](const Result<BulkOperation> &now) { awaitEnd(session, now); });
    });
}

} // namespace

void failuresRetry(Session &session, Flags &flags)
{
    NewOperation operation;
    operation.action = BulkAction::Retry;
    operation.selection.signature = flags.word("SIGNATURE", "The group, as 'junbanctl failures' lists it.");
    operation.rate = flags.whole("--rate N", "Retry so many jobs a second at most", {1, limits::operation_rate_max}).value_or(0);
    prepare(session, flags, operation, [&session](const Result<BulkOperation> &begun) { awaitEnd(session, begun); });
}

void operations(Session &session, Flags &flags)
{
    if (!flags.ready())
        return;
    session.client().operations([&session](const Result<OperationList> &all) {
        session.finish(all, operationListTable, [](const OperationList &list) { return table(operationColumns, list.operations); });
    });
}

void operationsShow(Session &session, Flags &flags)
{
    const QByteArray id = operationOf(flags);
    if (flags.ready())
        session.client().operation(id, showOperation(session));
}

void operationsSkipped(Session &session, Flags &flags)
{
    const QByteArray id = operationOf(flags);
    const int offset = flags.whole("--offset N", "Begin at this place of the list", {0, limits::operation_skipped_max, 0}).value_or(0);
    const int rows = flags.whole("--limit N", "Show so many at most", {1, limits::view_page_max, limits::page_rows_default})
                         .value_or(limits::page_rows_default);
    if (!flags.ready())
        return;
    session.client().skipped(id, offset, rows, [&session](const Result<SkippedPage> &page) {
        session.finish(page, skippedPageTable, [](const SkippedPage &found) { return table(skippedColumns, found.skipped); });
    });
}

void operationsStart(Session &session, Flags &flags)
{
    NewOperation operation;
    const QByteArray action = flags.word("ACTION", "retry, cancel, delete, restore, release or set.");
    const auto *const at = std::find(std::begin(bulkActionWords), std::end(bulkActionWords), action);
    operation.selection = selectionOf(flags);
    operation.view = flags.text("--view VIEW", "The jobs of this frozen view.").value_or(QByteArray());
    operation.rate = flags.whole("--rate N", "Change so many jobs a second at most", {1, limits::operation_rate_max}).value_or(0);
    JobEdit edit;
    edit.priority = flags.whole("--set-priority N", "For set: a smaller number starts first", priorityRange);
    edit.runAt_ms = flags.time_ms("--set-run-at TIME", "For set: do not start before this time, like 2026-01-02T03:04:05Z.");
    edit.delay_ms
        = flags.seconds_ms("--set-delay SECONDS", "For set: do not start before so long from now; 0: at once", {0, limits::delay_s_max});
    flags.refuseBoth(edit.runAt_ms && edit.delay_ms, "--set-run-at", "--set-delay");
    const QList<QByteArray> tags = flags.texts("--set-tag TAG", "For set: their tags from now on; '' takes all away.");
    if (!tags.isEmpty())
        edit.tags = tags == QList<QByteArray>{QByteArray()} ? QList<QByteArray>() : tags;
    if (!edit.isEmpty())
        operation.fields = edit;
    if (at == std::end(bulkActionWords) && !action.isEmpty())
        flags.refuse(reasons::optionWordExpected("ACTION", wordsOf(bulkActionWords), action));
    else if (at != std::end(bulkActionWords))
        operation.action = static_cast<BulkAction>(at - std::begin(bulkActionWords));
    prepare(session, flags, operation, showOperation(session));
}

void operationsPause(Session &session, Flags &flags)
{
    const QByteArray id = operationOf(flags);
    if (flags.ready())
        session.client().pauseOperation(id, showOperation(session));
}

void operationsResume(Session &session, Flags &flags)
{
    const QByteArray id = operationOf(flags);
    if (flags.ready())
        session.client().resumeOperation(id, showOperation(session));
}

void operationsStop(Session &session, Flags &flags)
{
    const QByteArray id = operationOf(flags);
    if (flags.ready())
        session.client().stopOperation(id, showOperation(session));
}

void operationsUndo(Session &session, Flags &flags)
{
    const QByteArray id = operationOf(flags);
    if (flags.ready())
        session.client().undoOperation(id, showOperation(session));
}

} // namespace junban::app
