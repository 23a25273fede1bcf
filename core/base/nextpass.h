#pragma once

#include <QObject>
#include <array>
#include <deque>
#include <functional>

namespace junban {

// Calls a function once, later, however often ask() was called before: at the end of a pass of the event loop, when its events and timers
// are over. Group commit depends on it: when the function runs, all requests of one pass have arrived. Where the thread's event
// dispatcher knows no PassEnd, the function is called in the next pass. Use it on the thread it lives on. A call that is still due is
// dropped when the object is destroyed.
class NextPass : public QObject
{
public:
    // Those of one pass run in this order, so that what was gathered is decided, written and sent in the same pass. Claims are decided
    // behind pushes, whose jobs they can take, and reports with them: so behind a cancel of the same pass, too.
    enum class Stage { Decide, DecideClaims, Write, Send };

    explicit NextPass(std::function<void()> function, Stage stage = Stage::Decide)
        : m_function(std::move(function))
        , m_stage(stage)
    {
    }
    ~NextPass() override;

    void ask();

private:
    friend class PassEnd;
    void run();

    std::function<void()> m_function;
    const Stage m_stage;
    bool m_asked = false;
};

// What is due at the end of this thread's pass, for its event dispatcher. Threads: each has its own.
class PassEnd
{
public:
    static PassEnd &ofThread();

    // From now on somebody calls run() in each pass, or nobody does any more.
    void serve(bool isServed = true) { m_isServed = isServed; }
    // When something is due the dispatcher must not wait for events.
    bool isDue() const;
    // What is asked for while its stage runs, or after it, stays for the next pass.
    void run();

private:
    friend class NextPass;
    bool add(NextPass &pass);
    void remove(NextPass &pass);

    std::array<std::deque<NextPass *>, 4> m_due; // by stage
    bool m_isServed = false;
};

} // namespace junban
