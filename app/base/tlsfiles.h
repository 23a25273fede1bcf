#pragma once

#include "core/base/result.h"

#include <QList>
#include <QSslCertificate>
#include <QSslKey>
#include <QString>

namespace junban::app {

// A certificate, the chain above it, and its key.
struct TlsIdentity {
    QList<QSslCertificate> chain = {};
    QSslKey key = {};
};

// Errors: InvalidField, with the option (without its dashes) as the field, and a message that goes behind it.
Result<TlsIdentity> readIdentity(const QString &certificateFile, const QString &keyFile, const char *certificateOption,
    const char *keyOption);
Result<QList<QSslCertificate>> readAuthorities(const QString &file, const char *option);

} // namespace junban::app
