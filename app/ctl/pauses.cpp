// Pauses: nothing starts, or nothing that an expression is true of.
#include "app/ctl/expressions.h"
#include "app/ctl/verbs.h"
#include "client/matchercalls.h"
#include "core/base/reasons/ctl.h"
#include "core/base/reasons/start.h"
#include "core/limits.h"

namespace junban::app {

namespace {

using client::Pause;
using client::PauseList;

constexpr Column<Pause> pauseColumns[] = {
    {"ID", [](const Pause &pause) { return pause.id; }},
    {"WHAT", [](const Pause &pause) { return pause.match.isEmpty() ? QByteArray("everything") : pause.match; }},
    {"SINCE", [](const Pause &pause) { return timeText(pause.since_ms); }},
    {"UNTIL", [](const Pause &pause) { return timeText(pause.until_ms); }},
    {"BY", [](const Pause &pause) { return orDash(pause.by); }},
    {"REASON", [](const Pause &pause) { return pause.reason; }},
};

} // namespace

void pauses(Session &session, Flags &flags)
{
    if (!flags.ready())
        return;
    session.client().pauses([&session](const Result<PauseList> &list) {
        session.finish(list, answers::pauseListTable, [](const PauseList &all) { return table(pauseColumns, all.pauses); });
    });
}

void pause(Session &session, Flags &flags)
{
    client::PauseQuery query;
    query.match = flags.text("--match EXPRESSION", "Only jobs that this is true of, like 'job.name == \"mail.send\"'. Default: all jobs.")
                      .value_or(QByteArray());
    const auto until_ms = flags.time_ms("--until TIME", "When it ends by itself, like 2026-01-02T03:04:05Z.");
    const auto span_ms = flags.seconds_ms("--for SECONDS", "How long it lasts",
        {1, limits::constraint_wait_s_max, {}, "until it is resumed"});
    flags.note("What runs goes on. It prints the pause's id, which resume takes. --reason is required: everybody is shown it.");
    flags.refuseBoth(until_ms && span_ms, "--until", "--for");
    if (!flags.ready())
        return;
    query.reason = session.client().reason();
    if (query.reason.isEmpty()) {
        flags.refuse(reasons::optionRequired("--reason"));
        return;
    }
    query.until_ms = until_ms;
    query.for_ms = span_ms; // by the master's clock
    session.client().pause(query, finishChecked<Pause>(session, {{"match", query.match}}, answers::pauseAnswerTable,
        [](const Pause &made) { return forTerminal(made.id) + '\n'; }));
}

void resume(Session &session, Flags &flags)
{
    const QByteArray id = flags.wordIfAny("ID", "The pause, as 'junbanctl pauses' lists it.");
    const bool all = flags.on("--all", "End all pauses.");
    if (flags.ready() && id.isEmpty() != all)
        flags.refuse(all ? reasons::optionsExclusive("ID", "--all") : reasons::optionOrRequired("ID", "--all"));
    if (!flags.ready())
        return;
    session.client().resume(id, [&session](const Result<PauseList> &ended) {
        session.finish(ended, answers::pauseListTable, [](const PauseList &list) {
            QByteArray text;
            for (const Pause &pause : list.pauses)
                text += forTerminal(pause.id) + " is ended\n";
            return text.isEmpty() ? QByteArray("nothing was paused\n") : text;
        });
    });
}

} // namespace junban::app
