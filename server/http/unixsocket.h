#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <memory>

namespace junban::http {

// A unix socket that is listened on. It is its owner's alone (mode 0600), and so is its directory if that had to be made (0700). Beside it
// is the file PATH.lock, which is held as long as this lives: whoever holds it may remove a socket that another process has left.
class UnixSocket
{
public:
    // Errors: InvalidField when the path is none, too long, or in a directory that others may change; Conflict when somebody listens there
    // already, or something else is there.
    static Result<std::shared_ptr<UnixSocket>> listen(const QByteArray &path);
    ~UnixSocket();
    UnixSocket(const UnixSocket &) = delete;
    UnixSocket &operator=(const UnixSocket &) = delete;

    // Takes it out of its directory: nobody finds it any more. So does the destructor. Threads: one.
    void remove();

    const QByteArray &path() const { return m_path; }
    // The descriptor; to be duplicated.
    int fd() const { return m_fd; }

private:
    UnixSocket(QByteArray path, int lock) : m_path(std::move(path)), m_lock(lock) {}
    Result<Done> bindAndListen();

    const QByteArray m_path;
    const int m_lock;
    int m_fd = -1;
    bool m_there = false;
};

} // namespace junban::http
