#include "app/base/tlsfiles.h"

#include "core/base/reasons/start.h"

#include <QFile>
#include <QSslConfiguration>
#include <QSslSocket>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

namespace junban::app {

namespace {

QByteArray flagOf(const char *option)
{
    return QByteArray("--") + option;
}

// As PEM; not as a pattern of names, which QSslCertificate::fromPath() would take it for.
Result<QList<QSslCertificate>> certificatesOf(const QString &path, const char *option)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return ofField(reasons::fileUnreadable(flagOf(option), path.toUtf8(), file.errorString().toUtf8()), option);
    const QList<QSslCertificate> certificates = QSslCertificate::fromDevice(&file, QSsl::Pem);
    if (certificates.isEmpty())
        return ofField(reasons::fileNotCertificates(flagOf(option), path.toUtf8()), option);
    return certificates;
}

// What OpenSSL says against them, such as a key of another certificate; empty when it takes them. It looks when a handshake begins, so one
// is begun with nobody. An error: this could not be tried.
Result<QByteArray> whyUnfit(const QList<QSslCertificate> &chain, const QSslKey &key)
{
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
        return Error{};
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
        return ofField(reasons::fileUnreadable(flagOf(keyOption), keyFile.toUtf8(), file.errorString().toUtf8()), keyOption);
    const QByteArray pem = file.readAll();
    QSslKey key(pem, QSsl::Rsa);
    if (key.isNull())
        key = QSslKey(pem, QSsl::Ec);
    if (key.isNull())
        return ofField(reasons::fileNotKey(flagOf(keyOption), keyFile.toUtf8()), keyOption);
    const QByteArray flag = flagOf(keyOption), keyPath = keyFile.toUtf8(), certificatePath = certificateFile.toUtf8();
    const Result<QByteArray> unfit = whyUnfit(*chain, key);
    if (!unfit.ok())
        return ofField(reasons::keyNotTried(flag, keyPath, certificatePath, std::strerror(errno)), keyOption);
    if (!unfit->isEmpty())
        return ofField(reasons::keyOfOtherCertificate(flag, keyPath, certificatePath, *unfit), keyOption);
    return TlsIdentity{std::move(*chain), std::move(key)};
}

Result<QList<QSslCertificate>> readAuthorities(const QString &file, const char *option)
{
    return certificatesOf(file, option);
}

} // namespace junban::app
