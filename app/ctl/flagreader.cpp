#include "app/ctl/flagreader.h"

#include "core/base/isotime.h"
#include "core/msgpack/json.h"
#include "core/msgpack/msgpackwriter.h"

#include <cmath>

namespace junban::app {

namespace {

constexpr double seconds_max = 1e9; // of any option; the master has narrower bounds

bool isDays(const QByteArray &word)
{
    // A zone has a capital letter or is longer than a day's name; what is neither is refused with the days.
    const QList<QByteArray> days = word.split(',');
    return std::all_of(days.begin(), days.end(), [](const QByteArray &day) { return day.size() == 3 && day == day.toLower(); });
}

// The window as the API has it; nothing when there is no FROM-TO.
std::optional<QByteArray> windowMap(const QByteArray &text)
{
    QList<QByteArray> words = text.simplified().split(' ');
    const QByteArray span = words.takeFirst();
    const qsizetype dash = span.indexOf('-');
    if (dash < 0)
        return {};
    MsgpackWriter pairs;
    qsizetype count = 2;
    pairs.text("from").text(span.left(dash)).text("to").text(span.mid(dash + 1));
    for (const QByteArray &word : std::as_const(words)) {
        ++count;
        if (!isDays(word)) {
            pairs.text("tz").text(word);
            continue;
        }
        const QList<QByteArray> days = word.split(',');
        pairs.text("days").array(days.size());
        for (const QByteArray &day : days)
            pairs.text(day);
    }
    return MsgpackWriter().map(count).raw(pairs.take()).take();
}

} // namespace

void FlagReader::refuse(const char *flag, const QByteArray &why)
{
    if (!m_error)
        m_error = Error{ErrorCode::InvalidField, "--" + QByteArray(flag) + ' ' + why + '.'};
}

std::optional<int> FlagReader::whole(const char *flag)
{
    if (!has(flag))
        return {};
    bool ok = false;
    const int value = text(flag).toInt(&ok);
    if (ok)
        return value;
    refuse(flag, "must be a whole number");
    return {};
}

std::optional<qint64> FlagReader::seconds_ms(const char *flag)
{
    if (!has(flag))
        return {};
    bool ok = false;
    const double value = text(flag).toDouble(&ok);
    if (ok && std::abs(value) <= seconds_max)
        return std::llround(value * 1000);
    refuse(flag, "must be a number of seconds");
    return {};
}

std::optional<qint64> FlagReader::time_ms(const char *flag)
{
    if (!has(flag))
        return {};
    const std::optional<qint64> at_ms = fromIsoTime(text(flag));
    if (!at_ms)
        refuse(flag, "must be a time like 2026-01-02T03:04:05Z");
    return at_ms;
}

QList<QByteArray> FlagReader::texts(const char *flag) const
{
    QList<QByteArray> found;
    const QStringList values = m_flags.values(QString::fromLatin1(flag));
    for (const QString &value : values)
        found.append(value.toUtf8());
    return found;
}

QList<JobId> FlagReader::ids(const char *flag)
{
    QList<JobId> found;
    const QList<QByteArray> values = texts(flag);
    for (const QByteArray &value : values) {
        const std::optional<JobId> id = JobId::fromText(value);
        if (id)
            found.append(*id);
        else
            refuse(flag, "must be a job id, not '" + value + '\'');
    }
    return found;
}

QList<QByteArray> FlagReader::values(const char *flag)
{
    QList<QByteArray> found;
    const QList<QByteArray> given = texts(flag);
    for (const QByteArray &value : given) {
        const Result<QByteArray> packed = json::toMsgpack(value);
        if (packed.ok())
            found.append(*packed);
        else
            refuse(flag, "is no JSON: " + packed.error().message);
    }
    return found;
}

QList<Window> FlagReader::windows(const char *flag)
{
    const QList<QByteArray> given = texts(flag);
    MsgpackWriter list;
    list.array(given.size());
    for (const QByteArray &window : given) {
        const std::optional<QByteArray> map = windowMap(window);
        if (!map) {
            refuse(flag, "must be like \"22:00-06:00 Europe/Berlin sat,sun\"");
            return {};
        }
        list.raw(*map);
    }
    const Result<QList<Window>> read = windowsFromMsgpack(list.take(), "windows");
    if (read.ok())
        return *read;
    refuse(flag, "cannot be: " + read.error().message);
    return {};
}

} // namespace junban::app
