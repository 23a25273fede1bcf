#pragma once

#include "client/administrationcalls.h"
#include "client/auditcalls.h"
#include "client/constraintcalls.h"
#include "client/jobcalls.h"
#include "client/matchercalls.h"
#include "client/operationcalls.h"
#include "client/pastcalls.h"
#include "client/schedulecalls.h"
#include "client/sessioncalls.h"
#include "client/tokencalls.h"
#include "client/workercalls.h"

#include <QPointer>

namespace junban::client {

// A typed client of the master's HTTP API, in MessagePack. It keeps no queue state and repeats nothing by itself.
//
// Threads: only the one it was made on, which must run an event loop. Callbacks: exactly once each, later, on that thread; with
// Cancelled when the call was cancelled or the client is deleted. Ownership: the client owns its requests. Errors: those of the
// master's problem documents, with the field; Unreachable when no answer came (refused, too late, not our protocol); Malformed when
// an answer cannot be understood.
class ApiClient : public ApiLink,
                  public JobCalls,
                  public WorkerCalls,
                  public ScheduleCalls,
                  public PastCalls,
                  public MatcherCalls,
                  public ConstraintCalls,
                  public AdministrationCalls,
                  public TokenCalls,
                  public AuditCalls,
                  public SessionCalls,
                  public OperationCalls
{
    Q_OBJECT

public:
    explicit ApiClient(Options options, QObject *parent = nullptr)
        : ApiLink(std::move(options), parent)
        , JobCalls(static_cast<ApiLink &>(*this))
        , WorkerCalls(static_cast<ApiLink &>(*this))
        , ScheduleCalls(static_cast<ApiLink &>(*this))
        , PastCalls(static_cast<ApiLink &>(*this))
        , MatcherCalls(static_cast<ApiLink &>(*this))
        , ConstraintCalls(static_cast<ApiLink &>(*this))
        , AdministrationCalls(static_cast<ApiLink &>(*this))
        , TokenCalls(static_cast<ApiLink &>(*this))
        , AuditCalls(static_cast<ApiLink &>(*this))
        , SessionCalls(static_cast<ApiLink &>(*this))
        , OperationCalls(static_cast<ApiLink &>(*this))
    {
    }

    ~ApiClient() override { close(); }
};

// A callback that is dropped once `context` is deleted: for callbacks that use a widget.
template<typename T, typename F>
Callback<T> guarded(QObject *context, F function)
{
    return [guard = QPointer<QObject>(context), function = std::move(function)](Result<T> result) mutable {
        if (guard)
            function(std::move(result));
    };
}

} // namespace junban::client
