// JobMatchers from files: what differs from the master's, and the change.
#include "app/ctl/asking.h"
#include "app/ctl/expressions.h"
#include "app/ctl/matcherfile.h"
#include "app/ctl/paging.h"
#include "client/matchercalls.h"
#include "core/base/reasons/ctl.h"
#include "core/base/reasons/start.h"

#include <QSet>
#include <algorithm>
#include <memory>

namespace junban::app {

namespace {

using client::Checked;
using client::MatcherPage;
using client::MatcherPreview;
using client::SavedMatcher;

enum class Action { Create, Change, Keep, Delete };
constexpr const char *actionWords[] = {"create", "change", "keep", "delete"};

struct Step {
    Action action = Action::Keep;
    JobMatcher matcher;            // as it shall be; of a deletion as it is
    qint64 revision = 0;           // that the change is for; afterwards the new one
    QByteArray id, diff;
    answers::ExpressionRefusal error; // why it is or would be refused
    qint64 matched = 0;            // jobs that it would match
    bool done = false;
};
struct Plan {
    QList<Step> steps;
    bool applied = false;
};
bool isRefused(const void *step)
{
    return !static_cast<const Step *>(step)->error.problem.reason.isEmpty();
}
constexpr Field stepFields[] = {
    field::text<&Step::id>("id").needed(),
    field::word<&Step::action>("action", actionWords),
    field::text<&Step::diff>("diff").rare(),
    field::object<&Step::error>("error", answers::expressionRefusalTable).onlyIf(isRefused),
    field::integer<&Step::matched>("matched").rare(),
    field::boolean<&Step::done>("done"),
    field::integer<&Step::revision>("revision").rare(),
};
constexpr TableOf<Step> stepTable{nullptr, stepFields};
constexpr Field planFields[] = {
    field::list<&Plan::steps>("steps", stepTable),
    field::boolean<&Plan::applied>("applied"),
};
constexpr TableOf<Plan> planTable{nullptr, planFields};

QByteArray countText(const Plan &plan)
{
    QList<qsizetype> counts(4, 0);
    for (const Step &step : plan.steps)
        ++counts[qsizetype(step.action)];
    return number(counts[0]) + " to create, " + number(counts[1]) + " to change, " + number(counts[3]) + " to delete, " + number(counts[2])
        + " as they are\n";
}

QByteArray planText(const Plan &plan)
{
    QByteArray text;
    for (const Step &step : plan.steps) {
        if (step.action == Action::Keep)
            continue;
        text += QByteArray(actionWords[size_t(step.action)]) + ' ' + forTerminal(step.id);
        if (step.action != Action::Delete && !isRefused(&step))
            text += "  (matches " + number(step.matched) + " jobs now)";
        text += '\n' + linesForTerminal(step.diff);
        if (!step.error.errors.isEmpty())
            text += problemsText(step.error.errors, {{"expression", step.matcher.expression}}) + '\n';
        else if (isRefused(&step))
            text += forTerminal(step.error.problem.reason.text) + '\n';
        text += '\n';
    }
    return text + countText(plan);
}

struct ApplyOptions {
    Consent consent = Consent::Asks;
    bool prune = false;
};

// One apply: reads what is there, tries what would change, shows it, asks, and changes one after the other. It lives as long as a
// callback of it.
class Apply : public std::enable_shared_from_this<Apply>
{
public:
    Apply(Session &session, QList<JobMatcher> wanted, ApplyOptions options)
        : m_session(session), m_wanted(std::move(wanted)), m_options(options)
    {
    }

    void start()
    {
        const Paging<MatcherPage, SavedMatcher> paging{&MatcherPage::matchers, limits::page_rows_max,
            [this](int rows, const QByteArray &after, auto callback) { m_session.client().matchers(rows, after, std::move(callback)); }};
        gather<MatcherPage, SavedMatcher>(paging, rows_max, [self = shared_from_this()](const Result<MatcherPage> &page) {
            if (!page.ok()) {
                self->m_session.fail(page.error());
                return;
            }
            self->compare(page->matchers);
            self->tryNext(0);
        });
    }

private:
    void compare(const QList<SavedMatcher> &saved)
    {
        QSet<QByteArray> named;
        for (JobMatcher &matcher : m_wanted) {
            named.insert(matcher.id);
            const auto isOld = [&matcher](const SavedMatcher &one) { return one.matcher.id == matcher.id; };
            const auto old = std::find_if(saved.cbegin(), saved.cend(), isOld);
            const JobMatcher *previous = old == saved.cend() ? nullptr : &old->matcher;
            giveConstraintIds(matcher, previous);
            const QByteArray before = previous ? yamlOf(*previous) : QByteArray(), after = yamlOf(matcher);
            const Action action = !previous ? Action::Create : before == after ? Action::Keep : Action::Change;
            m_plan.steps.append({action, matcher, previous ? previous->revision : 0, matcher.id, lineDifferences(before, after), {}});
        }
        for (const SavedMatcher &one : saved) {
            const JobMatcher &matcher = one.matcher;
            if (m_options.prune && !named.contains(matcher.id) && !matcher.id.startsWith(pause_id_prefix))
                m_plan.steps.append({Action::Delete, matcher, matcher.revision, matcher.id, lineDifferences(yamlOf(matcher), {}), {}});
        }
    }

