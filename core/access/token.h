#pragma once

#include <QByteArray>
#include <QList>
#include <array>

namespace junban {

// What a caller may do; openapi/master.yaml says for each operation which of them may (`x-roles`). The values are what Redis stores;
// never renumber.
enum class Role : quint8 { Pusher = 0, Worker = 1, Viewer = 2, Operator = 3, Admin = 4 };
inline constexpr std::array<const char *, 5> roleWords = {"pusher", "worker", "viewer", "operator", "admin"};

// What an admin asks for.
struct TokenSpec {
    QByteArray note = {};
    QList<Role> roles = {};
    QList<QByteArray> names = {};  // of jobs, each whole or with a star at its end; empty: all
    QByteArray match = {};         // an expression of matchers that must be true of a job; empty: of all
    qint64 expiresAt_ms = 0;       // 0: never
    std::optional<qint64> expiresIn_ms = {}; // of a request only: so long from now instead
};

// Token::createdBy of who had every role because there was no token yet.
inline constexpr char openCaller[] = "open";

// A token as it is shown: never its text.
struct Token {
    QByteArray id = {};
    TokenSpec spec = {};
    qint64 createdAt_ms = 0;
    QByteArray createdBy = {};     // the id of a token, "console", or openCaller while there was no token
    qint64 lastUsedAt_ms = 0;      // to the minute; 0: never

    bool isExpired(qint64 now_ms) const { return spec.expiresAt_ms != 0 && spec.expiresAt_ms <= now_ms; }
};
struct CreatedToken {
    Token token = {};
    QByteArray text = {};          // what the caller sends; it is shown this once
};
struct TokenList {
    QList<Token> tokens = {};      // the oldest first
};

// 256 random bits as "jt_…".
QByteArray makeTokenText();
QByteArray makeTokenId();

// Looks at every byte whatever the first difference, so that the time taken tells nothing.
bool sameSecret(QByteArrayView a, QByteArrayView b);

} // namespace junban
