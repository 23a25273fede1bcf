#pragma once

#include <QList>
#include <QMutex>
#include <memory>

namespace junban {

class Tokens;

// The Tokens of one master's engine threads: what one of them has changed is known to all before it is answered. Threads: any.
class TokenCircle : public std::enable_shared_from_this<TokenCircle>
{
public:
    void join(Tokens *tokens);
    void leave(Tokens *tokens);
    // Has all others read the tokens again; when they have, or have ended, calls `from`->spread(change) on its thread.
    void tellOthers(Tokens *from, quint64 change);

private:
    struct Told;

    QMutex m_mutex;
    QList<Tokens *> m_members;
};

} // namespace junban
