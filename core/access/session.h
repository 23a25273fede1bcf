#pragma once

#include "core/access/pepper.h"
#include "core/access/token.h"
#include "core/msgpack/fieldtable.h"

#include <QByteArray>
#include <optional>

namespace junban {

namespace limits {
inline constexpr double session_idle_s_default = 3'600;      // without a request a session ends after this …
inline constexpr double session_length_s_default = 12 * 3'600; // … and after this in any case
inline constexpr double session_s_min = 1;
inline constexpr double session_s_max = 30.0 * 86'400;
inline constexpr int sessions_of_token_max = 50;             // with one more, the one that was used least recently ends
inline constexpr double session_used_s = 60;                 // how exactly it is kept when one was used last
inline constexpr int session_token_bytes_max = 200;
inline constexpr int sessions_known_max = 10'000;            // in a master's memory
} // namespace limits

// A person who has signed in in a browser, with a token. The browser has a text of 256 random bits, and Redis what is kept of it.
struct Session {
    QByteArray token = {};         // its id
    qint64 createdAt_ms = 0;
    qint64 endsAt_ms = 0;          // at the latest
};

struct SessionTimes {
    qint64 idle_ms = qint64(limits::session_idle_s_default * 1000);
    qint64 length_ms = qint64(limits::session_length_s_default * 1000);
};

// "js_…", for the browser.
QByteArray makeSessionText();
bool mayBeSessionText(QByteArrayView text);
// What it is kept under: 64 hexadecimal digits.
QByteArray sessionKey(const Pepper &pepper, QByteArrayView text);
// As Redis keeps it, under the pepper's seal: who can only write to Redis can make none, nor make one last longer.
QByteArray packSession(const Pepper &pepper, QByteArrayView key, const Session &session);
// Nothing when the seal is not the pepper's, or the record is another session's.
std::optional<Session> unpackSession(const Pepper &pepper, QByteArrayView key, QByteArrayView record);

// What is sent to sign in.
struct SignIn {
    QByteArray token = {};         // its text
};
// Who calls.
struct SessionView {
    QByteArray who = {};           // as the audit has it
    QByteArray note = {};          // of the token
    QList<Role> roles = {};
    bool allJobs = true;           // false: the token is for some jobs only
    bool signedIn = false;         // by a session, which can be ended
    qint64 expiresAt_ms = 0;       // of the session, or of the token; 0: never
    qint64 idle_ms = 0;            // without a request the session ends after this; 0: it is none
};
extern const TableOf<SignIn> signInTable;
extern const TableOf<SessionView> sessionTable;

} // namespace junban
