// Edits, messages and groups.
#include "app/ctl/flagreader.h"
#include "app/ctl/terminal.h"
#include "app/ctl/verbs.h"
#include "core/base/isotime.h"
#include "core/msgpack/msgpackwriter.h"

#include <QDateTime>

namespace junban::app {

namespace {

QByteArray groupText(const client::Group &group)
{
    QByteArray text = forTerminal(group.group) + "  " + (group.endedAt_ms > 0 ? "ended" : group.open ? "open" : "closed") + "\njobs "
        + QByteArray::number(group.total) + ", pending " + QByteArray::number(group.pending) + ", succeeded "
        + QByteArray::number(group.succeeded) + ", failed " + QByteArray::number(group.failed) + ", cancelled "
        + QByteArray::number(group.cancelled) + "\ncreated " + isoTime(group.createdAt_ms);
    if (group.endedAt_ms > 0)
        text += "\nended " + isoTime(group.endedAt_ms);
    if (!group.callback.isNull())
        text += "\ncallback " + group.callback.text();
    else if (!group.callbackRefused.isEmpty())
        text += "\ncallback refused: " + forTerminal(group.callbackRefused);
    else if (group.hasCallback)
        text += "\ncallback when all have ended";
    return text + '\n';
}

} // namespace

void Verbs::edit()
{
    const Result<JobId> id = idOf(0);
    if (!id.ok()) {
        misused(id.error().message);
        return;
    }
    FlagReader read(m_flags);
    client::JobEdit edit;
    edit.priority = read.whole("priority");
    edit.maxRetry = read.whole("max-retry");
    edit.runAt_ms = read.time_ms("run-at");
    edit.timeout_ms = read.seconds_ms("timeout");
    if (read.has("tag"))
        edit.tags = read.texts("tag");
    if (edit.tags == QList<QByteArray>{QByteArray()})
        edit.tags = QList<QByteArray>();
    if (hasArgument()) {
        const Result<QByteArray> argument = argumentOf();
        if (!argument.ok()) {
            misused(argument.error().message);
            return;
        }
        edit.argument = *argument;
    }
    if (read.error()) {
        misused(read.error()->message);
        return;
    }
    m_client.editJob(*id, edit, [this](const Result<Job> &job) {
        finish(job, [](const Job &now) { return now.id.text() + ' ' + stateWord(now.state) + '\n'; });
    });
}

// A success with the argument as its result, or with --failure TEXT a failure.
void Verbs::message()
{
    const QByteArray key = m_words.value(0).toUtf8();
    if (key.isEmpty() || key == "-") {
        misused("message needs a KEY");
        return;
    }
    Result<QByteArray> value = argumentOf();
    if (!value.ok()) {
        misused(value.error().message);
        return;
    }
    FlagReader read(m_flags);
    Outcome outcome;
    outcome.finishedAt = isoTime(QDateTime::currentMSecsSinceEpoch());
    if (read.has("failure")) {
        outcome.type = OutcomeType::Failure;
        outcome.message = read.text("failure");
        outcome.error = *value;
        outcome.shouldRetry = read.has("should-retry");
    } else {
        outcome.result = *value;
    }
    m_client.message(key, outcome, [this](const Result<client::MessageTaken> &taken) {
        finish(taken, [](const client::MessageTaken &now) { return now.id.text() + ' ' + stateWord(now.finished.state) + '\n'; });
    });
}

// Shows a group; with --open, --close or --callback it is changed first, and made when it is not there yet.
void Verbs::group()
{
    const QByteArray name = m_words.value(0).toUtf8();
    FlagReader read(m_flags);
    const QList<QByteArray> callbacks = read.values("callback");
    if (name.isEmpty() || callbacks.size() > 1 || read.error() || (read.has("open") && read.has("close"))) {
        misused(read.error() ? read.error()->message : QByteArray("group needs a NAME, one --callback and one of --open and --close"));
        return;
    }
    const auto show = [this](const Result<client::Group> &group) { finish(group, groupText); };
    const bool opens = read.has("open") || read.has("close");
    if (!opens && callbacks.isEmpty()) {
        m_client.group(name, show);
        return;
    }
    MsgpackWriter body;
    body.map((opens ? 1 : 0) + callbacks.size());
    if (opens)
        body.text("open").boolean(read.has("open"));
    if (!callbacks.isEmpty())
        body.text("callback").raw(callbacks.first());
    m_client.putGroup(name, body.take(), show);
}

} // namespace junban::app
