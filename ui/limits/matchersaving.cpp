// How MatcherDialog saves: the questions before saving, and what happens when someone else has saved the matcher since it was opened.
#include "ui/base/text.h"
#include "ui/base/reasontexts.h"
#include "ui/limits/conflictdialog.h"
#include "ui/limits/constrainttexts.h"
#include "ui/limits/expressionedit.h"
#include "ui/limits/matcherdialog.h"
#include "ui/widgets/morerows.h"
#include "ui/widgets/question.h"

#include <QLineEdit>
#include <QPushButton>

namespace junban::ui {

namespace {

// Whether a constraint lets no job start.
bool stops(const Constraint &constraint)
{
    const auto *rate = std::get_if<RateParameters>(&constraint.parameters);
    const auto *concurrency = std::get_if<ConcurrencyParameters>(&constraint.parameters);
    const bool none = (rate && rate->limit == 0) || (concurrency && concurrency->limit == 0);
    return none && constraint.mode == ConstraintMode::Enforce;
}

// Whether `matcher` has a constraint that lets no job start, and that did not stop jobs in `base`.
bool stopsMore(const JobMatcher &matcher, const std::optional<JobMatcher> &base)
{
    const QList<Constraint> before = base && base->enabled ? base->constraints : QList<Constraint>();
    return std::any_of(matcher.constraints.begin(), matcher.constraints.end(), [&](const Constraint &constraint) {
        return stops(constraint) && std::none_of(before.begin(), before.end(), [&](const Constraint &was) {
            return was.id == constraint.id && stops(was);
        });
    });
}

} // namespace

// Problems of the expression are underlined in it; other problems are shown below.
void MatcherDialog::showProblems(const QList<ExpressionProblem> &problems)
{
    QList<cel::Problem> own;
    QStringList others;
    for (const ExpressionProblem &problem : problems) {
        if (problem.field == "expression")
            own.append(problem.problem);
        else
            others.append(QStringLiteral("%1: %2").arg(fieldLabel(problem.field), problemText(problem.problem)));
    }
    if (!own.isEmpty())
        m_expression->showProblems(own);
    sayBesideFields(others.join(QLatin1Char('\n')));
}

// Shows what is wrong, and the fields below "More" of which one may be meant.
void MatcherDialog::sayBesideFields(const QString &problem)
{
    if (!problem.isEmpty()) {
        m_more->showFilled();
        for (int row = 0; row < m_list->count(); ++row)
            form(row)->showFilled();
    }
    say(problem);
}

void MatcherDialog::save(Mode mode)
{
    if (!go()->isEnabled())
        return;
    const client::ApiLink::Because reason = because();
    Result<JobMatcher> matcher = read();
    if (!matcher.ok()) {
        sayBesideFields(constraintFault(matcher.error()));
        return;
    }
    if (matcher->id.isEmpty()) {
        m_id->setFocus();
        say(tr("A JobMatcher needs an ID."));
        return;
    }
    for (Constraint &constraint : matcher->constraints) {
        if (mode == Mode::Observe && constraint.mode == ConstraintMode::Enforce)
            constraint.mode = ConstraintMode::Observe;
    }
    // Checks the expressions of constraints too, by the code that the master uses.
    const MatcherCompilation compiled = CompiledMatcher::compile(*matcher);
    if (!compiled.matcher) {
        showProblems(compiled.problems);
        return;
    }
    const qint64 revision = m_base ? m_base->revision : 0;
    if (!matcher->enabled || !stopsMore(*matcher, m_base)) {
        put(*matcher, revision);
        return;
    }
    ask(this, m_client,
        {tr("Stop all of these jobs from starting?"), tr("A limit of 0 holds all of them until you raise it, like a pause."), tr("Save"),
         Question::Weight::Grave},
        [this, matcher = *matcher, revision] { put(matcher, revision); });
}

void MatcherDialog::put(const JobMatcher &matcher, qint64 revision)
{
    say({});
    go()->setEnabled(false);
    m_observe->setEnabled(false);
    using Saved = client::Checked<client::SavedMatcher>;
    m_client.saveMatcher(matcher, revision, client::guarded<Saved>(this, [this, matcher](Result<Saved> answer) {
        sayExpression();
        came(matcher, std::move(answer));
    }));
}

void MatcherDialog::came(const JobMatcher &mine, Result<client::Checked<client::SavedMatcher>> answer)
{
    if (answer.ok() && answer->value) {
        Q_EMIT saved(*answer->value, m_base ? m_base->revision : 0);
        accept();
    } else if (answer.ok()) {
        showProblems(answer->problems);
    } else if (answer.error().code == ErrorCode::RevisionMismatch && m_base) {
        showConflict(mine);
    } else if (answer.error().code == ErrorCode::RevisionMismatch) {
        say(tr("There is a JobMatcher with this ID already."));
    } else {
        say(reasonText(answer.error().reason));
    }
}

// Someone else has saved meanwhile. Fetches what they saved and shows it beside both.
void MatcherDialog::showConflict(const JobMatcher &mine)
{
    m_client.matcher(mine.id, client::guarded<client::SavedMatcher>(this, [this, mine](Result<client::SavedMatcher> answer) {
        if (!answer.ok()) {
            say(answer.error().code == ErrorCode::NotFound ? tr("Someone else deleted this JobMatcher meanwhile.")
                                                           : reasonText(answer.error().reason));
            return;
        }
        const JobMatcher theirs = answer->matcher;
        auto *dialog = new ConflictDialog(*m_base, theirs, mine, m_format, this);
        connect(dialog, &ConflictDialog::chosen, this, [this, theirs](const JobMatcher &matcher) {
            m_base = theirs;
            setWindowTitle(titleOf(theirs));
            fill(matcher);
            const client::ApiLink::Because reason = because();
            put(matcher, theirs.revision);
        });
        dialog->open();
    }));
}

} // namespace junban::ui
