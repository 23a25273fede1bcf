#include "core/operators/operations.h"

#include "core/base/clock.h"
#include "core/base/durations.h"
#include "core/base/reasons/operators.h"
#include "core/operators/limitsmet.h"

#include <algorithm>

namespace junban {

namespace {

bool mayActNow(const NewOperation &operation, JobState state, bool inTrash)
{
    const bool isTimed = operation.fields && operation.fields->isTimed();
    return mayAct(*operation.action, state, inTrash) && !(isTimed && state == JobState::Failed);
}

// Adds what the operation would leave as it is, and returns what it would act on.
qint64 divide(const NewOperation &operation, const StateCounts &counts, StateCounts &excluded)
{
    qint64 jobs = 0;
    const auto put = [&jobs](bool acts, qint64 n, qint64 &other) { (acts ? jobs : other) += n; };
    for (int state = int(JobState::Scheduled); state <= int(JobState::Cancelled); ++state)
        put(mayActNow(operation, JobState(state), false), counts.of(JobState(state)), excluded.of(JobState(state)));
    put(mayActNow(operation, JobState::Ready, true), counts.trash, excluded.trash);
    excluded.gone += counts.gone;
    return jobs;
}

// One dry run: freezes, counts by state, takes samples, and stores what can then be started.
class Preparing : public std::enable_shared_from_this<Preparing>
{
public:
    struct Sources {
        OperationStore &operations;
        Freezer &freezer;
        Matchers &matchers;
        std::weak_ptr<int> alive;
    };
    Preparing(Sources sources, Operations::Request request, Callback<OperationPreview> callback)
        : m_from(std::move(sources))
        , m_request(std::move(request))
        , m_callback(std::move(callback))
    {
        m_preview.action = *m_request.operation.action;
        m_preview.token = randomName();
    }

    void start()
    {
        if (!m_request.operation.view.isEmpty()) {
            look(m_request.operation.view);
            return;
        }
        m_request.freeze.wait_s = limits::operation_prepare_s_max;
        m_from.freezer.freeze(m_request.freeze, [self = shared_from_this()](const Result<View> &view) {
            if (view.ok())
                self->look(view->id);
            else
                self->m_callback(view.error());
        });
    }

private:
    template<typename T, typename Take>
    Callback<T> taking(Take take)
    {
        return [self = shared_from_this(), take](const Result<T> &result) {
            if (self->m_from.alive.expired())
                return;
            if (result.ok())
                take(*self, *result);
            else
                self->m_callback(result.error());
        };
    }

    void look(const QByteArray &view)
    {
        m_from.freezer.view(view, 0, 0, {}, taking<ViewPage>([](Preparing &self, const ViewPage &page) {
            self.m_preview.view = page.view.id;
            self.m_preview.asOf_ms = page.view.asOf_ms;
            self.m_preview.complete = page.view.complete;
            self.m_count = page.view.count;
            self.m_selection = page.view.selection;
            if (page.view.building)
                self.m_callback(reasons::viewOfOperationIncomplete(page.view.id));
            else
                self.countStates(0);
        }));
    }

    void countStates(qint64 from)
    {
        if (from >= m_count) {
            m_preview.jobs = divide(m_request.operation, m_preview.counts, m_preview.excluded);
            takeSamples(0);
            return;
        }
        if (const auto &scope = m_request.freeze.filter.scope; scope && scope->needsJob()) {
            judgeStates(from);
            return;
        }
        m_from.operations.viewStates(m_preview.view, from, limits::page_rows_max,
            taking<ViewStates>([from](Preparing &self, const ViewStates &states) {
                StateCounts &counts = self.m_preview.counts;
                for (size_t i = 0; i < counts.byState.size(); ++i)
                    counts.byState[i] += states.counts.byState[i];
                counts.trash += states.counts.trash;
                counts.gone += states.counts.gone;
                self.countStates(states.looked > 0 ? from + states.looked : self.m_count);
            }));
    }

    // The same for a token with a `match`: a job that is outside its scope now is as gone for it. The jobs are read for that.
    void judgeStates(qint64 from)
    {
        if (Clock::monotonic_ms() > m_until_ms) {
            m_callback(reasons::viewTooLargeForMatch());
            return;
        }
        m_from.freezer.view(m_preview.view, from, limits::view_page_max, m_request.freeze.filter.scope,
            taking<ViewPage>([from](Preparing &self, const ViewPage &page) {
                StateCounts &counts = self.m_preview.counts;
                for (const Job &job : page.jobs)
                    ++(job.deletedAt_ms > 0 ? counts.trash : counts.of(job.state));
                counts.gone += page.ids.size() - page.jobs.size();
                self.countStates(page.ids.isEmpty() ? self.m_count : from + page.ids.size());
            }));
    }

