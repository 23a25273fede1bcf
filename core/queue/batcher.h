#pragma once

#include "core/base/nextpass.h"
#include "core/base/reasons/store.h"
#include "core/base/result.h"
#include "core/limits.h"

#include <QList>
#include <deque>
#include <memory>

namespace junban {

// Turns single requests of one verb into calls of many (group commit). Requests that arrive in one pass of the event loop are sent
// together. While limits::calls_in_flight_max calls are under way, requests gather for the next call: batches grow with the load, and an
// idle queue answers at once. Requests beyond limits::items_waiting_max or bytes_waiting_max are refused with StoreUnavailable. One thread;
// answers that are still due when it is destroyed are dropped.
template<typename Item, typename Reply>
class Batcher
{
public:
    using Answer = std::function<void(Result<Reply>)>;
    // Sends a batch; its callback gets one result for each item, in order.
    using Send = std::function<void(QList<Item>, Callback<QList<Result<Reply>>>)>;

    explicit Batcher(Send send)
        : m_send(std::move(send))
        , m_pass([this] { flush(); })
    {
    }

    // `bytes` is about the size of the item in a script call. `answer` is called once, later.
    void add(Item item, qint64 bytes, Answer answer)
    {
        m_waiting.push_back({std::move(item), std::move(answer), bytes, m_bytes + bytes <= limits::bytes_waiting_max
                && m_waiting.size() < limits::items_waiting_max});
        m_bytes += bytes;
        m_pass.ask();
    }

private:
    struct Waiting {
        Item item;
        Answer answer;
        qint64 bytes;
        bool accepted;
    };

    void flush()
    {
        while (!m_waiting.empty() && m_inFlight < limits::calls_in_flight_max) {
            QList<Item> items;
            auto answers = std::make_shared<QList<Answer>>();
            qint64 bytes = 0;
            while (!m_waiting.empty() && items.size() < limits::script_items_max) {
                Waiting &first = m_waiting.front();
                if (!items.isEmpty() && bytes + first.bytes > limits::script_bytes_max)
                    break;
                m_bytes -= first.bytes;
                if (first.accepted) {
                    bytes += first.bytes;
                    items.append(std::move(first.item));
                    answers->append(std::move(first.answer));
                } else {
                    first.answer(retryAfter(reasons::storeTooManyRequests(), 1));
                }
                m_waiting.pop_front();
            }
            if (items.isEmpty())
                continue;
            ++m_inFlight;
            m_send(std::move(items), [this, answers, alive = std::weak_ptr(m_alive)](Result<QList<Result<Reply>>> replies) {
                if (alive.expired())
                    return;
                --m_inFlight;
                for (qsizetype i = 0; i < answers->size(); ++i) {
                    if (replies.ok())
                        (*answers)[i](std::move(replies.value()[i]));
                    else
                        (*answers)[i](replies.error());
                }
                if (!m_waiting.empty())
                    m_pass.ask();
            });
        }
    }

    Send m_send;
    NextPass m_pass;
    std::deque<Waiting> m_waiting;
    qint64 m_bytes = 0;
    int m_inFlight = 0;
    std::shared_ptr<int> m_alive = std::make_shared<int>();
};

} // namespace junban
