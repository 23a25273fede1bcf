#pragma once

#include "core/base/nextpass.h"
#include "core/store/store.h"

#include <deque>
#include <memory>

namespace junban {

// Group commit of reports and claims, which share a script call. It takes the reports first, so that its claims can get what they free.
// Everything else is as in Batcher. One thread.
class FinishBatcher
{
public:
    explicit FinishBatcher(Store &store);

    void addFinish(FinishItem item, std::function<void(Result<Finished>)> answer);
    void addClaim(ClaimRequest request, std::function<void(Result<Claimed>)> answer);

private:
    struct Finish {
        FinishItem item;
        std::function<void(Result<Finished>)> answer;
        qint64 bytes;
    };
    struct Claim {
        ClaimRequest request;
        std::function<void(Result<Claimed>)> answer;
    };
    struct Call {
        QList<FinishItem> items;
        QList<ClaimRequest> requests;
        QList<Finish> finishes;
        QList<Claim> claims;
    };

    void flush();
    Call nextCall();
    static void deliver(const Call &call, Result<FinishAndClaimReply> reply);

    Store &m_store;
    NextPass m_pass;
    std::deque<Finish> m_finishes;
    std::deque<Claim> m_claims;
    qint64 m_bytes = 0;
    int m_inFlight = 0;
    std::shared_ptr<int> m_alive = std::make_shared<int>();
};

} // namespace junban
