#include "server/http/unixsocket.h"

#include "core/base/reasons/http.h"
#include "core/limits.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace junban::http {

namespace {

Error cannot(Error error)
{
    error.field = "listen";
    return error;
}

Error cannotNow(const QByteArray &path, Error (*reason)(QByteArrayView path, QByteArrayView error))
{
    return cannot(reason(path, std::strerror(errno)));
}

sockaddr_un addressOf(const QByteArray &path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.constData(), size_t(path.size()));
    return address;
}

// Who may write into the directory can put a socket of his own in the place of ours, unless it is like /tmp.
Result<Done> prepareDirectory(const QByteArray &path)
{
    const QByteArray directory = path.first(std::max<qsizetype>(1, path.lastIndexOf('/')));
    if (::mkdir(directory.constData(), 0700) != 0 && errno != EEXIST)
        return cannotNow(path, reasons::listenDirectoryNotMade);
    struct stat about = {};
    if (::stat(directory.constData(), &about) != 0)
        return cannotNow(path, reasons::listenDirectoryUnreadable);
    if ((about.st_mode & 022) != 0 && (about.st_mode & S_ISVTX) == 0)
        return cannot(reasons::listenDirectoryOpen(path));
    return Done{};
}

// A process that was killed leaves its socket, where nobody answers any more.
Result<Done> removeStale(const QByteArray &path)
{
    struct stat about = {};
    if (::lstat(path.constData(), &about) != 0)
        return errno == ENOENT ? Result<Done>(Done{}) : cannotNow(path, reasons::listenPathUnreadable);
    if (!S_ISSOCK(about.st_mode))
        return cannot(reasons::listenPathTaken(path));
    const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const sockaddr_un address = addressOf(path);
    const bool dead = probe >= 0 && ::connect(probe, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0
        && errno == ECONNREFUSED;
    if (probe >= 0)
        ::close(probe);
    if (!dead)
        return cannot(reasons::listenPathInUse(path));
    return ::unlink(path.constData()) == 0 ? Result<Done>(Done{}) : cannotNow(path, reasons::listenPathNotRemoved);
}

} // namespace

Result<std::shared_ptr<UnixSocket>> UnixSocket::listen(const QByteArray &path)
{
    if (!path.startsWith('/') || path.endsWith('/') || path.contains('\0'))
        return cannot(reasons::listenPathRelative(path));
    if (size_t(path.size()) >= sizeof(sockaddr_un::sun_path))
        return cannot(reasons::listenPathTooLong(path, sizeof(sockaddr_un::sun_path) - 1));
    if (const Result<Done> prepared = prepareDirectory(path); !prepared.ok())
        return prepared.error();
    const int lock = ::open((path + ".lock").constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock < 0)
        return cannotNow(path, reasons::listenLockNotMade);
    std::shared_ptr<UnixSocket> made(new UnixSocket(path, lock));
    if (::flock(lock, LOCK_EX | LOCK_NB) != 0)
        return cannot(reasons::listenPathInUse(path));
    if (const Result<Done> listening = made->bindAndListen(); !listening.ok())
        return listening.error();
    return made;
}

Result<Done> UnixSocket::bindAndListen()
{
    if (const Result<Done> removed = removeStale(m_path); !removed.ok())
        return removed;
    m_fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const sockaddr_un address = addressOf(m_path);
    // On Linux the mode that the socket has before is the one of the file, so that it is never open to others.
    if (m_fd < 0 || ::fchmod(m_fd, 0600) != 0 || ::bind(m_fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0)
        return cannotNow(m_path, reasons::listenSocketFailed);
    m_there = true;
    if (::listen(m_fd, limits::http_listen_backlog) != 0)
        return cannotNow(m_path, reasons::listenSocketFailed);
    return Done{};
}

void UnixSocket::remove()
{
    if (std::exchange(m_there, false))
        ::unlink(m_path.constData());
}

UnixSocket::~UnixSocket()
{
    remove();
    if (m_fd >= 0)
        ::close(m_fd);
    ::close(m_lock);
}

} // namespace junban::http
