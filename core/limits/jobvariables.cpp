#include "core/limits/jobvariables.h"

#include "core/base/reasons/matchers.h"
#include "core/cel/times.h"

namespace junban::cel {

namespace {

struct Row {
    const char *name;
    JobVariable variable;
    std::optional<ValueType> type; // of what SpecBindings and JobBindings give
};
constexpr Row unchanging[] = {{"job.name", JobVariable::Name, ValueType::String}, {"job.argument", JobVariable::Argument, {}},
    {"job.parameter", JobVariable::Argument, {}}, {"job.priority", JobVariable::Priority, ValueType::Int},
    {"job.max_retry", JobVariable::MaxRetry, ValueType::Int}, {"job.keep_result", JobVariable::KeepResult, ValueType::Bool},
    {"job.timeout", JobVariable::Timeout, ValueType::Double}, {"job.tags", JobVariable::Tags, ValueType::List},
    {"job.pusher", JobVariable::Pusher, ValueType::String}};
constexpr Row changing[] = {{"job.id", JobVariable::Id, ValueType::String}, {"job.state", JobVariable::State, ValueType::String},
    {"job.attempt", JobVariable::Attempt, ValueType::Int}, {"job.failures", JobVariable::Failures, ValueType::Int},
    {"job.enqueued_at", JobVariable::EnqueuedAt, ValueType::Timestamp}, {"job.run_at", JobVariable::RunAt, ValueType::Timestamp},
    {"job.started_at", JobVariable::StartedAt, ValueType::Timestamp}, {"job.finished_at", JobVariable::FinishedAt, ValueType::Timestamp},
    {"job.age", JobVariable::Age, ValueType::Duration}, {"job.worker", JobVariable::Worker, ValueType::String},
    {"job.reason", JobVariable::Reason, ValueType::String}, {"job.message", JobVariable::Message, ValueType::String},
    {"job.held_by", JobVariable::HeldBy, {}}, {"now", JobVariable::Now, ValueType::Timestamp}};

std::vector<Value> texts(const QList<QByteArray> &list)
{
    std::vector<Value> values;
    values.reserve(size_t(list.size()));
    for (const QByteArray &text : list)
        values.push_back(Value::string(text));
    return values;
}

Value listOf(const std::vector<Value> &values)
{
    return Value::list(values.data(), qsizetype(values.size()));
}

Value missing()
{
    return Value::error(Cause::UnboundVariable);
}

Value textOr(QByteArrayView text)
{
    return text.isEmpty() ? missing() : Value::string(text);
}

Value timeOr(qint64 at_ms)
{
    const auto time = at_ms == 0 ? std::nullopt : times::timestampAt(at_ms / 1000, at_ms % 1000 * 1'000'000);
    return time.value_or(missing());
}

} // namespace

Environment matcherEnvironment()
{
    Environment environment;
    for (const Row &row : unchanging)
        environment.variables.append({row.name, qint32(row.variable), {}, row.type});
    for (const Row &row : changing) {
        environment.variables.append({row.name, qint32(row.variable),
            reasons::expressionVariableNotOfMatchers(row.name), row.type});
    }
    return environment;
}

Environment searchEnvironment()
{
    Environment environment;
    for (const Row &row : unchanging)
        environment.variables.append({row.name, qint32(row.variable), {}, row.type});
    for (const Row &row : changing) {
        const Reason refusal
            = row.variable == JobVariable::HeldBy ? reasons::expressionVariableNotSearched(row.name) : Reason();
        environment.variables.append({row.name, qint32(row.variable), refusal, row.type});
    }
    return environment;
}

Environment groupEnvironment()
{
    Environment environment = searchEnvironment();
    for (Variable &variable : environment.variables) {
        const auto is = JobVariable(variable.slot);
        if (is == JobVariable::Now) {
            variable.refusal = reasons::expressionNowNotOfGroups();
            continue;
        }
        if (is != JobVariable::Name && is != JobVariable::Reason && is != JobVariable::Message && is != JobVariable::Worker)
            variable.refusal = reasons::expressionVariableNotOfGroups(variable.name);
    }
    return environment;
}

SpecBindings::SpecBindings(const JobSpec &spec, QByteArrayView pusher) : m_spec(spec), m_pusher(pusher), m_tags(texts(spec.tags)) {}

Value SpecBindings::variable(qint32 slot) const
{
    switch (JobVariable(slot)) {
    case JobVariable::Name: return Value::string(m_spec.name);
    case JobVariable::Argument: return Value::packed(m_spec.argument);
    case JobVariable::Priority: return Value::integer(m_spec.priority);
    case JobVariable::MaxRetry: return Value::integer(m_spec.maxRetry);
    case JobVariable::KeepResult: return Value::boolean(m_spec.keepResult);
    case JobVariable::Timeout: return Value::real(double(m_spec.timeout_ms) / 1000);
    case JobVariable::Tags: return listOf(m_tags);
    case JobVariable::Pusher: return Value::string(m_pusher);
    default: return missing();
    }
}

JobBindings::JobBindings(const Job &job, QByteArrayView pusher, qint64 now_ms)
    : m_job(job), m_spec(job.spec, pusher), m_id(job.id.text()), m_now_ms(now_ms)
{
}

Value JobBindings::variable(qint32 slot) const
{
    switch (JobVariable(slot)) {
    case JobVariable::Id: return Value::string(m_id);
    case JobVariable::State: return Value::string(QByteArrayView(stateWord(m_job.state)));
    case JobVariable::Attempt: return Value::integer(m_job.attempt);
    case JobVariable::Failures: return Value::integer(m_job.failures);
    case JobVariable::EnqueuedAt: return timeOr(m_job.createdAt_ms);
    case JobVariable::RunAt: return timeOr(m_job.runAt_ms);
    case JobVariable::StartedAt: return timeOr(m_job.startedAt_ms);
    case JobVariable::FinishedAt: return timeOr(m_job.finishedAt_ms);
    case JobVariable::Age: return Value::duration((m_now_ms - m_job.createdAt_ms) * 1'000'000);
    case JobVariable::Now: return timeOr(m_now_ms);
    case JobVariable::Worker: return textOr(m_job.worker);
    case JobVariable::Reason: return textOr(m_job.reason);
    case JobVariable::Message: return textOr(m_job.message);
    default: return m_spec.variable(slot);
    }
}

Value GroupBindings::variable(qint32 slot) const
{
    switch (JobVariable(slot)) {
    case JobVariable::Name: return Value::string(m_group.name);
    case JobVariable::Reason: return textOr(m_group.reason);
    case JobVariable::Message: return textOr(m_group.title);
    case JobVariable::Worker: return textOr(m_worker);
    default: return missing();
    }
}

} // namespace junban::cel
