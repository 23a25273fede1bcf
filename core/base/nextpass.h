#pragma once

#include <QMetaObject>
#include <QObject>
#include <functional>

namespace junban {

// Calls one function in the next pass of the event loop, once, however often it was asked for in this one. Group commit rests on
// it: all requests that arrived in one pass are there when the function runs. Threads: the one it lives on.
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
