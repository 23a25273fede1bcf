#pragma once

#include <QMetaObject>
#include <QObject>
#include <functional>

namespace junban {

// Calls a function once in the next pass of the event loop, however often ask() was called in this pass. Group commit depends on it: when
// the function runs, all requests of one pass have arrived. Use it on the thread it lives on. A call that is still due is dropped when
// the object is destroyed.
class NextPass : public QObject
{
public:
    explicit NextPass(std::function<void()> function) : m_function(std::move(function)) {}

    void ask()
    {
        if (m_asked)
            return;
        m_asked = true;
        QMetaObject::invokeMethod(
            this,
            [this] {
                m_asked = false;
                m_function();
            },
            Qt::QueuedConnection);
    }

private:
    std::function<void()> m_function;
    bool m_asked = false;
};

} // namespace junban
