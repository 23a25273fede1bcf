#include "core/base/nextpass.h"

#include <QMetaObject>
#include <algorithm>

namespace junban {

NextPass::~NextPass()
{
    if (m_asked)
        PassEnd::ofThread().remove(*this);
}

void NextPass::ask()
{
    if (m_asked)
        return;
    m_asked = true;
    if (!PassEnd::ofThread().add(*this))
        QMetaObject::invokeMethod(this, [this] { run(); }, Qt::QueuedConnection);
}

void NextPass::run()
{
    m_asked = false;
    m_function();
}

PassEnd &PassEnd::ofThread()
{
    thread_local PassEnd end;
    return end;
}

bool PassEnd::isDue() const
{
    return std::any_of(m_due.begin(), m_due.end(), [](const auto &stage) { return !stage.empty(); });
}

void PassEnd::run()
{
    for (auto &stage : m_due) {
        // A function may run the event loop, and so this, again (a test that waits does): each is taken out before it is called.
        for (size_t left = stage.size(); left > 0 && !stage.empty(); --left) {
            NextPass *const first = stage.front();
            stage.pop_front();
            first->run();
        }
    }
}

bool PassEnd::add(NextPass &pass)
{
    if (m_isServed)
        m_due[size_t(pass.m_stage)].push_back(&pass);
    return m_isServed;
}

void PassEnd::remove(NextPass &pass)
{
    std::erase(m_due[size_t(pass.m_stage)], &pass);
}

} // namespace junban
