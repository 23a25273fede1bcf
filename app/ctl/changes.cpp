// Edits, messages and groups.
#include "app/ctl/verbs.h"
#include "core/base/isotime.h"
#include "core/base/reasons/ctl.h"
#include "core/jobs/jobfields.h"
#include "core/limits.h"
#include "core/msgpack/msgpackwriter.h"

#include <QDateTime>

namespace junban::app {

namespace {

QByteArray groupText(const Group &group)
{
    QByteArray text = forTerminal(group.group) + "  " + (group.endedAt_ms > 0 ? "ended" : group.open ? "open" : "closed") + "\njobs "
        + number(group.total) + ", pending " + number(group.pending) + ", succeeded " + number(group.succeeded) + ", failed "
        + number(group.failed) + ", cancelled " + number(group.cancelled) + "\ncreated " + timeText(group.createdAt_ms);
    if (group.endedAt_ms > 0)
        text += "\nended " + timeText(group.endedAt_ms);
    if (!group.pusher.isEmpty())
        text += "\npushed with " + forTerminal(group.pusher) + (group.shared ? ", shared" : "");
    if (!group.callback.isNull())
        text += "\ncallback " + group.callback.text();
    else if (!group.callbackRefused.isEmpty())
        text += "\ncallback refused: " + forTerminal(group.callbackRefused.text);
    else if (group.hasCallback)
        text += "\ncallback when all have ended";
    return text + '\n';
}

} // namespace

void edit(Session &session, Flags &flags)
{
    const JobId id = flags.job("The job.");
    JobEdit edit;
    edit.priority = flags.whole("--priority N", "A smaller number starts first", priorityRange);
    edit.maxRetry = flags.whole("--max-retry N", "How often a failed attempt is tried again", {0, limits::max_retry_max});
    edit.timeout_ms
        = flags.seconds_ms("--timeout SECONDS", "How long one attempt may take", {limits::timeout_s_min, limits::timeout_s_max});
    edit.runAt_ms = flags.time_ms("--run-at TIME", "Do not start before this time, like 2026-01-02T03:04:05Z.");
    edit.delay_ms = flags.seconds_ms("--delay SECONDS", "Do not start before so long from now; 0: at once", {0, limits::delay_s_max});
    flags.refuseBoth(edit.runAt_ms && edit.delay_ms, "--run-at", "--delay");
    edit.argument = flags.value("the job's new argument", {});
    const QList<QByteArray> tags = flags.texts("--tag TAG", "Its tags from now on, instead of those it has; '' takes all away.");
    if (!tags.isEmpty())
        edit.tags = tags == QList<QByteArray>{QByteArray()} ? QList<QByteArray>() : tags;
    if (!flags.ready())
        return;
    session.client().editJob(id, edit, [&session](const Result<Job> &job) {
        session.finish(job, jobTable, [](const Job &now) { return now.id.text() + ' ' + stateWord(now.state) + '\n'; });
    });
}

// A success with the value as its result, or with --failure TEXT a failure.
void message(Session &session, Flags &flags)
{
    const QByteArray key = flags.word("KEY", "The key that its worker handed it off under.");
    const QByteArray value = flags.value("the job's result", "null").value_or(QByteArray(payload::nil));
    const std::optional<QByteArray> failure = flags.text("--failure TEXT", "It failed, with this message; --arg is the error then.");
    const bool shouldRetry = flags.on("--should-retry", "With --failure: it may be tried again.");
    if (shouldRetry && !failure)
        flags.refuse(reasons::optionNeeds("--should-retry", "--failure"));
    if (!flags.ready())
        return;
    Outcome outcome;
    outcome.finishedAt = isoTime(QDateTime::currentMSecsSinceEpoch());
    if (failure) {
        outcome.type = OutcomeType::Failure;
        outcome.message = *failure;
        outcome.error = value;
        outcome.shouldRetry = shouldRetry;
    } else {
        outcome.result = value;
    }
    session.client().message(key, outcome, [&session](const Result<MessageTaken> &taken) {
        session.finish(taken, messageTakenTable,
            [](const MessageTaken &now) { return now.id.text() + ' ' + stateWord(now.finished.state) + '\n'; });
    });
}

// Shows a group; with --open, --close, --share, --unshare or --callback it is changed first, and made when it is not there yet.
void group(Session &session, Flags &flags)
{
    const QByteArray name = flags.word("GROUP", "Its name, as jobs are pushed with it.");
    const bool open = flags.on("--open", "More jobs may come; makes the group when it is not there.");
    const bool close = flags.on("--close", "No more jobs come: it ends with its last one.");
    const bool share = flags.on("--share", "Pushers with other tokens may see it and push into it.");
    const bool unshare = flags.on("--unshare", "They may no longer do so.");
    const QList<QByteArray> callbacks
        = flags.values("--callback JSON", "The job to enqueue when all have ended, like '{\"name\": \"done\"}'.", Command::Takes::One);
    flags.refuseBoth(open && close, "--open", "--close");
    flags.refuseBoth(share && unshare, "--share", "--unshare");
    if (callbacks.size() > 1)
        flags.refuse(reasons::optionOnce("--callback"));
    if (!flags.ready())
        return;
    const auto show = [&session](const Result<Group> &group) { session.finish(group, groupTable, groupText); };
    const bool opens = open || close, shares = share || unshare;
    if (!opens && !shares && callbacks.isEmpty()) {
        session.client().group(name, show);
        return;
    }
    MsgpackWriter body;
    body.map((opens ? 1 : 0) + (shares ? 1 : 0) + callbacks.size());
    if (opens)
        body.text("open").boolean(open);
    if (shares)
        body.text("shared").boolean(share);
    if (!callbacks.isEmpty())
        body.text("callback").raw(callbacks.first());
    session.client().putGroup(name, body.take(), show);
}

} // namespace junban::app
