#include "app/ctl/outputfile.h"

#include "app/ctl/flags.h"
#include "core/base/reasons/ctl.h"

#include <QFile>
#include <QSaveFile>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace junban::app {

namespace {

// A name of one of the program's open files; below 0: it is none.
int descriptorIn(const QByteArray &path)
{
    if (path == "-" || path == "/dev/stdout")
        return STDOUT_FILENO;
    if (path == "/dev/stderr")
        return STDERR_FILENO;
    for (const QByteArrayView folder : {"/dev/fd/", "/proc/self/fd/"}) {
        bool isNumber = false;
        const int descriptor = path.startsWith(folder) ? path.sliced(folder.size()).toInt(&isNumber) : -1;
        if (isNumber)
            return descriptor;
    }
    return -1;
}

bool isSame(const struct stat &one, const struct stat &other)
{
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

int connected(const QByteArray &path)
{
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (path.size() >= qsizetype(sizeof address.sun_path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    std::copy(path.begin(), path.end(), address.sun_path);
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || ::connect(descriptor, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0)
        return descriptor;
    const int error = errno;
    ::close(descriptor);
    errno = error;
    return -1;
}

} // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::open(const QByteArray &path)
{
    auto output = std::make_unique<OutputFile>();
    output->m_name = fileName(path);
    struct stat standardOutput = {}, kind = {};
    const bool hasOutput = ::fstat(STDOUT_FILENO, &standardOutput) == 0;
    int descriptor = descriptorIn(path);
    if (descriptor >= 0 && ::fstat(descriptor, &kind) != 0)
        return reasons::outputNotWritten(output->m_name, std::strerror(errno));
    const bool exists = descriptor >= 0 || ::stat(path.constData(), &kind) == 0;
    output->m_isStandardOutput = exists && hasOutput && isSame(kind, standardOutput);
    if (descriptor < 0 && output->m_isStandardOutput && !S_ISCHR(kind.st_mode)) // a terminal or /dev/null is opened for itself
        descriptor = STDOUT_FILENO;
    if (exists && descriptor < 0 && S_ISDIR(kind.st_mode))
        return reasons::outputIsFolder(path);
    if (!exists || (descriptor < 0 && S_ISREG(kind.st_mode))) {
        auto file = std::make_unique<QSaveFile>(QString::fromUtf8(path));
        if (!file->open(QIODevice::WriteOnly) || !file->setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner))
            return reasons::outputNotWritten(output->m_name, file->errorString().toUtf8());
        output->m_device = std::move(file);
        output->m_isReplaced = true;
        return output;
    }
    if (descriptor >= 0)
        descriptor = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    else
        descriptor = S_ISSOCK(kind.st_mode) ? connected(path) : ::open(path.constData(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
        return reasons::outputNotWritten(output->m_name, std::strerror(errno));
    auto file = std::make_unique<QFile>();
    if (!file->open(descriptor, QIODevice::WriteOnly, QFileDevice::AutoCloseHandle))
        return reasons::outputNotWritten(output->m_name, file->errorString().toUtf8());
    output->m_device = std::move(file);
    return output;
}

Result<Done> OutputFile::commit()
{
    if (m_isReplaced) {
        const bool isWhole = static_cast<QSaveFile &>(*m_device).commit();
        return isWhole ? Result<Done>(Done()) : reasons::outputNotWritten(m_name, m_device->errorString().toUtf8());
    }
    const bool isFlushed = m_device->flush() && m_device->error() == QFileDevice::NoError;
    const QByteArray why = m_device->errorString().toUtf8();
    // A device or a pipe cannot be synchronised, which is no error.
    if (isFlushed && ::fsync(m_device->handle()) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP)
        return reasons::outputNotWritten(m_name, std::strerror(errno));
    return isFlushed ? Result<Done>(Done()) : reasons::outputNotWritten(m_name, why);
}

} // namespace junban::app
