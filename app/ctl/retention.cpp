// How long jobs that ended are kept.
#include "app/ctl/verbs.h"
#include "core/jobs/pastfields.h"

#include <array>

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

} // namespace

void retention(Session &session, Flags &flags)
{
    if (flags.ready())
        session.client().retention(showSettings(session));
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
        flags.refuse("--succeeded-age", "or another setting is required");
    if (!flags.ready())
        return;
    session.client().retention([&session, name, given](const Result<RetentionSettings> &now) {
        if (!now.ok()) {
            session.fail(now.error());
            return;
        }
        Retention wanted = name.isEmpty() ? now->all : Retention();
        for (const auto &[other, kept] : now->names) {
            if (other == name)
                wanted = kept;
        }
        overlay(wanted.succeeded, given.succeeded);
        overlay(wanted.failed, given.failed);
        overlay(wanted.cancelled, given.cancelled);
        session.client().setRetention(name, wanted, showSettings(session));
    });
}

void retentionClear(Session &session, Flags &flags)
{
    const QByteArray name = flags.wordIfAny("NAME", "Only the settings of this name. Default: those for all.");
    if (flags.ready())
        session.client().clearRetention(name, showSettings(session));
}

} // namespace junban::app
