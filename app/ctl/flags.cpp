#include "app/ctl/flags.h"

#include "core/base/isotime.h"
#include "core/base/reasons/ctl.h"
#include "core/base/reasons/start.h"
#include "core/msgpack/json.h"
#include "core/msgpack/msgpackwriter.h"

#include <QFile>
#include <algorithm>
#include <cmath>
#include <unistd.h>
#include <utility>

namespace junban::app {

namespace {

constexpr qsizetype text_columns = 72; // of a help text; the flags stand to the left of it

QByteArray wrapped(const QByteArray &text)
{
    QByteArray lines;
    qsizetype column = 0;
    for (const QByteArray &word : text.split(' ')) {
        const bool breaks = column + word.size() > text_columns;
        if (!lines.isEmpty())
            lines += breaks ? '\n' : ' ';
        lines += word;
        column = (breaks ? 0 : column) + word.size() + 1;
    }
    return lines;
}

QByteArray digits(double value)
{
    return QByteArray::number(value, 'g', 12);
}

QByteArray nameOf(const QByteArray &flag)
{
    return flag.left(flag.indexOf(' ') < 0 ? flag.size() : flag.indexOf(' '));
}

bool isDays(const QByteArray &word)
{
    // A zone has a capital letter or more than three letters. What has neither is refused as a day.
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

QByteArray fileName(const QByteArray &path)
{
    return path == "-" ? QByteArray("Standard input") : path;
}

Result<QByteArray> contentOf(const QByteArray &path, qint64 bytes_max)
{
    static bool isInputTaken = false;
    if (path == "-" && std::exchange(isInputTaken, true))
        return reasons::inputTaken();
    QFile file(QString::fromUtf8(path));
    const bool opened = path == "-" ? file.open(STDIN_FILENO, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    if (!opened)
        return reasons::inputUnreadable(fileName(path), file.errorString().toUtf8());
    QByteArray content;
    while (content.size() <= bytes_max) {
        constexpr qint64 slice_bytes = 64 * 1024;
        const QByteArray slice = file.read(slice_bytes);
        if (slice.isEmpty())
            break;
        content += slice;
    }
    if (file.error() != QFileDevice::NoError)
        return reasons::inputUnreadable(fileName(path), file.errorString().toUtf8());
    if (content.size() > bytes_max)
        return reasons::inputTooLarge(fileName(path), bytes_max);
    return content;
}

void Flags::refuse(const Error &error)
{
    if (!m_refused)
        m_refused = error;
}

void Flags::refuseBoth(bool both, const char *option, const char *other)
{
    if (both)
        refuse(reasons::optionsExclusive(option, other));
}

void Flags::note(const QByteArray &text)
{
    if (m_pass == Pass::Describe)
        m_command.note(text);
}

QList<QByteArray> Flags::given(const QByteArray &flag, Command::Takes takes, const QByteArray &text)
{
    if (m_pass == Pass::Read)
        return m_command.values(nameOf(flag));
    m_command.flag(flag, takes, wrapped(takes == Command::Takes::Many ? text + " Repeatable." : text));
    return {};
}

QList<QByteArray> Flags::givenWords(const QByteArray &name, Command::Takes takes, Command::Need need, const QByteArray &text)
{
    if (m_pass == Pass::Read)
        return m_command.values(name);
    m_command.word(name, takes, need, wrapped(text));
    return {};
}

QByteArray Flags::givenWord(const char *name, Command::Need need, const QByteArray &text)
{
    return givenWords(name, Command::Takes::One, need, text).value(0);
}

QByteArray Flags::word(const char *name, const char *text)
{
    const QByteArray word = givenWord(name, Command::Need::Must, text);
    if (m_pass == Pass::Read && (word.isEmpty() || word == "-"))
        refuse(reasons::optionRequired(name));
    return word;
}

QByteArray Flags::jsonFile(const char *text)
{
    const QByteArray path = givenWord("FILE", Command::Need::Must, text);
    return m_pass == Pass::Read ? packedFile(path).value_or(QByteArray()) : QByteArray();
}

std::optional<QByteArray> Flags::packed(const QByteArray &from, const QByteArray &json)
{
    const Result<QByteArray> value = json::toMsgpack(json);
    if (value.ok())
        return *value;
    refuse(reasons::optionWrong(from, value.error().reason));
    return {};
}

std::optional<QByteArray> Flags::packedFile(const QByteArray &path)
{
    const Result<QByteArray> content = contentOf(path);
    if (content.ok())
        return path.endsWith(".msgpack") ? *content : packed(fileName(path), *content);
    refuse(content.error());
    return {};
}

std::optional<QByteArray> Flags::text(const char *flag, const char *text)
{
    const QList<QByteArray> values = given(flag, Command::Takes::One, text);
    return values.isEmpty() ? std::optional<QByteArray>() : values.last();
}

std::optional<double> Flags::number(const char *flag, const QByteArray &text, const char *unit, const Range &range)
{
    const QByteArray span = digits(range.min) + " to " + digits(range.max) + unit;
    const QByteArray otherwise = range.otherwise ? digits(*range.otherwise) : QByteArray(range.otherwiseText);
    const QByteArray lastly = otherwise.isEmpty() ? QByteArray() : " Default: " + otherwise + '.';
    const QList<QByteArray> values = given(flag, Command::Takes::One, text + "; " + span + '.' + lastly);
    if (values.isEmpty())
        return {};
    bool ok = false;
    const double value = values.last().toDouble(&ok);
    const bool whole = qstrlen(unit) == 0;
    if (ok && value >= range.min && value <= range.max && (!whole || value == std::floor(value)))
        return value;
    refuse(whole ? reasons::optionWholeExpected(nameOf(flag), range.min, range.max, values.last())
                 : reasons::optionSecondsExpected(nameOf(flag), range.min, range.max, values.last()));
    return {};
}

std::optional<int> Flags::whole(const char *flag, const QByteArray &text, const Range &range)
{
    const std::optional<double> value = number(flag, text, "", range);
    return value ? std::optional<int>(int(*value)) : std::nullopt;
}

std::optional<qint64> Flags::seconds_ms(const char *flag, const QByteArray &text, const Range &range)
{
    const std::optional<double> value = number(flag, text, " seconds", range);
    return value ? std::optional<qint64>(std::llround(*value * 1000)) : std::nullopt;
}

std::optional<qint64> Flags::time_ms(const char *flag, const char *text)
{
    const std::optional<QByteArray> value = this->text(flag, text);
    const std::optional<qint64> at_ms = value ? fromIsoTime(*value) : std::nullopt;
    if (value && !at_ms)
        refuse(reasons::optionTimeExpected(nameOf(flag), *value));
    return at_ms;
}

int Flags::placeOf(const char *flag, const QByteArray &text, const QByteArrayList &words, const char *otherwise)
{
    const QByteArray all = words.first(words.size() - 1).join(", ") + " or " + words.last();
    const std::optional<QByteArray> value = this->text(flag, (text + ": " + all + ". Default: " + otherwise + '.').constData());
    const auto place = value ? int(words.indexOf(*value)) : -1;
    if (value && place < 0)
        refuse(reasons::optionWordExpected(nameOf(flag), words, *value));
    return place;
}

std::optional<JobState> Flags::state()
{
    QByteArrayList words;
    for (int state = int(JobState::Scheduled); state <= int(JobState::Cancelled); ++state)
        words.append(stateWord(static_cast<JobState>(state)));
    const int place = placeOf("--state STATE", "Only jobs in this state", words, "all");
    return place < 0 ? std::nullopt : std::optional(static_cast<JobState>(int(JobState::Scheduled) + place));
}

QList<JobId> Flags::toJobs(const QByteArray &name, const QList<QByteArray> &texts)
{
    QList<JobId> found;
    for (const QByteArray &text : texts) {
        const std::optional<JobId> id = JobId::fromText(text);
        if (id)
            found.append(*id);
        else if (m_pass == Pass::Read)
            refuse(reasons::optionJobExpected(nameOf(name), text));
    }
    return found;
}

QList<QByteArray> Flags::values(const char *flag, const char *text, Command::Takes takes)
{
    QList<QByteArray> found;
    for (const QByteArray &value : given(flag, takes, text))
        found.append(packed(nameOf(flag), value).value_or(QByteArray()));
    return found;
}

QList<Window> Flags::windows(const char *flag, const char *text)
{
    const QList<QByteArray> given = texts(flag, text);
    MsgpackWriter list;
    list.array(given.size());
    for (const QByteArray &window : given) {
        const std::optional<QByteArray> map = windowMap(window);
        if (!map) {
            refuse(reasons::optionWindowExpected(nameOf(flag), window));
            return {};
        }
        list.raw(*map);
    }
    const Result<QList<Window>> read = windowsFromMsgpack(list.take(), "windows");
    if (read.ok())
        return *read;
    refuse(reasons::optionWrong(nameOf(flag), read.error().reason));
    return {};
}

std::optional<QByteArray> Flags::value(const QByteArray &what, const QByteArray &otherwise)
{
    const QByteArray input = givenWord("INPUT", Command::Need::May, "A dash (-): read " + what + " from standard input, as JSON.");
    const QByteArray use = "Use this JSON value as " + what + '.' + (otherwise.isEmpty() ? "" : " Default: " + otherwise + '.');
    const std::optional<QByteArray> json = text("--arg JSON", use.constData());
    const QByteArray read = "Read " + what + " from a file: JSON, or MessagePack when its name ends in .msgpack.";
    const std::optional<QByteArray> path = text("--arg-file FILE", read.constData());
    if (!input.isEmpty() && input != "-")
        refuse(reasons::wordUnexpected(input));
    refuseBoth(json && path, "--arg", "--arg-file");
    refuseBoth(!input.isEmpty() && (json || path), json ? "--arg" : "--arg-file", "- (standard input)");
    if (!ready() || !(json || path || !input.isEmpty()))
        return {};
    return json ? packed("--arg", *json) : packedFile(input.isEmpty() ? *path : QByteArray("-"));
}

} // namespace junban::app
