#include "app/base/notify.h"

#include <algorithm>
#include <cstddef>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace junban::app {

void notifyServiceManager(const QByteArray &state)
{
    const QByteArray path = qgetenv("NOTIFY_SOCKET");
    sockaddr_un address = {};
    if (path.isEmpty() || size_t(path.size()) >= sizeof address.sun_path)
        return;
    address.sun_family = AF_UNIX;
    std::copy(path.begin(), path.end(), address.sun_path);
    if (address.sun_path[0] == '@') // an abstract name
        address.sun_path[0] = '\0';
    const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket < 0)
        return;
    const auto length = socklen_t(offsetof(sockaddr_un, sun_path) + size_t(path.size()));
    // Nobody to tell is no reason to stop.
    [[maybe_unused]] const ssize_t sent = ::sendto(socket, state.constData(), size_t(state.size()), MSG_NOSIGNAL,
        reinterpret_cast<const sockaddr *>(&address), length);
    ::close(socket);
}

} // namespace junban::app
