#pragma once

#include "app/ctl/flags.h"
#include "app/ctl/session.h"

// The verbs of junbanctl. Each asks for its flags and then, when these say so, does its work (flags.h).
namespace junban::app {

using VerbFunction = void(Session &session, Flags &flags);

// pushes.cpp
VerbFunction push, result;
// changes.cpp
VerbFunction edit, message, group;
// jobs.cpp
VerbFunction jobs, job, retry, cancel, remove, restore, duplicate, track, untrack;
// worker.cpp
VerbFunction work;
// matchers.cpp, apply.cpp
VerbFunction matchers, matchersGet, matchersApply, matchersPreview, matchersRevisions, matchersRevert, matchersDelete;
// limits.cpp
VerbFunction constraints, constraintsBuckets, constraintsOverride, held, explain, trip, reset;
// pauses.cpp
VerbFunction pauses, pause, resume;
// past.cpp
VerbFunction failures, failuresShow, failuresResolve, failuresRetry, failuresMute, results, resultsDiscard, resultsExtend, stats, series;
// operations.cpp
VerbFunction operations, operationsShow, operationsStart, operationsSkipped, operationsPause, operationsResume, operationsStop,
    operationsUndo;
// retention.cpp
VerbFunction retention, retentionSet, retentionClear;
// schedules.cpp
VerbFunction schedules, schedulesShow, schedulesPut, schedulesDelete, schedulesPause, schedulesResume, schedulesRun;
// tokens.cpp
VerbFunction tokens, tokensCreate, tokensRevoke;
// workers.cpp
VerbFunction workers, workersDrain, workersResume, workersForget;
// audit.cpp
VerbFunction audit, auditVerify, auditLast;
// upkeep.cpp
VerbFunction status, overview, names, doctor, celCases;
// tail.cpp
VerbFunction changes;
// fsck.cpp, transfer.cpp: these can do without a master (redisaccess.h)
VerbFunction fsck, exportNamespace, importNamespace;

} // namespace junban::app
