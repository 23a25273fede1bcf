#include "core/msgpack/problem.h"

#include "core/msgpack/reasonfields.h"

namespace junban {

namespace {

constexpr Field problemFields[] = {
    field::text<&Problem::type>("type"),
    field::text<&Problem::title>("title"),
    field::integer<&Problem::status>("status"),
    field::text<&Problem::code>("code"),
    field::beside<&Problem::reason>(reasonWithDetailTable),
    field::text<&Problem::field>("field").rare(),
    field::real<&Problem::retryAfter_s>("retry_after").rare(),
};

} // namespace

// The document's schema has what is wrong with expressions too: answers::expressionRefusalTable.
constinit const TableOf<Problem> problemTable{nullptr, problemFields};

} // namespace junban
