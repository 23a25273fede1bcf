#pragma once

#include <QtGlobal>
#include <algorithm>
#include <deque>
#include <functional>
#include <vector>

namespace junban::journal {

// What became of the state that an answer tells.
enum class Fate {
    Saved,         // Redis has it, and this master led when it was told
    Unknown,       // perhaps: the answer must not tell it
};

// What an answer needs that no unconfirmed batch is behind.
enum class Proof {
    Recent,        // a confirmed unit that was sent less than a second ago
    Fresh,         // a unit that is sent after the request came: for refusals of reports and heartbeats, and for fetches
};

// For how long an answer waits for a Redis that is away.
enum class Patience {
    Reply,         // two seconds, then it leaves with Fate::Unknown: somebody waits for it
    Message,       // until Redis is healed: wakes, messages, outgoing calls
};

// An answer, a wake, a message or an outgoing call. It is called once.
using Answer = std::function<void(Fate)>;

// An answer that leaves now.
struct Leaving {
    Answer answer;
    Fate fate;
};

// Step 9: the answers that wait, in the order in which they were decided. They leave in that order, but for those whose patience ends.
class Answers
{
public:
    // It leaves when this batch and this unit are confirmed; 0: that does not matter.
    void hold(Answer answer, qint64 batch, quint64 unit, Patience patience, qint64 now_ms)
    {
        m_needed = std::max(m_needed, unit);
        m_held.push_back({std::move(answer), batch, unit, patience, now_ms});
    }
    void release(qint64 batch, quint64 unit, std::vector<Leaving> &leaving)
    {
        for (; !m_held.empty() && m_held.front().batch <= batch && m_held.front().unit <= unit; m_held.pop_front())
            leaving.push_back({std::move(m_held.front().answer), Fate::Saved});
    }
    // Those that were held at this time or before.
    void loseReplies(qint64 until_ms, std::vector<Leaving> &leaving)
    {
        std::erase_if(m_held, [&](Held &held) {
            const bool lost = held.patience == Patience::Reply && held.since_ms <= until_ms;
            if (lost)
                leaving.push_back({std::move(held.answer), Fate::Unknown});
            return lost;
        });
    }
    void loseAll(std::vector<Leaving> &leaving)
    {
        for (Held &held : m_held)
            leaving.push_back({std::move(held.answer), Fate::Unknown});
        m_held.clear();
    }
    // Whether one waits for a unit above this one.
    bool needsUnitAbove(quint64 unit) const { return !m_held.empty() && m_needed > unit; }
    size_t size() const { return m_held.size(); }

private:
    struct Held {
        Answer answer;
        qint64 batch;
        quint64 unit;
        Patience patience;
        qint64 since_ms;
    };
    std::deque<Held> m_held;
    quint64 m_needed = 0;      // the highest unit that one waits for
};

} // namespace junban::journal
