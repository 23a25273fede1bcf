#pragma once

#include <QByteArray>
#include <QList>

namespace junban::journal {

// The hash `lead` of a namespace: who leads it, and how far Redis is.
struct Lead {
    QByteArray id = {};          // 32 hexadecimal digits, new for each leadership; empty: there is no `lead`
    qint64 n = 0;                // the number of the last batch
    qint64 at_ms = 0;            // engine time of that batch, milliseconds since the epoch
    qint64 beat = 0;             // rises while the leader lives and has nothing to write
    qint64 term = 0;             // how many leaderships there were; for people
    qint64 base = 0;             // the number that this leadership found
    bool gone = false;           // it has ended by itself
    int layout = 0;
    QByteArray address = {};     // where the leader listens (core/journal/place.h); empty: it tells none
    QByteArray certificate = {}; // SHA-256 of the one that it shows, in hexadecimal digits; empty: it speaks no TLS there
    QByteArray secret = {};      // never logged

    bool isMissing() const { return id.isEmpty(); }
    bool showsTheSame(const Lead &other) const { return id == other.id && n == other.n && beat == other.beat && gone == other.gone; }

    // Its fields in Redis, in the order in which reads and functions give them.
    static const QList<QByteArray> &fields();
    // `values`: one for each of fields(), empty where it is missing. Without an id the rest counts for nothing but n.
    static Lead of(const QList<QByteArray> &values);
};

} // namespace junban::journal
