#include "server/http/message.h"

namespace junban::http {

QByteArray Request::field(QByteArrayView lowerCaseName) const
{
    for (const auto &[name, value] : fields) {
        if (name == lowerCaseName)
            return value;
    }
    return {};
}

} // namespace junban::http
