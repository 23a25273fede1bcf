#include "core/operators/operationrunner.h"

#include "core/access/scope.h"
#include "core/base/durations.h"
#include "core/base/gather.h"
#include "core/operators/governing.h"

#include <QPointer>
#include <QRandomGenerator>
#include <algorithm>

namespace junban {

OperationRunner::OperationRunner(
    OperationStore &operations, Store &store, Changes &changes, Matchers &matchers, Clock &clock, QObject *parent)
    : QObject(parent)
    , m_operations(operations)
    , m_store(store)
    , m_changes(changes)
    , m_matchers(matchers)
    , m_clock(clock)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &OperationRunner::look);
}

void OperationRunner::start()
{
    m_running = true;
    look();
}

void OperationRunner::stop()
{
    m_running = false;
    m_timer.stop();
}

void OperationRunner::look()
{
    if (!m_running)
        return;
    m_timer.start(limits::sweep_ms - QRandomGenerator::global()->bounded(limits::sweep_jitter_ms));
    m_operations.free([self = QPointer(this)](const Result<QList<QByteArray>> &ids) {
        if (!self || !ids.ok())
            return;
        for (const QByteArray &id : *ids)
            self->work(id, {id});
    });
}

void OperationRunner::work(const QByteArray &id, OperateItem item)
{
    if (!m_running || (m_working.contains(id) && !item.position))
        return;
    m_working.insert(id);
    m_operations.operate(std::move(item), [self = QPointer(this), id](const Result<Operated> &operated) {
        if (self)
            self->worked(id, operated);
    });
}

// After an error look() goes on: the store gives the operation away when its master's time has run out.
void OperationRunner::worked(const QByteArray &id, const Result<Operated> &operated)
{
    if (!operated.ok() || operated->busy || operated->again_ms == 0) {
        m_working.remove(id);
        return;
    }
    if (!operated->ids.isEmpty()) {
        take(id, *operated);
        return;
    }
    // Never at once: other requests come between two slices.
    const qint64 left_ms = std::clamp<qint64>(operated->again_ms - operated->now_ms, 1, hour_ms);
    QTimer::singleShot(int(left_ms), this, [this, id] {
        m_working.remove(id);
        work(id, {id});
    });
}

// Jobs that the store wants to know something of.
void OperationRunner::take(const QByteArray &id, const Operated &given)
{
    m_matchers.refresh([self = QPointer(this), id, given](const Result<Done> &loaded) {
        if (!self)
            return;
        if (!loaded.ok()) {
            self->m_working.remove(id);
            return;
        }
        self->m_operations.get(id, [self, id, given](const Result<BulkOperation> &operation) {
            if (!self)
                return;
            if (operation.ok() && operation->fields)
                self->change(*operation, given);
            else if (operation.ok() && !operation->match.isEmpty())
                self->judge(*operation, given);
            else
                self->m_working.remove(id);
        });
    });
}

// Changes jobs for `set`, and tells the store what became of them. Doing so again changes nothing more.
void OperationRunner::change(const BulkOperation &operation, const Operated &given)
{
    const auto all = [self = QPointer(this), id = operation.id, position = given.position](const QList<Result<QByteArray>> &outcomes) {
        if (self)
            self->tell(id, position, outcomes);
    };
    const auto answers = Gather<QByteArray>::answers(given.ids.size(), all);
    for (qsizetype i = 0; i < given.ids.size(); ++i)
        changeJob(operation, given.ids[i], answers[i]);
}

// Says which jobs the token of the operation is still for: a job may have left its scope since it was frozen. For that caller it is gone.
void OperationRunner::judge(const BulkOperation &operation, const Operated &given)
{
    TokenSpec spec;
    spec.match = operation.match;
    const Result<Scope> scope = Scope::of(spec);
    const auto all = [self = QPointer(this), id = operation.id, position = given.position, scope](const QList<Result<Job>> &jobs) {
        if (!self)
            return;
        cel::Evaluation evaluation;
        QList<Result<QByteArray>> outcomes;
        for (const Result<Job> &job : jobs) {
            if (!job.ok() && job.error().code != ErrorCode::NotFound)
                outcomes.append(job.error());
            else
                outcomes.append(job.ok() && scope.ok() && scope->has(job->spec, evaluation) ? QByteArray() : QByteArray("gone"));
        }
        self->tell(id, position, outcomes);
    };
    const auto answers = Gather<Job>::answers(given.ids.size(), all);
    for (qsizetype i = 0; i < given.ids.size(); ++i)
        m_store.get(given.ids[i], answers[i]);
}

void OperationRunner::tell(const QByteArray &id, qint64 position, const QList<Result<QByteArray>> &outcomes)
{
    OperateItem item{id, position};
    for (const Result<QByteArray> &outcome : outcomes) {
        if (!outcome.ok()) {
            m_working.remove(id);
            return;
        }
        item.outcomes.append(*outcome);
    }
    work(id, std::move(item));
}

// Answers why the job is left as it is; an empty text: it is changed.
void OperationRunner::changeJob(const BulkOperation &operation, JobId id, Callback<QByteArray> callback)
{
    const QByteArray by = changedBy(operation.by, operation.reason);
    m_store.get(id, [self = QPointer(this), id, edit = *operation.fields, by, callback](const Result<Job> &job) {
        if (!self)
            return;
        if (!job.ok()) {
            callback(job.error().code == ErrorCode::NotFound ? Result<QByteArray>(QByteArray("gone")) : Result<QByteArray>(job.error()));
            return;
        }
        const bool trash = job->deletedAt_ms > 0;
        if (!mayAct(BulkAction::Set, job->state, trash) || (edit.isTimed() && job->state == JobState::Failed)) {
            callback(trash ? QByteArray("trash") : QByteArray(stateWord(job->state)));
            return;
        }
        if (governedBy(*self->m_matchers.share(), job->spec, edit).field) {
            callback(QByteArray("set_by_matcher"));
            return;
        }
        self->m_changes.edit(id, edit, by, [callback](const Result<Job> &edited) {
            if (edited.ok())
                callback(QByteArray());
            else if (ofWholeCall(edited.error()))
                callback(edited.error());
            else
                callback(QByteArray(errorWord(edited.error().code)));
        });
    });
}

} // namespace junban
