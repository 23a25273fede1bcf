// Addresses of the web console: what the window shows as one, and the same screen again from one (docs/web.md, "Links").
#include "ui/access/auditlogpage.h"
#include "ui/base/text.h"
#include "ui/inspector/jobinspector.h"
#include "ui/jobs/jobspage.h"
#include "ui/limits/constraintspage.h"
#include "ui/limits/filterbar.h"
#include "ui/operations/operationspage.h"
#include "ui/overview/overviewpage.h"
#include "ui/past/failurespage.h"
#include "ui/past/resultspage.h"
#include "ui/schedules/schedulespage.h"
#include "ui/shell/mainwindow.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/recordlist.h"
#include "ui/workers/workerspage.h"

#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QGuiApplication>
#include <QPlainTextEdit>

namespace junban::ui {

namespace {

// In the order of Screen.
constexpr std::array<const char *, 11> screenWords = {"overview", "jobs",        "failures", "results", "schedules",
                                                     "constraints", "workers", "operations", "tokens", "audit", "retention"};
// In the order of the buttons and choices that they are about.
constexpr std::array<const char *, 5> chartRanges = {"5m", "1h", "3h", "24h", "8d"};
constexpr std::array<const char *, 5> failureWindows = {"1h", "3h", "24h", "3d", "7d"};
constexpr std::array<const char *, 4> failureStates = {"open", "resolved", "muted", "all"};
constexpr std::array<std::pair<const char *, qint64>, 3> auditRanges
    = {{{"1h", 3'600'000}, {"24h", 86'400'000}, {"7d", 7 * 86'400'000LL}}};

template<size_t N>
int placeOf(const std::array<const char *, N> &words, const QString &word)
{
    const auto found = std::find_if(words.begin(), words.end(), [&word](const char *each) { return word == QLatin1String(each); });
    return found == words.end() ? -1 : int(found - words.begin());
}

// What was typed into the filter that is in force.
QString filterOf(const FilterBar &bar)
{
    return bar.match().isEmpty() ? QString() : bar.word().isEmpty() ? QString::fromUtf8(bar.match()) : bar.word();
}

} // namespace

void MainWindow::addressOfJobs(Address &address) const
{
    const JobList::Filter &filter = m_jobs->list().filter();
    if (!filter.cause.isEmpty()) { // its jobs are shown beside it there
        address = {QStringLiteral("failures"), QString::fromLatin1(filter.cause)};
        return;
    }
    if (filter.state && filter.which == client::JobsOf::States)
        address.add("state", QByteArray(stateWord(*filter.state)));
    if (filter.which != client::JobsOf::States)
        address.add("kind", QByteArray(filter.which == client::JobsOf::Trash ? "trash" : "tracked"));
    address.add("filter", filterOf(*m_jobs->filterBar()));
    address.add("name", filter.name);
    address.add("tag", filter.tag);
    if (filter.reversed)
        address.add("order", QByteArray("reversed"));
}

Address MainWindow::address() const
{
    Address address{QString::fromLatin1(screenWords[size_t(screen())])};
    switch (screen()) {
    case Screen::Overview:
        if (m_overview->range() > 0)
            address.add("range", QByteArray(chartRanges[size_t(m_overview->range())]));
        break;
    case Screen::Jobs: addressOfJobs(address); break;
    case Screen::Failures:
        if (const std::optional<FailurePage> &chosen = m_failures->chosen())
            address.id = QString::fromLatin1(chosen->group.signature);
        if (m_failures->window() != client::FailurePeriod::Day)
            address.add("window", QByteArray(failureWindows[size_t(m_failures->window())]));
        if (m_failures->state()->currentIndex() > 0)
            address.add("show", QByteArray(failureStates[size_t(m_failures->state()->currentIndex())]));
        address.add("filter", filterOf(*m_failures->filterBar()));
        break;
    case Screen::Results: address.add("filter", filterOf(*m_results->filterBar())); break;
    case Screen::Schedules: address.id = QString::fromUtf8(m_schedules->list()->table()->chosen()); break;
    case Screen::Constraints:
        if (const client::SavedMatcher *chosen = m_constraints->chosen())
            address.id = QString::fromUtf8(chosen->matcher.id);
        break;
    case Screen::Workers: address.id = QString::fromUtf8(m_workers->list()->table()->chosen()); break;
    case Screen::Operations: address.id = QString::fromUtf8(m_operations->list()->table()->chosen()); break;
    case Screen::Tokens:
    case Screen::Retention: break;
    case Screen::Audit: {
        const AuditLogPage::Filter &filter = m_audit->filter();
        address.add("actor", filter.actor);
        address.add("action", filter.action);
        address.add("target", filter.target);
        for (const auto &[word, last_ms] : auditRanges)
            address.add("range", QByteArray(last_ms == filter.last_ms ? word : ""));
        break;
    }
    }
    if (m_dock->isVisible() && !m_inspector->id().isNull())
        address.add("job", m_inspector->id().text());
    return address;
}

void MainWindow::openJobs(const Address &address)
{
    const QString state = address.parameter("state"), kind = address.parameter("kind");
    m_jobs->clearFilter();
    m_jobs->showJobs(stateFromWord(state.toUtf8()), address.parameter("name").toUtf8(), {});
    m_jobs->setReversed(kind.isEmpty() && !state.isEmpty() && address.parameter("order") == QLatin1String("reversed"));
    if (!kind.isEmpty())
        m_jobs->showWhich(kind == QLatin1String("trash") ? client::JobsOf::Trash : client::JobsOf::Tracked);
    if (const QString filter = address.parameter("filter"); !filter.isEmpty())
        m_jobs->filterBar()->setFilter(filter);
    if (const QByteArray tag = address.parameter("tag").toUtf8(); !tag.isEmpty())
        m_jobs->filterBar()->narrow(quotedText(tag) + " in job.tags");
}

void MainWindow::openFailures(const Address &address)
{
    const int window = placeOf(failureWindows, address.parameter("window"));
    m_failures->setWindow(window < 0 ? client::FailurePeriod::Day : client::FailurePeriod(window));
    m_failures->state()->setCurrentIndex(std::max(0, placeOf(failureStates, address.parameter("show"))));
    m_failures->filterBar()->setFilter(address.parameter("filter"));
    if (!address.id.isEmpty())
        m_failures->showCause(address.id.toUtf8());
}

void MainWindow::openAddress(const Address &address)
{
    const int wanted = placeOf(screenWords, address.screen.isEmpty() ? QStringLiteral("overview") : address.screen);
    if (wanted < 0) {
        m_toast->say(tr("This window has no screen “%1”.").arg(shown(address.screen)), {}, {});
        return;
    }
    const QByteArray id = address.id.toUtf8();
    showScreen(Screen(wanted));
    switch (Screen(wanted)) {
    case Screen::Overview: m_overview->setRange(std::max(0, placeOf(chartRanges, address.parameter("range")))); break;
    case Screen::Jobs: openJobs(address); break;
    case Screen::Failures: openFailures(address); break;
    case Screen::Results: m_results->filterBar()->setFilter(address.parameter("filter")); break;
    case Screen::Schedules: m_schedules->showSchedule(id); break;
    case Screen::Constraints:
        if (!id.isEmpty())
            m_constraints->showConstraint(id, {});
        break;
    case Screen::Workers: m_workers->showWorker(id); break;
    case Screen::Operations: m_operations->showOperation(id); break;
    case Screen::Tokens:
    case Screen::Retention: break;
    case Screen::Audit: {
        AuditLogPage::Filter filter{address.parameter("actor").toUtf8(), address.parameter("action").toUtf8(),
                                    address.parameter("target").toUtf8()};
        for (const auto &[word, last_ms] : auditRanges)
            filter.last_ms = address.parameter("range") == QLatin1String(word) ? last_ms : filter.last_ms;
        m_audit->setFilter(filter);
        break;
    }
    }
    if (const std::optional<JobId> job = JobId::fromText(address.parameter("job").toUtf8()))
        openJob(*job);
}

void MainWindow::copyLink()
{
    if (m_client.url().authority().isEmpty()) {
        m_toast->say(tr("A browser cannot open a link to a unix socket."), {}, {});
        return;
    }
    QGuiApplication::clipboard()->setText(urlOf(address(), m_client.url()).toString(QUrl::FullyEncoded));
    m_toast->say(tr("Link copied. It opens in a browser, or with “junban --open”."), {}, {});
}

} // namespace junban::ui
