// The master as a whole, and conformance cases.
#include "app/ctl/exits.h"
#include "app/ctl/paging.h"
#include "core/base/isotime.h"
#include "core/base/reasons/start.h"
#include "core/cel/cases.h"
#include "core/jobs/administration.h"

#include <QTimer>

namespace junban::app {

namespace {

constexpr int names_shown = 20;

struct Status {
    Overview overview;
    NamePage names;
};
constexpr Field statusFields[] = {
    field::beside<&Status::overview>(overviewTable),
    field::beside<&Status::names>(namePageTable),
};
constexpr TableOf<Status> statusTable{nullptr, statusFields};

constexpr Column<NameRow> nameColumns[] = {
    {"name", [](const NameRow &row) { return row.name; }},
    {"ready", [](const NameRow &row) { return number(row.ready); }},
    {"failed", [](const NameRow &row) { return number(row.failed); }},
    {"enqueued", [](const NameRow &row) { return number(row.totals.enqueued); }},
    {"succeeded", [](const NameRow &row) { return number(row.totals.succeeded); }},
};

QByteArray namesText(const NamePage &page)
{
    if (page.names.isEmpty())
        return {};
    return table(nameColumns, page.names) + (page.complete ? "" : "not all failed jobs were counted\n");
}

QByteArray statusText(const Status &status)
{
    const Overview &overview = status.overview;
    QList<QList<QByteArray>> states{{"state", "jobs"}};
    for (const JobState state : {JobState::Ready, JobState::Scheduled, JobState::Running, JobState::Succeeded, JobState::Failed,
             JobState::Cancelled})
        states.append({stateWord(state), number(overview.count(state))});
    const auto rate = [](double perSecond) { return QByteArray::number(perSecond, 'f', 1) + "/s"; };
    const QByteArray text = "Junban " + overview.version + "  " + timeText(overview.now_ms) + "\nenqueued " + rate(overview.rates.enqueued)
        + "  started " + rate(overview.rates.started) + "  succeeded " + rate(overview.rates.succeeded) + "  failures "
        + rate(overview.rates.failures) + "\n\n" + table(states) + '\n';
    return text + namesText(status.names);
}

QByteArray findingsText(const Findings &found)
{
    QByteArray text;
    for (const Finding &finding : found.findings)
        text += QByteArray(severityWords[size_t(finding.severity)]) + ' ' + forTerminal(finding.word) + ": "
            + forTerminal(finding.reason.text) + '\n';
    return text.isEmpty() ? "nothing found\n" : text;
}

constexpr Field casesFields[] = {
    field::integer<&cel::CasesReport::passed>("passed"),
    field::integer<&cel::CasesReport::failed>("failed"),
    field::listOf<&cel::CasesReport::failures, codecs::text>("failures"),
};
constexpr TableOf<cel::CasesReport> casesTable{nullptr, casesFields};

QByteArray casesText(const cel::CasesReport &report)
{
    QByteArray text;
    for (const QByteArray &failure : report.failures)
        text += forTerminal(failure) + '\n';
    return text + number(report.passed) + " passed, " + number(report.failed) + " failed\n";
}

// Once, or every second: over the same screen, or as one more line of JSON.
void showStatus(Session &session, bool watch)
{
    session.client().overview([&session, watch](const Result<Overview> &overview) {
        if (!overview.ok()) {
            session.fail(overview.error());
            return;
        }
        session.client().names(names_shown, {}, [&session, watch, overview = *overview](const Result<NamePage> &names) {
            if (!names.ok()) {
                session.fail(names.error());
                return;
            }
            const bool clears = watch && !session.json();
            session.print(clears ? "\x1b[H\x1b[2J" : "");
            session.show({overview, *names}, statusTable, statusText);
            if (watch && !session.isUnwritten())
                QTimer::singleShot(1'000, &session, [&session] { showStatus(session, true); });
            else
                session.end(exits::done);
        });
    });
}

Paging<NamePage, NameRow> namePages(Session &session)
{
    return {&NamePage::names, limits::names_page_max,
        [&session](int rows, const QByteArray &after, auto callback) { session.client().names(rows, after, std::move(callback)); }};
}

} // namespace

void overview(Session &session, Flags &flags)
{
    if (!flags.ready())
        return;
    session.client().overview([&session](const Result<Overview> &found) {
        session.finish(found, overviewTable, [](const Overview &now) { return statusText({now, {}}); });
    });
}

void names(Session &session, Flags &flags)
{
    const int limit = rowsOf(flags);
    if (flags.ready())
        showList(session, namePages(session), limit, namePageTable, namesText);
}

void doctor(Session &session, Flags &flags)
{
    if (!flags.ready())
        return;
    session.client().doctor([&session](const Result<Findings> &found) {
        if (!found.ok()) {
            session.fail(found.error());
            return;
        }
        session.show(*found, findingsTable, findingsText);
        session.end(found->findings.isEmpty() ? 0 : 1);
    });
}

void status(Session &session, Flags &flags)
{
    const bool watch = flags.on("--watch", "Show them again every second.");
    if (!flags.ready())
        return;
    if (watch)
        session.whenUnread([&session] { session.end(exits::done); });
    showStatus(session, watch);
}

// Conformance cases of the matcher language.
void celCases(Session &session, Flags &flags)
{
    const auto path = flags.text("--cases FILE", "The cases, as JSON.");
    if (!path)
        flags.refuse(reasons::optionRequired("--cases"));
    if (!flags.ready())
        return;
    const Result<QByteArray> cases = contentOf(*path);
    if (!cases.ok()) {
        flags.refuse(cases.error());
        return;
    }
    const Result<cel::CasesReport> report = cel::runCases(*cases);
    if (!report.ok()) {
        flags.refuse(reasons::optionWrong("--cases", report.error().reason));
        return;
    }
    session.show(*report, casesTable, casesText);
    session.end(report->failed == 0 ? 0 : 1);
}

} // namespace junban::app
