#pragma once

#include <QMutex>
#include <QSslConfiguration>

namespace junban::http {

// How the servers that share it speak TLS. It can be changed while they serve: connections that come later go by the new one. Threads: any.
class TlsSettings
{
public:
    explicit TlsSettings(QSslConfiguration configuration) : m_configuration(std::move(configuration)) {}

    QSslConfiguration now() const
    {
        const QMutexLocker locker(&m_mutex);
        return m_configuration;
    }
    void change(const QSslConfiguration &configuration)
    {
        const QMutexLocker locker(&m_mutex);
        m_configuration = configuration;
    }

private:
    mutable QMutex m_mutex;
    QSslConfiguration m_configuration;
};

} // namespace junban::http
