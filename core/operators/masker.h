#pragma once

#include "core/base/changeable.h"
#include "core/jobs/schedule.h"
#include "core/limits/mask.h"
#include "core/operators/matchers.h"

#include <memory>

namespace junban {

// Hides values of jobs from those who look at them: by keys, which may change, and by the places that the matchers in
// force say (JobMatcher::mask). A matcher whose expression fails for a job hides what it says. Threads: the engine's.
class Masker
{
public:
    // `matchers` must outlive it.
    Masker(Matchers &matchers, std::shared_ptr<const Changeable<KeyMask>> keys) : m_matchers(matchers), m_keys(std::move(keys)) {}

    // Loads the matchers in force. Call it before the others, so that a mask counts at every master once its matcher is saved.
    void refresh(Callback<Done> callback) { m_matchers.refresh(std::move(callback)); }

    // Its argument, its outcome, the old values in its history, and the arguments of the jobs in its `then`; sets Job::masked.
    void hide(Job &job) const;
    // Returns whether something was hidden.
    bool hide(JobSpec &spec) const;
    bool hide(Schedule &schedule) const;
    // An outcome object. Without the job's `spec`, which may be purged, only keys count.
    bool hideOutcome(const JobSpec *spec, QByteArray &outcome) const;

private:
    // The places in a job that hide something, with their first step.
    QList<MaskPath> pathsFor(const JobSpec &spec) const;

    Matchers &m_matchers;
    std::shared_ptr<const Changeable<KeyMask>> m_keys;
    mutable cel::Evaluation m_evaluation;
};

} // namespace junban
