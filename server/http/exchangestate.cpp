#include "server/http/exchangestate.h"

#include <utility>

namespace junban::http {

ExchangeState::~ExchangeState()
{
    if (AnswerSink *to = std::exchange(sink, nullptr))
        to->dropped(sequence);
}

void ExchangeState::detach()
{
    sink = nullptr;
    onGone = nullptr;
}

void ExchangeState::gone()
{
    sink = nullptr;
    // Moved out first: the handler may destroy the last copy of this exchange.
    if (const std::function<void()> handler = std::exchange(onGone, nullptr))
        handler();
}

} // namespace junban::http
