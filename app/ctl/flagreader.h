#pragma once

#include "core/base/result.h"
#include "core/calendar/windows.h"
#include "core/jobs/jobid.h"

#include <QCommandLineParser>
#include <optional>

namespace junban::app {

// Reads values of flags, and keeps what was wrong with the first that was: what does not fit is refused here, not bent into something
// else. The parser outlives it.
class FlagReader
{
public:
    explicit FlagReader(const QCommandLineParser &flags) : m_flags(flags) {}

    const std::optional<Error> &error() const { return m_error; }

    bool has(const char *flag) const { return m_flags.isSet(QString::fromLatin1(flag)); }
    // Nothing when the flag is not given, or is wrong.
    std::optional<int> whole(const char *flag);
    std::optional<qint64> seconds_ms(const char *flag);
    std::optional<qint64> time_ms(const char *flag);
    // One of `words`, as its place among them.
    template<typename Enum, size_t N>
    std::optional<Enum> oneOf(const char *flag, const std::array<const char *, N> &words)
    {
        if (!has(flag))
            return {};
        for (size_t at = 0; at < N; ++at) {
            if (text(flag) == words[at])
                return static_cast<Enum>(at);
        }
        refuse(flag, "must be one of " + QByteArrayList(words.begin(), words.end()).join(", "));
        return {};
    }
    QByteArray text(const char *flag) const { return m_flags.value(QString::fromLatin1(flag)).toUtf8(); }
    QList<QByteArray> texts(const char *flag) const;
    QList<JobId> ids(const char *flag);
    // Each a JSON value, as MessagePack.
    QList<QByteArray> values(const char *flag);
    // Each "FROM-TO [ZONE] [DAY,DAY]", e.g. "22:00-06:00 Europe/Berlin sat,sun".
    QList<Window> windows(const char *flag);

    void refuse(const char *flag, const QByteArray &why);

private:
    const QCommandLineParser &m_flags;
    std::optional<Error> m_error;
};

} // namespace junban::app
