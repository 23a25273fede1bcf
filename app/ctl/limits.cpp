#include "app/ctl/verbs.h"
#include "core/base/isotime.h"
#include "core/limits.h"

// What is done to constraints by hand.
namespace junban::app {

void Verbs::trip()
{
    changeBreaker(client::BreakerVerb::Trip);
}

void Verbs::reset()
{
    changeBreaker(client::BreakerVerb::Reset);
}

void Verbs::changeBreaker(client::BreakerVerb verb)
{
    client::BreakerQuery query{verb};
    if (m_flags.isSet(QStringLiteral("key")))
        query.key = m_flags.value(QStringLiteral("key")).toUtf8();
    bool ok = true;
    if (m_flags.isSet(QStringLiteral("for"))) {
        const double seconds = m_flags.value(QStringLiteral("for")).toDouble(&ok);
        ok = ok && verb == client::BreakerVerb::Trip && seconds >= 0.001 && seconds <= limits::constraint_wait_s_max;
        query.openFor_ms = ok ? qint64(seconds * 1000) : 0;
    }
    if (m_words.size() != 1 || !ok) {
        misused("trip takes CONSTRAINT [--key KEY] [--for SECONDS], reset takes CONSTRAINT [--key KEY]");
        return;
    }
    m_client.changeBreaker(m_words[0].toUtf8(), query, [this](const Result<client::BreakerChanged> &changed) {
        finish(changed, [](const client::BreakerChanged &now) {
            return QByteArray::number(now.buckets) + (now.buckets == 1 ? " bucket" : " buckets")
                + (now.opensAt_ms > 0 ? ", open until " + isoTime(now.opensAt_ms) : QByteArray()) + '\n';
        });
    });
}

} // namespace junban::app
