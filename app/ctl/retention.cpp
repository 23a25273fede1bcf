// How long jobs that ended are kept.
#include "app/ctl/asking.h"
#include "app/ctl/verbs.h"
#include "client/purged.h"
#include "core/base/reasons/ctl.h"
#include "core/jobs/pastfields.h"

#include <functional>

namespace junban::app {

namespace {

struct RetentionRow {
    QByteArray name;
    Retention kept;
};

QByteArray keptText(const Kept &kept)
{
    QByteArrayList parts;
    if (kept.age_ms)
        parts.append(about(*kept.age_ms));
    if (kept.count)
        parts.append(number(*kept.count) + " jobs");
    return orDash(parts.join(", "));
}

constexpr Column<RetentionRow> retentionColumns[] = {
    {"NAME", [](const RetentionRow &row) { return row.name.isEmpty() ? QByteArray("(all)") : row.name; }},
    {"SUCCEEDED", [](const RetentionRow &row) { return keptText(row.kept.succeeded); }},
    {"FAILED", [](const RetentionRow &row) { return keptText(row.kept.failed); }},
    {"CANCELLED", [](const RetentionRow &row) { return keptText(row.kept.cancelled); }},
};

QByteArray settingsText(const RetentionSettings &settings)
{
    QList<RetentionRow> rows{{{}, settings.all}};
    for (const auto &[name, kept] : settings.names)
        rows.append({name, kept});
    return table(retentionColumns, rows);
}

Callback<RetentionSettings> showSettings(Session &session)
{
    return [&session](const Result<RetentionSettings> &settings) { session.finish(settings, retentionSettingsTable, settingsText); };
}

// What is given replaces what was there.
void overlay(Kept &kept, const Kept &given)
{
    if (given.age_ms)
        kept.age_ms = given.age_ms;
    if (given.count)
        kept.count = given.count;
}

QByteArray purgedText(const Result<client::Purged> &purged)
{
    if (!purged.ok())
        return "purges at once: not known (" + purged.error().message() + ")";
    QByteArrayList parts;
    for (const JobState state : {JobState::Succeeded, JobState::Failed, JobState::Cancelled}) {
        if (const qint64 ends = purged->byState[size_t(state)]; ends > 0)
            parts.append(number(ends) + ' ' + stateWord(state));
    }
    const QByteArray sum = "purges at once: " + (parts.isEmpty() ? "no jobs" : parts.join(", "));
    return purged->complete ? sum : sum + ", and perhaps more (not all could be looked at)";
}

// Reads the settings, says what `wanted` of them purges unless that was agreed to before, and goes on when they are to be changed. They are
// changed only if they are still as they were read.
using Wanted = std::function<Retention(const Retention &now)>;
using Change = std::function<void(const Retention &wanted, const QByteArray &tag)>;
void change(
    Session &session, const QByteArray &name, const QByteArray &question, bool agreed, const Wanted &wanted, const Change &goOn)
{
    session.client().retention([&session, name, question, agreed, wanted, goOn](const Result<client::KeptSettings> &now) {
        if (!now.ok()) {
            session.fail(now.error());
            return;
        }
        const Retention kept = wanted(client::retentionOf(now->settings, name));
        if (agreed) {
            goOn(kept, now->tag);
            return;
        }
        const auto told = [&session, question, goOn, kept, tag = now->tag](const Result<client::Purged> &purged) {
            session.note(purgedText(purged));
            if (isConfirmed(session, question))
                goOn(kept, tag);
        };
        client::countPurged(session.client(), &session.client(), now->settings, name, kept, told);
    });
}

} // namespace

void retention(Session &session, Flags &flags)
{
    const auto shown = [show = showSettings(session)](const Result<client::KeptSettings> &now) {
        show(now.ok() ? Result<RetentionSettings>(now->settings) : now.error());
    };
    if (flags.ready())
        session.client().retention(shown);
}

void retentionSet(Session &session, Flags &flags)
{
    const QByteArray name = flags.wordIfAny("NAME", "Only for jobs with this name. Default: for all.");
    const Range age{0, limits::retention_s_max, {}, "as it is"}, count{0, double(limits::retention_count_max), {}, "as it is"};
    Retention given;
    given.succeeded.age_ms = flags.seconds_ms("--succeeded-age SECONDS", "How long jobs that succeeded are kept", age);
    given.succeeded.count = flags.whole("--succeeded-count N", "How many of them", count);
    given.failed.age_ms = flags.seconds_ms("--failed-age SECONDS", "How long jobs that failed are kept", age);
    given.failed.count = flags.whole("--failed-count N", "How many of them", count);
    given.cancelled.age_ms = flags.seconds_ms("--cancelled-age SECONDS", "How long jobs that were cancelled are kept", age);
    given.cancelled.count = flags.whole("--cancelled-count N", "How many of them", count);
    if (given == Retention())
        flags.refuse(reasons::optionOrRequired("--succeeded-age", "another setting"));
    const bool yes = isAgreedBefore(session, flags);
    if (!flags.ready())
        return;
    const auto wanted = [given](Retention now) {
        overlay(now.succeeded, given.succeeded);
        overlay(now.failed, given.failed);
        overlay(now.cancelled, given.cancelled);
        return now;
    };
    const auto set = [&session, name](const Retention &kept, const QByteArray &tag) {
        session.client().setRetention(name, kept, tag, showSettings(session));
    };
    change(session, name, "Set how long jobs that ended are kept", yes, wanted, set);
}

void retentionClear(Session &session, Flags &flags)
{
    const QByteArray name = flags.wordIfAny("NAME", "Only the settings of this name. Default: those for all.");
    const QByteArray question = name.isEmpty() ? "Keep jobs as without settings" : "Keep the jobs of " + name + " as all others";
    const bool yes = isAgreedBefore(session, flags);
    if (!flags.ready())
        return;
    const auto nothing = [](const Retention &) { return Retention(); };
    change(session, name, question, yes, nothing, [&session, name](const Retention &, const QByteArray &tag) {
        session.client().clearRetention(name, tag, showSettings(session));
    });
}

} // namespace junban::app
