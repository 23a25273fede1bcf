#pragma once

#include "core/operators/masker.h"
#include "server/api/handlers.h"

// What is hidden from callers who look at jobs (docs/decisions/access.md). Nothing of this is asked on the ways of pushers and workers.
namespace junban::api {

// Whether the job is shown in full without `reveal`: to the pusher of it, and to the worker who has it.
bool isOwn(const Caller &caller, const Job &job);
// Whether the caller may ask for hidden values: operators and admins.
bool mayReveal(const Caller &caller);
// The parameter `reveal`; answers 403 when it is given by a caller who may not.
std::optional<bool> revealOf(const Call &call);
// Says that hidden values of a job were shown to the caller.
void noteReveal(const Parts &parts, const Call &call, JobId id, const char *what);

// Answers with the job, with what is hidden, unless it is the caller's own or `reveal` is set.
void answerJob(const Parts &parts, const Call &call, Job job, bool reveal);
// Goes on when what is hidden is known; else answers with the error.
void withMasks(const Parts &parts, const Call &call, std::function<void(const Masker &masker)> goOn);

template<typename T>
void hideEach(const Masker &masker, T &jobs)
{
    for (auto &job : jobs)
        masker.hide(job);
}

} // namespace junban::api
