#pragma once

#include "server/api/handlers.h"

// Refusals of what is done to one job, which say which job, its state and what is possible.
namespace junban::api {

enum class JobAct { Retry, Cancel, Edit, Delete, Restore };

// Answers with the error. Where the job's state is the reason, the job is read for it; it may have moved on since.
void refuseJob(const Parts &parts, const Call &call, JobId id, JobAct act, const Error &error);

template<typename T>
Callback<T> answeringJobAct(const Parts &parts, const Call &call, JobId id, JobAct act, const TableOf<T> &table)
{
    return [&parts, call, id, act, &table](const Result<T> &result) {
        if (result.ok())
            call.reply(200, pack(table, result.value()));
        else
            refuseJob(parts, call, id, act, result.error());
    };
}
// The only result of a batch of one.
template<typename T>
Callback<QList<Result<T>>> answeringFirstAct(const Parts &parts, const Call &call, JobId id, JobAct act, const TableOf<T> &table)
{
    return [answer = answeringJobAct(parts, call, id, act, table)](const Result<QList<Result<T>>> &results) {
        answer(results.ok() ? results->first() : Result<T>(results.error()));
    };
}

} // namespace junban::api
