// How long jobs that ended are kept.
#include "app/ctl/asking.h"
#include "app/ctl/verbs.h"
#include "core/base/reasons/ctl.h"
#include "core/jobs/pastfields.h"

#include <algorithm>
#include <array>
#include <memory>

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

// Counts the jobs that end with new settings at once, as far as one look for each goes. Where names have settings of their own, the general
// ones count more than they end.
class EndingJobs : public std::enable_shared_from_this<EndingJobs>
{
public:
    EndingJobs(client::ApiClient &client, QByteArray name, std::function<void(QByteArray)> done)
        : m_client(client)
        , m_name(std::move(name))
        , m_done(std::move(done))
    {
    }

    void count(JobState state, const Kept &given)
    {
        if (given.count)
            m_looks.append({state, {}, *given.count});
        if (given.age_ms) { // by the master's clock
            const QByteArray age_s = QByteArray::number(double(*given.age_ms) / 1000, 'f', 3);
            m_looks.append({state, "job.finished_at < now - duration('" + age_s + "s')", 0});
        }
    }

    void goOn()
    {
        if (m_looks.isEmpty()) {
            m_done(text());
            return;
        }
        const Look look = m_looks.takeFirst();
        client::JobQuery query;
        query.state = look.state;
        query.name = m_name;
        query.match = look.match;
        m_client.jobCounts(query, [self = shared_from_this(), look](const Result<JobCounts> &counts) { self->take(look, counts); });
    }

private:
    struct Look {
        JobState state;
        QByteArray match;
        qint64 kept;
    };

    void take(const Look &look, const Result<JobCounts> &counts)
    {
        if (counts.ok()) {
            qint64 &ends = m_ends[size_t(look.state)];
            // Both take the oldest, so the larger number has the smaller one in it.
            ends = std::max(ends, counts->byState[size_t(look.state)] - look.kept);
            m_isComplete = m_isComplete && counts->next.isEmpty();
        } else {
            m_isComplete = false;
        }
        goOn();
    }

    QByteArray text() const
    {
        QByteArrayList parts;
        for (const JobState state : {JobState::Succeeded, JobState::Failed, JobState::Cancelled}) {
            if (const qint64 ends = m_ends[size_t(state)]; ends > 0)
                parts.append(number(ends) + ' ' + stateWord(state));
        }
        const QByteArray sum = parts.isEmpty() ? "no jobs" : parts.join(", ");
        return m_isComplete ? "purges at once: " + sum : "purges at once: " + sum + ", and perhaps more (not all could be looked at)";
    }

    client::ApiClient &m_client;
    const QByteArray m_name;
    const std::function<void(QByteArray)> m_done;
    QList<Look> m_looks;
    decltype(JobCounts::byState) m_ends{};
    bool m_isComplete = true;
};

// Goes on with what is there now, a name's or the general settings.
void withSettingsOf(Session &session, const QByteArray &name, std::function<void(Retention)> goOn)
{
    session.client().retention([&session, name, goOn = std::move(goOn)](const Result<RetentionSettings> &now) {
        if (!now.ok()) {
            session.fail(now.error());
            return;
        }
        Retention settings = name.isEmpty() ? now->all : Retention();
        for (const auto &[other, kept] : now->names) {
            if (other == name)
                settings = kept;
        }
        goOn(settings);
    });
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
        flags.refuse(reasons::optionOrRequired("--succeeded-age", "another setting"));
    const bool yes = isAgreedBefore(session, flags);
    if (!flags.ready())
        return;
    const auto set = [&session, name, given] {
        withSettingsOf(session, name, [&session, name, given](Retention wanted) {
            overlay(wanted.succeeded, given.succeeded);
            overlay(wanted.failed, given.failed);
            overlay(wanted.cancelled, given.cancelled);
            session.client().setRetention(name, wanted, showSettings(session));
        });
    };
    if (yes) {
        set();
        return;
    }
    const auto ending = std::make_shared<EndingJobs>(session.client(), name, [&session, set](const QByteArray &text) {
        session.note(text);
        if (isConfirmed(session, "Set how long jobs that ended are kept"))
            set();
    });
    ending->count(JobState::Succeeded, given.succeeded);
    ending->count(JobState::Failed, given.failed);
    ending->count(JobState::Cancelled, given.cancelled);
    ending->goOn();
}

void retentionClear(Session &session, Flags &flags)
{
    const QByteArray name = flags.wordIfAny("NAME", "Only the settings of this name. Default: those for all.");
    const QByteArray question = name.isEmpty() ? "Keep jobs as without settings" : "Keep the jobs of " + name + " as all others";
    if (isAgreed(session, flags, question))
        session.client().clearRetention(name, showSettings(session));
}

} // namespace junban::app
