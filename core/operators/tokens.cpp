#include "core/operators/tokens.h"

#include "core/base/durations.h"
#include "core/base/reasons/operators.h"
#include "core/base/reasons/requests.h"
#include "core/limits.h"

#include <QPointer>
#include <QRandomGenerator>
#include <algorithm>
#include <utility>

namespace junban {

Tokens::Tokens(TokenStore &store, const Clock &clock, std::shared_ptr<const Pepper> pepper, const TokenStore::All &all,
    std::shared_ptr<TokenCircle> circle, QObject *parent)
    : TokenHolder(parent)
    , m_store(store)
    , m_clock(clock)
    , m_pepper(std::move(pepper))
    , m_circle(std::move(circle))
{
    m_circle->join(this);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] { look(); });
    take(all);
}

Tokens::~Tokens()
{
    m_circle->leave(this);
}

void Tokens::start(std::function<void()> looked)
{
    m_running = true;
    look(looked);
}

void Tokens::stop()
{
    m_running = false;
    m_timer.stop();
}

std::shared_ptr<const Grant> Tokens::find(QByteArrayView text)
{
    if (!m_pepper || m_grants.isEmpty())
        return {};
    return used(m_grants.value(m_pepper->hash(text)));
}

std::shared_ptr<const Grant> Tokens::grantOf(const QByteArray &id)
{
    const auto found = std::find_if(m_grants.begin(), m_grants.end(), [&](const auto &grant) { return grant->token.id == id; });
    return found == m_grants.end() ? nullptr : used(*found);
}

// Null when it has expired.
std::shared_ptr<const Grant> Tokens::used(const std::shared_ptr<const Grant> &grant)
{
    const qint64 now_ms = m_clock.now_ms();
    if (!grant || grant->token.isExpired(now_ms))
        return {};
    const QByteArray &id = grant->token.id;
    if (now_ms - m_used.value(id) >= qint64(limits::token_used_s * second_ms)) {
        m_used.insert(id, now_ms);
        m_toTouch.insert(id);
    }
    return grant;
}

std::optional<Token> Tokens::known(const QByteArray &id) const
{
    const auto found = std::find_if(m_grants.begin(), m_grants.end(), [&](const auto &grant) { return grant->token.id == id; });
    return found == m_grants.end() ? std::nullopt : std::optional((*found)->token);
}

bool Tokens::isInForce(const QByteArray &id) const
{
    const std::optional<Token> token = known(id);
    return token && !token->isExpired(m_clock.now_ms());
}

void Tokens::create(TokenSpec spec, QByteArray by, Callback<CreatedToken> callback)
{
    if (spec.expiresIn_ms)
        spec.expiresAt_ms = m_clock.now_ms() + *std::exchange(spec.expiresIn_ms, {});
    CreatedToken created{{makeTokenId(), std::move(spec), m_clock.now_ms(), std::move(by)}, makeTokenText()};
    if (const std::optional<Error> error = whyNot(created)) {
        QMetaObject::invokeMethod(this, [callback = std::move(callback), error] { callback(*error); }, Qt::QueuedConnection);
        return;
    }
    const QByteArray record = packToken(*m_pepper, {created.token, m_pepper->hash(created.text)});
    m_store.save({created.token.id, record, m_pepper->mark()},
        [this, created, callback = std::move(callback), self = QPointer<Tokens>(this)](const Result<Done> &saved) {
            if (!self)
                return;
            if (!saved.ok())
                callback(saved.error());
            else
                changed([callback, created] { callback(created); });
        });
}

std::optional<Error> Tokens::whyNot(const CreatedToken &created) const
{
    const TokenSpec &spec = created.token.spec;
    if (created.token.isExpired(created.token.createdAt_ms))
        return reasons::timeInThePast("expires_at");
    if (const Result<Scope> scope = Scope::of(spec); !scope.ok())
        return scope.error();
    // With any other, everybody would be locked out, the maker first.
    if (created.token.createdBy == openCaller && !spec.roles.contains(Role::Admin))
        return ofField(reasons::firstTokenWithoutAdmin(), "roles");
    if (created.token.createdBy == openCaller && !Scope::of(spec)->isAll())
        return ofField(reasons::firstTokenScoped(), spec.names.isEmpty() ? "match" : "names");
    if (!m_pepper)
        return reasons::pepperMissing();
    return {};
}

void Tokens::changed(std::function<void()> goOn)
{
    const quint64 change = ++m_lastChange;
    m_changes.insert(change, std::move(goOn));
    refresh([this, change](const Result<Done> &) { m_circle->tellOthers(this, change); });
}

