#pragma once

#include "core/cel/environment.h"
#include "core/jobs/job.h"
#include "core/limits/jobvariables.h"
#include "ui/limits/expressionedit.h"

namespace junban::ui {

// Suggestions for expressions: the variables of a job that may be used there, the functions of the language, the paths into the arguments
// of real jobs with their types and how many of the jobs have them, and the values that many of these jobs share.
QList<Suggestion> suggestionsFrom(const QList<Job> &jobs, const cel::Environment &environment = cel::matcherEnvironment());

} // namespace junban::ui
