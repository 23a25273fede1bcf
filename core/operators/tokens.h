#pragma once

#include "core/access/scope.h"
#include "core/access/tokenrecord.h"
#include "core/base/clock.h"
#include "core/store/tokenstore.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>
#include <memory>

namespace junban {

// A token in force: what it may do, and for which jobs.
struct Grant {
    Token token;
    Scope scope;
};

// The tokens in force, in memory: a look-up waits for nobody. Changes of other masters and threads are seen at the next look, a second
// later. While Redis is away the last ones that were known go on to be judged. Threads: the engine's.
class Tokens : public QObject
{
    Q_OBJECT

public:
    // `pepper` may be missing: then no token is known, and none can be made. Store and clock must outlive it. `all`: what was there at
    // the start.
    Tokens(TokenStore &store, const Clock &clock, std::shared_ptr<const Pepper> pepper, const TokenStore::All &all,
        QObject *parent = nullptr);

    void start();
    // Nothing begins here after this.
    void stop();

    // Whether there is one, expired or not: then callers need one.
    bool any() const { return m_any; }
    // The token with this text, which counts as used by that; null when there is none, or it is expired.
    std::shared_ptr<const Grant> find(QByteArrayView text);

    // InvalidField when it would be expired, or its scope makes no sense; Conflict when there are too many, or the pepper is missing or
    // another.
    void create(TokenSpec spec, QByteArray by, Callback<CreatedToken> callback);
    void list(Callback<TokenList> callback);
    // NotFound.
    void revoke(QByteArray id, Callback<Done> callback);

private:
    void look();
    void refresh(Callback<Done> callback);
    void take(const TokenStore::All &all);
    void tell(const QByteArray &trouble);

    TokenStore &m_store;
    const Clock &m_clock;
    std::shared_ptr<const Pepper> m_pepper;
    QTimer m_timer;
    QByteArray m_version;
    bool m_any = false;
    QHash<QByteArray, std::shared_ptr<const Grant>> m_grants; // by what is kept of their texts
    QHash<QByteArray, qint64> m_used;  // by id: when it was said to the store that they were used
    QSet<QByteArray> m_toTouch;
    QByteArray m_trouble;              // as the log has it
    bool m_looking = false;
    bool m_running = false;
};

} // namespace junban
