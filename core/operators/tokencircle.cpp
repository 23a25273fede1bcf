#include "core/operators/tokencircle.h"

#include <utility>

namespace junban {

// Held by all who have yet to read; its end says that they have.
struct TokenCircle::Told {
    Told(std::shared_ptr<TokenCircle> theCircle, TokenHolder *theSource, quint64 theChange)
        : circle(std::move(theCircle))
        , from(theSource)
        , change(theChange)
    {
    }
    Told(const Told &) = delete;
    Told &operator=(const Told &) = delete;
    ~Told()
    {
        const QMutexLocker locker(&circle->m_mutex);
        if (circle->m_holders.contains(from))
            QMetaObject::invokeMethod(from, [to = from, number = change] { to->spread(number); }, Qt::QueuedConnection);
    }

    const std::shared_ptr<TokenCircle> circle;
    TokenHolder *const from;
    const quint64 change;
};

void TokenCircle::join(TokenHolder *holder)
{
    const QMutexLocker locker(&m_mutex);
    m_holders.append(holder);
}

void TokenCircle::leave(TokenHolder *holder)
{
    const QMutexLocker locker(&m_mutex);
    m_holders.removeOne(holder);
}

void TokenCircle::tellOthers(TokenHolder *from, quint64 change)
{
    const auto told = std::make_shared<Told>(shared_from_this(), from, change);
    const QMutexLocker locker(&m_mutex);
    for (TokenHolder *other : std::as_const(m_holders)) {
        if (other != from)
            QMetaObject::invokeMethod(other, [other, told] { other->readAgain(told); }, Qt::QueuedConnection);
    }
}

} // namespace junban
