#pragma once

#include <QList>
#include <QMutex>
#include <QObject>
#include <memory>

namespace junban {

// One of those that hold the tokens of a master: one for each of its engine threads.
class TokenHolder : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    // Another thread has changed the tokens: reads them again, and drops `told` when it has.
    virtual void readAgain(std::shared_ptr<const void> told) = 0;
    // The others know of this change of its own.
    virtual void spread(quint64 change) = 0;
};

// The holders of one master: what one of them has changed is known to all before it is answered. Threads: any.
class TokenCircle : public std::enable_shared_from_this<TokenCircle>
{
public:
    void join(TokenHolder *holder);
    void leave(TokenHolder *holder);
    // Has all others read the tokens again; when they have, or have ended, calls `from`->spread(change) on its thread.
    void tellOthers(TokenHolder *from, quint64 change);

private:
    struct Told;

    QMutex m_mutex;
    QList<TokenHolder *> m_holders;
};

} // namespace junban
