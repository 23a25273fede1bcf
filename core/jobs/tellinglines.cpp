#include "core/jobs/tellinglines.h"

#include "core/jobs/expression.h"

#include <QList>
#include <optional>

namespace junban {

namespace {

constexpr qsizetype end_bytes = 8 * 1024;  // of each end of a message; one that is kept is shorter
constexpr qsizetype end_lines = 256;       // of each end
constexpr qsizetype line_bytes = 4 * 1024;       // of a line; more than is looked at for a title

using Text = re2::StringPiece;

// The lines of a message, without the spaces at their ends.
class Lines
{
public:
    explicit Lines(QByteArrayView message)
    {
        message = message.trimmed();
        if (message.size() > 2 * end_bytes) {
            split(message.first(end_bytes));
            split(message.last(end_bytes));
        } else {
            split(message);
        }
        if (size() > 2 * end_lines)
            m_lines.remove(end_lines, size() - 2 * end_lines);
    }

    qsizetype size() const { return m_lines.size(); }
    Text at(qsizetype line) const { return line >= 0 && line < size() ? m_lines[line] : Text(); }
    // The first line from `from` on, before `end`, that the expression matches; -1: none.
    qsizetype first(const Expression &expression, qsizetype from = 0, qsizetype end = -1) const
    {
        for (qsizetype i = from; i < (end < 0 ? size() : end); ++i) {
            if (matches(m_lines[i], expression))
                return i;
        }
        return -1;
    }
    qsizetype last(const Expression &expression) const
    {
        for (qsizetype i = size() - 1; i >= 0; --i) {
            if (matches(m_lines[i], expression))
                return i;
        }
        return -1;
    }
    // The first line from `from` on with something in it; the last line's number if there is none.
    qsizetype filled(qsizetype from) const
    {
        while (from < size() - 1 && at(from).empty())
            ++from;
        return from;
    }

private:
    void split(QByteArrayView text)
    {
        const char separator = text.contains('\n') ? '\n' : '\r';
        for (qsizetype from = 0; from <= text.size();) {
            qsizetype end = text.indexOf(separator, from);
            if (end < 0)
                end = text.size();
            QByteArrayView line = text.sliced(from, end - from);
            while (!line.isEmpty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t'))
                line.chop(1);
            if (const qsizetype rewritten = line.indexOf('\r'); rewritten > 0)
                line = line.first(rewritten);
            line = line.first(std::min(line.size(), line_bytes));
            m_lines.append(Text(line.data(), size_t(line.size())));
            from = end + 1;
        }
    }

    QList<Text> m_lines;
};

QByteArray bytes(Text text)
{
    return QByteArray(text.data(), qsizetype(text.size())).trimmed();
}

bool isIndented(Text line)
{
    return !line.empty() && (line[0] == ' ' || line[0] == '\t');
}

// What a runtime writes before or after the error itself.
QByteArray bare(Text line)
{
    static const Expression before(
        R"re(^\s*(?:(?:\S+ )?Exception in thread "[^"]*" |Unhandled exception\. |(?:error: )?Uncaught (?:\(in promise\) )?)re"
        R"re(|(?:PHP )?Fatal error: +(?:Uncaught )?|PHP \w+: +)re"
        R"re(|(?:\t?from )?\S+:\d+:in [`'][^']*': )+)re");
    static const Expression after(R"re((?: in (?:/|[A-Za-z]:\\|phar:)\S+(?: on line |:)\d+| \[recovered(?:, repanicked)?\])$)re");
    std::string text(line.data(), line.size());
    re2::RE2::Replace(&text, before, "");
    re2::RE2::Replace(&text, after, "");
    return QByteArray::fromStdString(text).trimmed();
}

using Found = std::optional<TellingLines>;

// --- The error stands below its trace ----------------------------------------------------------------------------------------------------

// A group of exceptions draws a tree with | and + before its lines.
Text withoutTree(Text line)
{
    static const Expression tree(R"re(^\s*[|+] ?(.*)$)re");
    Text rest;
    return re2::RE2::PartialMatch(line, tree, &rest) ? rest : line;
}

// Python; Ruby of before 3.0 on a terminal. Each trace has its header, its frames are indented, and the error is the first line that is
// not. The last error is the one that was raised. One that was raised from another names it: the traces stand in the order of time.
Found belowItsTrace(const Lines &lines)
{
    static const Expression header(R"re(^[\s|+]*(?:Exception Group )?Traceback \(most recent call last\):)re");
    static const Expression isCause(R"re(direct cause of the following exception)re");
    static const Expression branch(R"re(^\s*\+[\-+])re");
    static const Expression frame(R"re(^\s+File ".*", line \d+)re");
    QByteArray thrown, cause;
    bool any = false, direct = false;
    for (qsizetype at = lines.first(header); at >= 0; at = lines.first(header, at)) {
        QByteArray error, lastFrame;
        for (++at; at < lines.size() && error.isEmpty() && !matches(lines.at(at), header); ++at) {
            const Text line = withoutTree(lines.at(at));
            if (matches(lines.at(at), branch) || line.empty())
                continue;
            if (!isIndented(line))
                error = bare(line);
            else if (matches(line, frame))
                lastFrame = bytes(line);
        }
        if (error.isEmpty()) // the trace was cut
            error = "Traceback: " + lastFrame;
        if (!direct)
            cause = {};
        else if (cause.isEmpty())
            cause = thrown;
        thrown = error;
        any = true;
        const qsizetype next = lines.first(header, at);
        direct = next >= 0 && lines.first(isCause, at, next) >= 0;
    }
    return any ? Found({thrown, cause}) : Found();
}

// --- Runtimes with a first line of their own ---------------------------------------------------------------------------------------------

// Rust writes the message after the place, on the same line and quoted until 1.72; anyhow and eyre number the causes.
Found rust(const Lines &lines)
{
    static const Expression quoted(R"re(^thread '[^']*'(?: \(\d+\))? panicked at '(.*)', [^']*:\d+:\d+$)re");
    static const Expression panicked(R"re(^thread '[^']*'(?: \(\d+\))? panicked at )re");
    static const Expression causes(R"re(^Caused by:$)re");
    static const Expression numbered(R"re(^\s+(?:\d+: )?(.*)$)re");
    if (const qsizetype at = lines.first(panicked); at >= 0) {
        Text message;
        if (!re2::RE2::PartialMatch(lines.at(at), quoted, &message))
            message = lines.at(lines.filled(at + 1));
        return Found({"panicked: " + bytes(message), {}});
    }
    const qsizetype at = lines.first(causes);
    if (at <= 0)
        return {};
    QByteArray cause;
    Text one;
    for (qsizetype i = at + 1; i < lines.size() && re2::RE2::FullMatch(lines.at(i), numbered, &one); ++i)
        cause = bytes(one);
    static const Expression error(R"re(^Error: )re");
    const qsizetype thrown = lines.first(error, 0, at);
    return Found({bytes(lines.at(std::max<qsizetype>(thrown, 0))), cause});
}

// A stack without a message is what Go's debug.Stack() gives: then the function that panicked tells.
Found go(const Lines &lines)
{
    static const Expression stack(R"re(^goroutine \d+ \[)re"), panicked(R"re(^panic\()re");
    static const Expression function(R"re(^([\w./*()\-]+?)\([^()]*\)$)re");
    if (lines.first(stack, 0, 1) < 0)
        return {};
    Text name;
    for (qsizetype i = lines.first(panicked) + 1; i > 0 && i < lines.size(); ++i) {
        if (re2::RE2::FullMatch(lines.at(i), function, &name))
            return Found({"panic in " + bytes(name), {}});
    }
    return {};
}

Found cpp(const Lines &lines)
{
    static const Expression thrown(R"re(^terminate called after throwing an instance of '(.*)')re"), what(R"re(^\s*what\(\):\s+(.*))re");
    Text type, message;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (type.empty())
            re2::RE2::PartialMatch(lines.at(i), thrown, &type);
        else if (re2::RE2::PartialMatch(lines.at(i), what, &message))
            return Found({bytes(type) + ": " + bytes(message), {}});
    }
    return {};
}

// Elixir writes ** before the error, below what ended; an exit says the one inside it below.
Found elixir(const Lines &lines)
{
    static const Expression error(R"re(^\*\* \()re"), inner(R"re(^\s+\*\* (\(.*))re");
    static const Expression missing(R"re(^(.*\bnot found in: )\S)re"); // and all that is there instead
    const qsizetype at = lines.first(error);
    if (at < 0)
        return {};
    Text thrown = lines.at(at), cause;
    re2::RE2::PartialMatch(thrown, missing, &thrown);
    const qsizetype within = lines.first(inner, at + 1);
    if (within > 0)
        re2::RE2::PartialMatch(lines.at(within), inner, &cause);
    return Found({bytes(thrown), bytes(cause)});
}

// PHP writes the whole chain in the order of time, each after "Next".
Found php(const Lines &lines)
{
    static const Expression trace(R"re(^Stack trace:$)re"), next(R"re(^Next (.*)$)re");
    const qsizetype at = lines.first(trace);
    if (at <= 0)
        return {};
    static const Expression error(R"re(^(?:PHP )?(?:Fatal error: +Uncaught |[\w\\]+: ))re");
    const QByteArray first = bare(lines.at(std::max<qsizetype>(lines.first(error, 0, at), 0)));
    const qsizetype last = lines.last(next);
    Text thrown;
    if (last <= at || !re2::RE2::PartialMatch(lines.at(last), next, &thrown))
        return Found({first, {}});
    return Found({bare(thrown), first});
}

// --- The error stands above its trace ----------------------------------------------------------------------------------------------------

// Java and its like, Node, .NET, Ruby, Dart: "at", "from" or "#0" begin a frame.
const Expression &frame()
{
    static const Expression compiled(R"re(^\s+at \S|^\s+from \S+:\d+|^#\d+\s+\S|^\S+:\d+:in [`'])re");
    return compiled;
}

// The class of an error begins the line.
const Expression &errorsName()
{
    static const Expression compiled(
        R"re(^(?:(?:\S+ )?Exception in thread "[^"]*" |Unhandled exception\. |(?:error: )?Uncaught (?:\(in promise\) )?)?)re"
        R"re((?:[\w$]+[./:\\]+)*[\w$]*(?:Error|Exception|Throwable|Failure|Fault|Exit|Rejection)\w*)re"
        R"re((?:\$\w+)?(?: \(\d+\)| \[\w+\]| \(0x[0-9A-Fa-f]+\))?(?::|$| --->)|^(?:[a-z]\w*\.)+[A-Z]\w*(?::|$))re");
    return compiled;
}

// The first in a chain of causes, which stands last: Java's "Caused by:", the "--->" of .NET, Node's "[cause]:" and what an AggregateError
// gathered, and Ruby's next error with its own place.
QByteArray causeBelow(const Lines &lines, qsizetype trace)
{
    static const Expression cause(R"re(^(?:(?i:Caused by): |\s*---> |\s+\[?cause\]?: (?:\[)?|\s+\[errors\]: \[)(.*)$)re");
    static const Expression another(R"re(^\s*---> \(Inner Exception #)re");
    static const Expression ruby(R"re(^\S+:\d+:in [`'][^']*': (.*\([A-Z][\w:]*\))$)re");
    QByteArray found;
    Text text;
    for (qsizetype i = std::min<qsizetype>(trace, 1); i < lines.size(); ++i) {
        if (matches(lines.at(i), another))
            break;
        if (re2::RE2::PartialMatch(lines.at(i), cause, &text))
            found = bytes(text.empty() ? lines.at(i + 1) : text);
        else if (i > trace && re2::RE2::PartialMatch(lines.at(i), ruby, &text))
            found = bytes(text);
    }
    while (found.endsWith('{') || found.endsWith(' ') || found.endsWith(']') || found.endsWith(','))
        found.chop(1);
    return found;
}

// Node shows the place first when nobody caught the error. Returns the line below it; 0: there is no place.
qsizetype belowShownPlace(const Lines &lines)
{
    static const Expression place(R"re(^\S+:\d+$)re"), carets(R"re(^\s*\^+$)re");
    const qsizetype at = matches(lines.at(0), place) ? lines.first(carets, 0, std::min<qsizetype>(lines.size(), 8)) : -1;
    return at > 0 && at + 1 < lines.size() ? lines.filled(at + 1) : 0;
}

Found aboveItsTrace(const Lines &lines)
{
    static const Expression anyCause(R"re(^(?i:Caused by): \S|^\s*---> )re"), rubys(R"re(^\S+:\d+:in [`'][^']*': )re");
    qsizetype trace = lines.first(frame(), matches(lines.at(0), rubys) ? 1 : 0);
    if (trace < 0)
        trace = lines.first(anyCause);
    const qsizetype top = belowShownPlace(lines);
    if (trace < 0 && top == 0 && !matches(lines.at(0), rubys))
        return {};
    qsizetype thrown = std::max<qsizetype>(trace - 1, top);
    while (thrown > top && !matches(lines.at(thrown), errorsName()))
        --thrown;
    return Found({bare(lines.at(thrown)), trace < 0 ? QByteArray() : causeBelow(lines, trace)});
}

// A first line that says only that there is an error.
Found belowItsHeading(const Lines &lines)
{
    static const Expression heading(
        R"re(^(?i)(?:(?:an? |the )?(?:unhandled |uncaught |following )?(?:error|exception|failure|stderr|stack ?trace|traceback))re"
        R"re((?: occurred| details?| output| message)?|Execution error .*):?$)re");
    if (lines.size() < 2 || !matches(lines.at(0), heading))
        return {};
    return Found({bare(lines.at(lines.filled(1))), {}});
}

// The old form of .NET has the chain on one line.
void splitChain(TellingLines &found)
{
    const qsizetype at = found.thrown.indexOf(" ---> ");
    if (at <= 0)
        return;
    if (found.cause.isEmpty())
        found.cause = found.thrown.sliced(found.thrown.lastIndexOf(" ---> ") + 6).trimmed();
    found.thrown.truncate(at);
}

// Whether an error quotes its cause, at least the text after the name.
bool says(const QByteArray &thrown, const QByteArray &cause)
{
    constexpr qsizetype text_bytes = 8; // a shorter one may be there by chance
    const QByteArray text = cause.sliced(cause.indexOf(": ") + (cause.contains(": ") ? 2 : 1));
    return thrown.contains(cause) || (text.size() >= text_bytes && thrown.contains(text));
}

} // namespace

TellingLines tellingLines(QByteArrayView message)
{
    const Lines lines(message);
    TellingLines found{bare(lines.at(0)), {}};
    for (const auto look : {belowItsTrace, rust, go, cpp, elixir, php, aboveItsTrace, belowItsHeading}) {
        if (lines.size() < 2 && look != aboveItsTrace)
            continue;
        if (Found is = look(lines); is && !is->thrown.isEmpty()) {
            found = *is;
            break;
        }
    }
    if (lines.size() > 1)
        splitChain(found);
    if (says(found.thrown, found.cause))
        found.cause = {};
    return found;
}

} // namespace junban
