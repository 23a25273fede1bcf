#pragma once

#include <QMutex>
#include <atomic>
#include <utility>

namespace junban {

// A value that threads share and that is replaced as a whole while they use it. Threads: any.
template<typename T>
class Changeable
{
public:
    explicit Changeable(T value = {}) : m_value(std::move(value)) {}

    T now() const
    {
        const QMutexLocker locker(&m_mutex);
        return m_value;
    }
    void change(T value)
    {
        const QMutexLocker locker(&m_mutex);
        m_value = std::move(value);
        ++m_changes;
    }
    // How often it was changed. When that is the same before and after now(), the value is still in force.
    quint64 changes() const { return m_changes; }

private:
    mutable QMutex m_mutex;
    T m_value;
    std::atomic<quint64> m_changes = 0;
};

} // namespace junban