void Tokens::spread(quint64 change)
{
    if (const std::function<void()> goOn = m_changes.take(change))
        goOn();
}

void Tokens::readAgain(std::shared_ptr<const void> told)
{
    refresh([told = std::move(told)](const Result<Done> &) {});
}

void Tokens::list(Callback<TokenList> callback)
{
    m_store.list({}, [this, callback = std::move(callback), self = QPointer<Tokens>(this)](const Result<TokenStore::All> &all) {
        if (!self)
            return;
        if (!all.ok()) {
            callback(all.error());
            return;
        }
        take(*all);
        TokenList list;
        for (const TokenStore::Row &row : all->rows) {
            std::optional<KeptToken> kept = m_pepper ? unpackToken(*m_pepper, row.id, row.record) : std::nullopt;
            // What cannot be read is shown all the same: it makes tokens needed, and can be revoked.
            Token token = kept ? std::move(kept->token) : Token{row.id, {reasons::tokenOfOtherPepper().text}};
            token.lastUsedAt_ms = row.lastUsedAt_ms;
            list.tokens.append(std::move(token));
        }
        std::sort(list.tokens.begin(), list.tokens.end(),
            [](const Token &a, const Token &b) { return std::tie(a.createdAt_ms, a.id) < std::tie(b.createdAt_ms, b.id); });
        callback(std::move(list));
    });
}

void Tokens::revoke(QByteArray id, Callback<Done> callback)
{
    m_store.remove(std::move(id), [this, callback = std::move(callback), self = QPointer<Tokens>(this)](const Result<Done> &removed) {
        if (!self)
            return;
        if (!removed.ok())
            callback(removed.error());
        else
            changed([callback] { callback(Done{}); });
    });
}

void Tokens::look(const std::function<void()> &looked)
{
    if (!m_running || m_looking)
        return;
    m_looking = true;
    if (!m_toTouch.isEmpty())
        m_store.touch(QList<QByteArray>(m_toTouch.cbegin(), m_toTouch.cend()), [](const Result<Done> &) {});
    m_toTouch.clear();
    refresh([this, looked](const Result<Done> &) {
        m_looking = false;
        if (looked)
            looked();
        if (m_running)
            m_timer.start(limits::tokens_look_ms + QRandomGenerator::global()->bounded(limits::sweep_jitter_ms));
    });
}

void Tokens::refresh(Callback<Done> callback)
{
    m_store.list(m_version, [this, callback = std::move(callback), self = QPointer<Tokens>(this)](const Result<TokenStore::All> &all) {
        if (!self)
            return;
        if (all.ok())
            take(*all);
        callback(all.ok() ? Result<Done>(Done{}) : Result<Done>(all.error()));
    });
}

void Tokens::take(const TokenStore::All &all)
{
    if (all.version == m_version)
        return;
    m_version = all.version;
    ++m_takes;
    const bool had = needed();
    m_any = !all.rows.isEmpty();
    // Redis was flushed, or an older state was put back. That lets nobody in; the end of the last token does.
    m_lost = had && !m_any && !(all.revoked && all.changedAt_ms >= m_knownAt_ms);
    if (m_any)
        m_knownAt_ms = std::max(m_knownAt_ms, all.changedAt_ms);
    m_grants.clear();
    QByteArray trouble;
    for (const TokenStore::Row &row : all.rows) {
        std::optional<KeptToken> kept = m_pepper ? unpackToken(*m_pepper, row.id, row.record) : std::nullopt;
        Result<Scope> scope = kept ? Scope::of(kept->token.spec) : Error{};
        if (scope.ok())
            m_grants.insert(kept->hash, std::make_shared<const Grant>(Grant{std::move(kept->token), std::move(*scope)}));
        else
            trouble = "the token " + row.id + " cannot be read: it was changed in Redis, or made by a newer Junban";
    }
    if (m_lost)
        trouble = "Redis has lost the tokens, and nobody is let in without one: put them back, or start the masters again, which lets"
                  " callers from this machine make new ones";
    else if (m_any && !m_pepper)
        trouble = "this namespace has tokens, but this master has no pepper and knows none of them: give it --pepper-file";
    else if (m_any && m_pepper->mark() != all.pepper)
        trouble = "the tokens of this namespace were made with another pepper, and this master knows none of them";
    tell(trouble);
}

void Tokens::tell(const QByteArray &trouble)
{
    if (!trouble.isEmpty() && trouble != m_trouble)
        qCritical("tokens: %s", trouble.constData());
    m_trouble = trouble;
}

} // namespace junban
