#pragma once

#include "core/cel/value.h"
#include "core/limits.h"

#include <array>
#include <memory_resource>
#include <optional>

namespace junban::cel {

// The steps that one evaluation may take, and the memory of the values that it makes. When either is used up the evaluation has no value,
// even where || or && would ignore an error. One thread at a time.
class Work
{
public:
    Work() : m_arena(m_first.data(), m_first.size()) {}
    Work(const Work &) = delete;
    Work &operator=(const Work &) = delete;

    // Begins a new evaluation; the values of the last one are no longer valid.
    void restart()
    {
        m_arena.release();
        m_steps = limits::matcher_steps_max;
        m_memory = limits::matcher_memory_bytes_max;
        m_spent.reset();
    }
    void charge(qint64 steps)
    {
        m_steps -= steps;
        if (m_steps < 0 && !m_spent)
            m_spent = Cause::TooMuchWork;
    }
    // Why there is no value, when steps or memory are used up.
    const std::optional<Cause> &spent() const { return m_spent; }
    qint64 stepsUsed() const { return limits::matcher_steps_max - m_steps; }

    // Uninitialised memory for characters or values, valid until restart(); null when the memory is used up.
    char *characters(qsizetype count) { return static_cast<char *>(take(count, 1)); }
    Value *values(qsizetype count) { return static_cast<Value *>(take(count * qsizetype(sizeof(Value)), alignof(Value))); }

private:
    void *take(qsizetype bytes, size_t alignment)
    {
        m_memory -= bytes;
        if (m_memory < 0) {
            if (!m_spent)
                m_spent = Cause::TooMuchMemory;
            return nullptr;
        }
        return m_arena.allocate(static_cast<size_t>(bytes), alignment);
    }

    std::array<char, 2'048> m_first;
    std::pmr::monotonic_buffer_resource m_arena;
    qint64 m_steps = limits::matcher_steps_max;
    qint64 m_memory = limits::matcher_memory_bytes_max;
    std::optional<Cause> m_spent;
};

} // namespace junban::cel
