#pragma once

#include "app/base/commandline.h"
#include "core/base/result.h"
#include "core/calendar/windows.h"
#include "core/jobs/job.h"

#include <array>
#include <limits>
#include <optional>

namespace junban::app {

// What a number may be, and what holds when it is not given, as the help says it.
struct Range {
    double min;
    double max;
    std::optional<double> otherwise = {};
    const char *otherwiseText = nullptr; // where a number does not say it
};

inline constexpr Range priorityRange = {std::numeric_limits<qint32>::min(), std::numeric_limits<qint32>::max()};

template<typename Words>
QByteArrayList wordsOf(const Words &words)
{
    return QByteArrayList(std::begin(words), std::end(words));
}

// The flags and words of one verb, by their types. A verb asks for all of them, and then whether it may go on:
//
//     const QByteArray name = flags.word("NAME", "The name of the job.");
//     const auto priority = flags.whole("--priority N", "A smaller number starts first", {0, 9});
//     if (!flags.ready())
//         return;
//
// This is done twice. Before the command line is read, the calls describe what there is, and nothing is given. Afterwards they give the
// values; what does not fit is refused, not bent into something else. So a flag's name, help, bounds and use stand in one place.
class Flags
{
public:
    enum class Pass { Describe, Read };
    Flags(Command command, Pass pass) : m_command(command), m_pass(pass) {}

    // False when the verb must not do anything: it is only described, or something was refused.
    bool ready() const { return m_pass == Pass::Read && !m_refused; }
    const std::optional<Error> &refused() const { return m_refused; }
    // Keeps the first error only.
    void refuse(const Error &error);
    // Two of the verb's options, of which one may be given.
    void refuseBoth(bool both, const char *option, const char *other);
    // What the help says below the flags.
    void note(const QByteArray &text);

    QByteArray word(const char *name, const char *text);
    QByteArray wordIfAny(const char *name, const char *text) { return givenWord(name, Command::Need::May, text); }
    QList<QByteArray> words(const char *name, const char *text)
    {
        return givenWords(name, Command::Takes::Many, Command::Need::Must, text);
    }
    QList<QByteArray> wordsIfAny(const char *name, const char *text)
    {
        return givenWords(name, Command::Takes::Many, Command::Need::May, text);
    }
    // The word FILE; "-" is standard input (contentOf).
    QByteArray file(const char *text) { return givenWord("FILE", Command::Need::Must, text); }
    // Its JSON as MessagePack.
    QByteArray jsonFile(const char *text);
    // The word ID, or several.
    JobId job(const char *text) { return toJobs("ID", {givenWord("ID", Command::Need::Must, text)}).value(0); }
    QList<JobId> jobs(const char *text) { return toJobs("ID", words("ID", text)); }

    bool on(const char *flag, const char *text) { return !given(flag, Command::Takes::Nothing, text).isEmpty(); }
    // Nothing when a flag is not given, or is wrong.
    std::optional<QByteArray> text(const char *flag, const char *text);
    std::optional<int> whole(const char *flag, const QByteArray &text, const Range &range);
    std::optional<qint64> seconds_ms(const char *flag, const QByteArray &text, const Range &range);
    std::optional<qint64> time_ms(const char *flag, const char *text);
    // One of `words`, as its place among them. `otherwise` is what the help calls the default.
    template<typename Enum, size_t N>
    std::optional<Enum> oneOf(const char *flag, const QByteArray &text, const std::array<const char *, N> &words, const char *otherwise)
    {
        const int place = placeOf(flag, text, wordsOf(words), otherwise);
        return place < 0 ? std::optional<Enum>() : static_cast<Enum>(place);
    }
    // Of the jobs that a verb is about.
    std::optional<JobState> state();
    QList<QByteArray> texts(const char *flag, const char *text) { return given(flag, Command::Takes::Many, text); }
    QList<JobId> jobs(const char *flag, const char *text) { return toJobs(flag, texts(flag, text)); }
    // Each a JSON value, as MessagePack.
    QList<QByteArray> values(const char *flag, const char *text, Command::Takes takes = Command::Takes::Many);
    // Each "FROM-TO [ZONE] [DAY,DAY]", e.g. "22:00-06:00 Europe/Berlin sat,sun".
    QList<Window> windows(const char *flag, const char *text);
    // A MessagePack value from --arg, --arg-file or the word "-"; nothing when none of them is given. `what` is it, for the help.
    std::optional<QByteArray> value(const QByteArray &what, const QByteArray &otherwise);

private:
    QList<QByteArray> given(const QByteArray &flag, Command::Takes takes, const QByteArray &text);
    QList<QByteArray> givenWords(const QByteArray &name, Command::Takes takes, Command::Need need, const QByteArray &text);
    QByteArray givenWord(const char *name, Command::Need need, const QByteArray &text);
    std::optional<double> number(const char *flag, const QByteArray &text, const char *unit, const Range &range);
    int placeOf(const char *flag, const QByteArray &text, const QByteArrayList &words, const char *otherwise);
    QList<JobId> toJobs(const QByteArray &name, const QList<QByteArray> &texts);
    // JSON as MessagePack; refused in the name of `from` when it cannot be.
    std::optional<QByteArray> packed(const QByteArray &from, const QByteArray &json);
    std::optional<QByteArray> packedFile(const QByteArray &path);

    Command m_command;
    Pass m_pass;
    std::optional<Error> m_refused;
};

// How a refusal names a file.
QByteArray fileName(const QByteArray &path);

inline constexpr qint64 input_bytes_max = 32 * 1024 * 1024; // of a file or of standard input; JSON takes more than the value
inline constexpr qint64 token_bytes_max = 4 * 1024;         // of a file with a token
// The content of a file, or of standard input when it is called "-", which can be read once. No more is read than one may have.
Result<QByteArray> contentOf(const QByteArray &path, qint64 bytes_max = input_bytes_max);

} // namespace junban::app