    // Whether each would be taken, and how many jobs it matches.
    void tryNext(qsizetype index)
    {
        while (index < m_plan.steps.size() && m_plan.steps[index].action != Action::Create && m_plan.steps[index].action != Action::Change)
            ++index;
        if (index == m_plan.steps.size()) {
            tell();
            return;
        }
        const Step &step = m_plan.steps[index];
        const client::PreviewQuery query{step.action == Action::Change ? step.id : QByteArray(), step.matcher.expression,
            step.matcher.constraints, step.matcher.exempts};
        m_session.client().previewMatcher(query, [self = shared_from_this(), index](const Result<Checked<MatcherPreview>> &answer) {
            Step &tried = self->m_plan.steps[index];
            if (!answer.ok() && answer.error().code != ErrorCode::InvalidField) {
                self->m_session.fail(answer.error());
                return;
            }
            if (!answer.ok())
                tried.error.problem = problemOf(answer.error());
            else if (!answer->value)
                tried.error = refusalOf(answer->problems);
            else
                for (const client::PreviewCount &count : answer->value->states)
                    tried.matched += count.matched;
            self->tryNext(index + 1);
        });
    }

    void tell()
    {
        const auto changes = [](const Step &step) { return step.action != Action::Keep; };
        const bool some = std::any_of(m_plan.steps.cbegin(), m_plan.steps.cend(), changes);
        const bool wrong = std::any_of(m_plan.steps.cbegin(), m_plan.steps.cend(), [](const Step &step) { return isRefused(&step); });
        if (!m_session.json())
            m_session.print(planText(m_plan));
        if (wrong)
            finish(1);
        else if (!some || m_options.consent == Consent::DryRun)
            finish(0);
        else if (m_options.consent == Consent::Given || isConfirmed(m_session, "Change these"))
            changeNext(0);
    }

    void changeNext(qsizetype index)
    {
        while (index < m_plan.steps.size() && m_plan.steps[index].action == Action::Keep)
            ++index;
        if (index == m_plan.steps.size()) {
            m_plan.applied = true;
            finish(0);
            return;
        }
        const Step &step = m_plan.steps[index];
        const auto taken = [self = shared_from_this(), index](const Result<SavedMatcher> &changed) { self->changed(index, changed); };
        if (step.action == Action::Delete) {
            m_session.client().deleteMatcher(step.id, step.revision, taken);
            return;
        }
        m_session.client().saveMatcher(step.matcher, step.revision, [taken](const Result<Checked<SavedMatcher>> &saved) {
            if (!saved.ok())
                taken(saved.error());
            else if (saved->value)
                taken(*saved->value);
            else
                taken(Error{ErrorCode::InvalidField, saved->problems.first().problem.reason});
        });
    }

    void changed(qsizetype index, const Result<SavedMatcher> &answer)
    {
        Step &step = m_plan.steps[index];
        if (!answer.ok()) {
            const Error stopped{answer.error().code, reasons::applyStopped(step.id, answer.error().reason)};
            step.error.problem = problemOf(answer.error());
            if (m_session.json())
                finish(exits::refused);
            else
                m_session.fail(stopped);
            return;
        }
        step.done = true;
        step.revision = answer->matcher.revision;
        if (!m_session.json())
            m_session.print(forTerminal(step.id) + (step.action == Action::Delete ? " is deleted" : " is saved") + ", revision "
                + number(step.revision) + '\n');
        changeNext(index + 1);
    }

    void finish(int exitCode)
    {
        if (m_session.json())
            m_session.show(m_plan, planTable, planText);
        m_session.end(exitCode);
    }

    Session &m_session;
    QList<JobMatcher> m_wanted;
    const ApplyOptions m_options;
    Plan m_plan;
};

} // namespace

void matchersApply(Session &session, Flags &flags)
{
    const QList<QByteArray> paths = flags.words("FILE", "Matchers in YAML or JSON; - is standard input, and needs --yes or --dry-run.");
    ApplyOptions options;
    options.prune = flags.on("--prune", "Also delete the matchers that no file names; pauses stay.");
    options.consent = consentOf(session, flags, paths.contains("-"));
    flags.note("A file has what 'junbanctl matchers get' prints: one matcher, several with --- between them, or a list. First it\n"
               "shows what differs and how many jobs would match. A matcher that somebody changes meanwhile is refused, and nothing\n"
               "after it is changed.");
    if (!flags.ready())
        return;
    QList<JobMatcher> wanted;
    for (const QByteArray &path : paths) {
        const Result<QByteArray> text = contentOf(path);
        const Result<QList<JobMatcher>> read = text.ok() ? matchersOf(*text) : Result<QList<JobMatcher>>(text.error());
        if (!read.ok()) {
            flags.refuse(text.ok() ? reasons::optionWrong(fileName(path), read.error().reason) : text.error());
            return;
        }
        for (const JobMatcher &matcher : *read) {
            if (std::any_of(wanted.cbegin(), wanted.cend(), [&](const JobMatcher &other) { return other.id == matcher.id; }))
                flags.refuse(reasons::matchersFileIdInAnother(fileName(path), matcher.id));
            wanted.append(matcher);
        }
    }
    if (flags.ready())
        std::make_shared<Apply>(session, std::move(wanted), options)->start();
}

} // namespace junban::app
