#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QList>

namespace junban::redis {

// One server: a host and a port, or a unix socket.
struct Endpoint {
    QByteArray host = "127.0.0.1";
    quint16 port = 6379;
    QByteArray socketPath = {};        // not empty: a unix socket

    bool operator==(const Endpoint &) const = default;
    QByteArray text() const;
};

// Where Redis is, and how to connect to it:
//   redis://[user:password@]host[:port][,host…][/database], rediss:// for TLS; several hosts are nodes of one cluster
//   unix:///path[?db=N] (or unix:path)
//   sentinel://[user:password@]host[:port][,host…]/name[?db=N&sentinel-user=U&sentinel-password=P], sentinels:// for TLS: the
//     primary that these Sentinels know by this name. `user` and `password` are those of Redis.
// With TLS, ?ca=FILE names the certificate authority (default: the system's), and ?verify=no accepts any certificate.
struct Address {
    QList<Endpoint> endpoints = {Endpoint()}; // never empty; these are Sentinels when sentinelName is not empty
    QByteArray sentinelName;
    QByteArray sentinelUser;
    QByteArray sentinelPassword;
    QByteArray user;
    QByteArray password;
    int database = 0;
    bool tls = false;
    QByteArray caFile;
    bool verifyPeer = true;

    static Address ofSocket(const QByteArray &path);
    static Result<Address> fromUrl(const QByteArray &url);
    // For logs, without passwords.
    QByteArray text() const;
};

} // namespace junban::redis
