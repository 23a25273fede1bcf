#include "app/base/tlsfiles.h"

#include <QFile>
#include <QSslConfiguration>
#include <QSslSocket>
#include <sys/socket.h>
#include <unistd.h>

namespace junban::app {

namespace {

Error wrong(const char *option, const QByteArray &what)
{
    return Error{ErrorCode::InvalidField, what, option};
}

// As PEM; not as a pattern of names, which QSslCertificate::fromPath() would take it for.
Result<QList<QSslCertificate>> certificatesOf(const QString &path, const char *option)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return wrong(option, path.toUtf8() + " cannot be read: " + file.errorString().toUtf8());
    const QList<QSslCertificate> certificates = QSslCertificate::fromDevice(&file, QSsl::Pem);
    if (certificates.isEmpty())
        return wrong(option, path.toUtf8() + " is no file of certificates (PEM)");
    return certificates;
}

// What OpenSSL says against them, such as a key of another certificate; empty when it takes them. It looks when a handshake begins, so one
// is begun with nobody.
QByteArray whyUnfit(const QList<QSslCertificate> &chain, const QSslKey &key)
{
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
        return "cannot be tried";
    QByteArray why;
    {
        QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
        configuration.setLocalCertificateChain(chain);
        configuration.setPrivateKey(key);
        QSslSocket socket;
        socket.setSslConfiguration(configuration);
        if (socket.setSocketDescriptor(ends[0])) {
            socket.startServerEncryption();
            if (socket.error() != QAbstractSocket::UnknownSocketError)
                why = socket.errorString().toUtf8();
            socket.abort();
        } else {
            ::close(ends[0]);
        }
    }
    ::close(ends[1]);
    return why;
}

} // namespace

Result<TlsIdentity> readIdentity(const QString &certificateFile, const QString &keyFile, const char *certificateOption,
    const char *keyOption)
{
    Result<QList<QSslCertificate>> chain = certificatesOf(certificateFile, certificateOption);
    if (!chain.ok())
        return chain.error();
    QFile file(keyFile);
    if (!file.open(QIODevice::ReadOnly))
        return wrong(keyOption, keyFile.toUtf8() + " cannot be read: " + file.errorString().toUtf8());
    const QByteArray pem = file.readAll();
    QSslKey key(pem, QSsl::Rsa);
    if (key.isNull())
        key = QSslKey(pem, QSsl::Ec);
    if (key.isNull())
        return wrong(keyOption, keyFile.toUtf8() + " is no private key without a password (PEM, RSA or EC)");
    if (const QByteArray why = whyUnfit(*chain, key); !why.isEmpty())
        return wrong(keyOption, keyFile.toUtf8() + " does not go with " + certificateFile.toUtf8() + ": " + why);
    return TlsIdentity{std::move(*chain), std::move(key)};
}

Result<QList<QSslCertificate>> readAuthorities(const QString &file, const char *option)
{
    return certificatesOf(file, option);
}

} // namespace junban::app
