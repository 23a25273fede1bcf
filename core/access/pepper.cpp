#include "core/access/pepper.h"

#include "core/access/token.h"
#include "core/base/reasons/access.h"
#include "core/limits.h"

#include <QDir>
#include <QFile>
#include <QMessageAuthenticationCode>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace junban {

namespace {

Error ofOption(Error error)
{
    error.field = "pepper-file";
    return error;
}

QByteArray mac(const QByteArray &secret, QByteArrayView text)
{
    return QMessageAuthenticationCode::hash(text.toByteArray(), secret, QCryptographicHash::Sha256);
}

// Whole, or not at all: masters that start together find the same one.
bool makePepper(const QString &path)
{
    const QByteArray temporary = QFile::encodeName(path) + '.' + makeTokenId();
    const QByteArray content = makeTokenText().mid(3) + '\n';
    const int file = ::open(temporary.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    const bool written = ::write(file, content.constData(), size_t(content.size())) == content.size() && ::fsync(file) == 0;
    ::close(file);
    const bool linked = written && (::link(temporary.constData(), QFile::encodeName(path).constData()) == 0 || errno == EEXIST);
    ::unlink(temporary.constData());
    return linked;
}

// Whether it is as containers are given secrets: another user's, root's mostly, which this process may read only by its group.
bool isMounted(const struct stat &about)
{
    return about.st_uid != ::geteuid() && (about.st_mode & 037) == 0;
}

} // namespace

Result<Pepper> Pepper::read(const QString &path, const QByteArray &namespaceName)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return ofOption(reasons::pepperUnreadable(path.toUtf8()));
    struct stat about = {};
    if (::fstat(file.handle(), &about) != 0 || ((about.st_mode & 077) != 0 && !isMounted(about)))
        return ofOption(reasons::pepperOpenToOthers(path.toUtf8()));
    const QByteArray secret = file.read(limits::pepper_bytes_max + 1).trimmed();
    if (secret.size() < limits::pepper_bytes_min || secret.size() > limits::pepper_bytes_max)
        return ofOption(reasons::pepperBadSize(path.toUtf8(), limits::pepper_bytes_min, limits::pepper_bytes_max));
    return Pepper(mac(secret, "namespace:" + namespaceName));
}

Result<Pepper> Pepper::ofDirectory(const QString &directory, const QByteArray &namespaceName)
{
    const QString path = QDir(directory).filePath(QStringLiteral("pepper"));
    if (!QFile::exists(path) && !makePepper(path))
        return ofOption(reasons::pepperNotMade(path.toUtf8()));
    return read(path, namespaceName);
}

QByteArray Pepper::hash(QByteArrayView token) const
{
    return mac(m_secret, token);
}

QByteArray Pepper::seal(QByteArrayView record) const
{
    return mac(m_secret, "record:" + record.toByteArray());
}

QByteArray Pepper::mark() const
{
    return mac(m_secret, "mark:").toHex();
}

} // namespace junban
