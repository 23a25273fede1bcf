#include "server/http/exchange.h"

#include "server/http/exchangestate.h"

#include <utility>

namespace junban::http {

const Request &Exchange::request() const
{
    return m_state->request;
}

void Exchange::setRepeated(const QByteArray &id) const
{
    m_state->request.id = id;
    m_state->request.isRepeated = true;
}

bool Exchange::alive() const
{
    return m_state->sink != nullptr;
}

bool Exchange::reply(Response response) const
{
    Q_ASSERT_X(!m_state->answered, "Exchange::reply", "a request was answered twice");
    m_state->answered = true;
    AnswerSink *sink = std::exchange(m_state->sink, nullptr);
    // The handler often has a copy of this exchange, so keeping it would keep the exchange alive for ever.
    const std::function<void()> unused = std::exchange(m_state->onGone, nullptr);
    if (const auto told = std::exchange(m_state->onAnswer, nullptr))
        told();
    return sink != nullptr && sink->answer(m_state->sequence, std::move(response));
}

void Exchange::onAnswer(std::function<void()> handler) const
{
    m_state->onAnswer = std::move(handler);
}

void Exchange::onGone(std::function<void()> handler) const
{
    if (m_state->sink != nullptr)
        m_state->onGone = std::move(handler);
}

} // namespace junban::http
