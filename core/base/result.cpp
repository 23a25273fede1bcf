#include "core/base/result.h"

namespace junban {

const char *errorWord(ErrorCode code)
{
    switch (code) {
    case ErrorCode::InvalidField: return "invalid_field";
    case ErrorCode::Malformed: return "malformed";
    case ErrorCode::NotFound: return "not_found";
    case ErrorCode::Conflict: return "conflict";
    case ErrorCode::LeaseLost: return "lease_lost";
    case ErrorCode::IdempotencyMismatch: return "idempotency_mismatch";
    case ErrorCode::RevisionMismatch: return "revision_mismatch";
    case ErrorCode::TooLarge: return "too_large";
    case ErrorCode::BacklogFull: return "backlog_full";
    case ErrorCode::StoreUnavailable: return "store_unavailable";
    case ErrorCode::StoreFull: return "store_full";
    case ErrorCode::StoreReadOnly: return "store_readonly";
    case ErrorCode::Ambiguous: return "store_unavailable"; // never leaves the store
    case ErrorCode::Cancelled: return "cancelled";
    case ErrorCode::Unauthorized: return "unauthorized";
    case ErrorCode::Forbidden: return "forbidden";
    case ErrorCode::Unreachable: return "unreachable";
    case ErrorCode::Internal: return "internal";
    }
    return "internal";
}

} // namespace junban