    // The first jobs that it would act on.
    void takeSamples(qint64 from)
    {
        const auto take = taking<ViewPage>([from](Preparing &self, const ViewPage &page) {
            const qsizetype wanted = std::min<qint64>(limits::operation_samples_max, self.m_preview.jobs);
            for (const Job &job : page.jobs) {
                if (self.m_preview.samples.size() < wanted && mayActNow(self.m_request.operation, job.state, job.deletedAt_ms > 0))
                    self.m_preview.samples.append(job);
            }
            if (self.m_preview.samples.size() < wanted && !page.ids.isEmpty())
                self.takeSamples(from + page.ids.size());
            else
                self.loadMatchers();
        });
        m_from.freezer.view(m_preview.view, from, limits::view_page_max, m_request.freeze.filter.scope, take);
    }

    // Jobs that start afterwards, or may.
    void loadMatchers()
    {
        const BulkAction action = m_preview.action;
        if (m_preview.jobs == 0 || action == BulkAction::Cancel || action == BulkAction::Delete) {
            save();
            return;
        }
        m_from.matchers.refresh(taking<Done>([](Preparing &self, const Done &) {
            self.m_met.emplace(self.m_from.matchers);
            self.meetLimits(0);
        }));
    }

    // Some jobs from each tenth of the view. A job whose argument is too long for a list is passed over.
    void meetLimits(int part)
    {
        if (part == 10) {
            m_preview.limits = m_met->met();
            m_preview.drain_s = m_met->drain_s(m_preview.jobs);
            save();
            return;
        }
        const qint64 from = m_count * part / 10, to = m_count * (part + 1) / 10;
        m_from.freezer.view(m_preview.view, from, int(std::min<qint64>(to - from, limits::operation_limits_jobs / 10)),
            m_request.freeze.filter.scope, taking<ViewPage>([part](Preparing &self, const ViewPage &page) {
                for (const Job &job : page.jobs) {
                    const bool isWhole = job.argument_bytes <= job.spec.argument.size();
                    if (isWhole && mayActNow(self.m_request.operation, job.state, job.deletedAt_ms > 0))
                        self.m_met->add(job.spec);
                }
                self.meetLimits(part + 1);
            }));
    }

    void save()
    {
        const NewOperation &asked = m_request.operation;
        OperationSave save{m_preview.token, *asked.action, m_preview.view, m_preview.jobs, asked.rate, asked.fields, m_request.owner};
        save.selection = m_selection;
        m_from.operations.save(std::move(save), taking<Done>([](Preparing &self, const Done &) {
            self.m_from.freezer.view(self.m_preview.view, 0, 0, {}, self.taking<ViewPage>([](Preparing &prepared, const ViewPage &page) {
                prepared.m_preview.expiresAt_ms = page.view.expiresAt_ms;
                const double rate = prepared.m_request.operation.rate;
                if (rate > 0)
                    prepared.m_preview.drain_s = std::max(prepared.m_preview.drain_s, double(prepared.m_preview.jobs) / rate);
                prepared.m_callback(prepared.m_preview);
            }));
        }));
    }

    Sources m_from;
    Operations::Request m_request;
    Callback<OperationPreview> m_callback;
    OperationPreview m_preview;
    std::optional<LimitsMet> m_met;
    Selection m_selection;
    qint64 m_count = 0;
    const qint64 m_until_ms = Clock::monotonic_ms() + qint64(limits::operation_prepare_s_max * second_ms);
};

} // namespace

Operations::Operations(OperationStore &operations, Freezer &freezer, Matchers &matchers, OperationRunner &runner)
    : m_operations(operations)
    , m_freezer(freezer)
    , m_matchers(matchers)
    , m_runner(runner)
{
}

void Operations::prepare(Request request, Callback<OperationPreview> callback)
{
    const Preparing::Sources sources{m_operations, m_freezer, m_matchers, m_alive};
    std::make_shared<Preparing>(sources, std::move(request), std::move(callback))->start();
}

void Operations::change(OperationChange change, Callback<BulkOperation> callback)
{
    const QByteArray id = change.id;
    m_operations.change(std::move(change), [this, id, callback, alive = std::weak_ptr(m_alive)](const Result<Done> &changed) {
        if (alive.expired())
            return;
        if (!changed.ok()) {
            callback(changed.error());
            return;
        }
        m_runner.look();
        m_operations.get(id, callback);
    });
}

void Operations::undo(QByteArray id, OperationOwner owner, QByteArray by, QByteArray reason, Callback<BulkOperation> callback)
{
    m_operations.get(id, [=, this, alive = std::weak_ptr(m_alive)](const Result<BulkOperation> &found) {
        if (alive.expired())
            return;
        const std::optional<BulkAction> action = found.ok() ? undoOf(found->action) : std::nullopt;
        if (!found.ok() || !action || !found->undoes.isEmpty()) {
            callback(found.ok() ? reasons::operationUndoesNothing() : found.error());
            return;
        }
        OperationSave save{randomName(), *action, {}, 0, found->rate, {}, owner, id, found->selection};
        const QByteArray undo = save.id;
        m_operations.save(std::move(save), [=, this](const Result<Done> &saved) {
            if (alive.expired())
                return;
            if (saved.ok())
                change({undo, OperationVerb::Start, by, reason}, callback);
            else
                callback(saved.error());
        });
    });
}

} // namespace junban
