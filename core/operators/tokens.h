#pragma once

#include "core/access/scope.h"
#include "core/access/tokenrecord.h"
#include "core/base/clock.h"
#include "core/operators/tokencircle.h"
#include "core/store/tokenstore.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

namespace junban {

// A token in force: what it may do, and for which jobs.
struct Grant {
    Token token;
    Scope scope;
};

// The tokens in force, in memory: a look-up waits for nobody. Changes of other masters are seen at the next look, a second later; those of
// other threads of this master before they are answered. While Redis is away the last ones that were known go on to be judged. Threads: the
// engine's.
class Tokens : public TokenHolder
{
    Q_OBJECT

public:
    // `pepper` may be missing: then no token is known, and none can be made. Store and clock must outlive it. `all`: what was there at
    // the start; `circle`: those of the other threads.
    Tokens(TokenStore &store, const Clock &clock, std::shared_ptr<const Pepper> pepper, const TokenStore::All &all,
        std::shared_ptr<TokenCircle> circle, QObject *parent = nullptr);
    ~Tokens() override;

    // `looked` is called when the tokens have been read anew, or could not be.
    void start(std::function<void()> looked = {});
    // Nothing begins here after this.
    void stop();

    // Whether callers need one: there is one, expired or not; or they are lost.
    bool needed() const { return m_any || m_lost; }
    // Whether Redis had some in this run and has none any more, although nobody revoked the last one.
    bool lost() const { return m_lost; }
    // The token with this text, which counts as used by that; null when there is none, or it is expired.
    std::shared_ptr<const Grant> find(QByteArrayView text);

    // How often what is in force has changed here. While it is the same, find() gives the same, but for what expires.
    quint64 changes() const { return m_takes; }
    // Whether this one, which find() gave since the last change, has not expired; it counts as used by that.
    bool goesOn(const std::shared_ptr<const Grant> &grant) { return used(grant) != nullptr; }

    // The same of the token with this id.
    std::shared_ptr<const Grant> grantOf(const QByteArray &id);

    // The token in force with this id, expired or not.
    std::optional<Token> known(const QByteArray &id) const;
    // Whether it is known and has not expired.
    bool isInForce(const QByteArray &id) const;

    // InvalidField when it would be expired, its scope makes no sense, or it is an open caller's and not an admin's for all jobs; Conflict
    // when there are too many, or the pepper is missing or another.
    void create(TokenSpec spec, QByteArray by, Callback<CreatedToken> callback);
    void list(Callback<TokenList> callback);
    // NotFound.
    void revoke(QByteArray id, Callback<Done> callback);

    void readAgain(std::shared_ptr<const void> told) override;
    void spread(quint64 change) override;

private:
    std::shared_ptr<const Grant> used(const std::shared_ptr<const Grant> &grant);
    void look(const std::function<void()> &looked = {});
    void refresh(Callback<Done> callback);
    void take(const TokenStore::All &all);
    // Reads them again, here and in the other threads, before it goes on.
    void changed(std::function<void()> goOn);
    std::optional<Error> whyNot(const CreatedToken &created) const;
    void tell(const QByteArray &trouble);

    TokenStore &m_store;
    const Clock &m_clock;
    std::shared_ptr<const Pepper> m_pepper;
    QTimer m_timer;
    QByteArray m_version;
    quint64 m_takes = 0;
    bool m_any = false;
    bool m_lost = false;
    qint64 m_knownAt_ms = 0;           // of the last change after which there was one
    std::shared_ptr<TokenCircle> m_circle;
    quint64 m_lastChange = 0;
    QHash<quint64, std::function<void()>> m_changes; // what goes on when the others know
    QHash<QByteArray, std::shared_ptr<const Grant>> m_grants; // by what is kept of their texts
    QHash<QByteArray, qint64> m_used;  // by id: when it was said to the store that they were used
    QSet<QByteArray> m_toTouch;
    QByteArray m_trouble;              // as the log has it
    bool m_looking = false;
    bool m_running = false;
};

} // namespace junban
