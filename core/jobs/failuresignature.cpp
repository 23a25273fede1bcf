#include "core/jobs/failuresignature.h"

#include "core/jobs/expression.h"
#include "core/jobs/tellinglines.h"
#include "core/limits.h"

#include <algorithm>
#include <array>

namespace junban {

namespace {

constexpr qsizetype looked_at_bytes = 2 * 1024; // of a line, enough for limits::failure_title_chars_max
constexpr int cause_chars_max = limits::failure_title_chars_max / 2;
constexpr size_t context_bytes = 64;            // around a number, to see whether it is a code

// What a match is. A placeholder replaces the whole of it; the functions below decide about the others.
enum class What { Keep, Quoted, Labelled, Placeholder, Pointer, Host, Word, Number };

// One alternative for each kind. The leftmost match wins, and of those the first kind. Some patterns also match the byte before the text to
// be replaced, as RE2 has no look-behind; `keepsBefore` says that this byte is kept.
struct Kind {
    What what;
    const char *placeholder;
    const char *pattern;
    bool keepsBefore = false;
};
constexpr std::array kinds{
    // Codes with a form of their own: SQLSTATEs, codes of Oracle, Db2, MongoDB and Microsoft Entra, SMTP replies with an enhanced
    // status; and 3-D, which counts nothing.
    Kind{What::Keep, "",
        R"re((?i:\bsqlstate)[\s:=]*[\[(]?[0-9A-Z]{5}\b[\])]?(?:\s*\[\d{1,5}\])?|\b(?i:error) \d{1,5} \([0-9A-Z]{5}\))re"
        R"re(|\bERROR [0-9A-Z]{5} \([a-z_]+\)|\bE1100\d\b)re"
        R"re(|\b(?:ORA|TNS|PLS|DPY|DPI|RMAN|OCI|SQL|JZ)-\d{3,5}\b|\bSQL\d{4,5}[NCW]\b|\bAADSTS\d{5,7}\b)re"
        R"re(|\b[245]\d\d[ \-]#?[245]\.\d{1,3}\.\d{1,3}\b|\b[23]-?D\b)re"},
    Kind{What::Labelled, "<id>",
        R"re((?i)\b((?:(?:s3 )?extended[ _-]?)?(?:request|trace|correlation|host|session|transaction)[ _-]?id["']?\s?[:=]?\s?["']?))re"
        R"re(([A-Za-z0-9+/=_\-]*[0-9+/][A-Za-z0-9+/=_\-]*))re"},
    Kind{What::Quoted, "<text>", R"re("[^"]*"|`[^`']*`|“[^”]*”|「[^」]*」)re"},
    Kind{What::Quoted, "<text>", R"re((?:^|[\s=(\[{,:])'[^']*')re", true},
    Kind{What::Placeholder, "<url>", R"re([A-Za-z][A-Za-z0-9+.\-]*://[^\s"'<>)\]}]+)re"},
    Kind{What::Placeholder, "<address>", R"re(\b[A-Za-z0-9._%+\-]+@[A-Za-z0-9](?:[A-Za-z0-9.\-]*[A-Za-z0-9])?)re"},
    Kind{What::Placeholder, "<id>", R"re(\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b)re"},
    Kind{What::Pointer, "<id>", R"re(\b0[xX][0-9a-fA-F]+\b)re"},
    Kind{What::Placeholder, "<time>",
        R"re(\b\d{4}[\-/]\d{2}[\-/]\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?(?:Z\b|UTC\b|[+\-]\d{2}:?\d{2}))?)?)re"
        R"re(|\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{4})re"
        R"re((?: \d{2}:\d{2}(?::\d{2})?(?: (?:GMT|UTC|[+\-]\d{4}))?)?|\b\d{2}:\d{2}:\d{2}(?:[.,]\d+)?\b)re"},
    Kind{What::Placeholder, "<ip>",
        R"re(\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b|\[[0-9a-fA-F:.]*:[0-9a-fA-F:.]*\](?::\d{1,5})?)re"
        R"re(|\b(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}\b|\b(?:[0-9a-fA-F]{1,4}:)+(?::[0-9a-fA-F]{1,4})+\b)re"},
    // Also a pod of Kubernetes, whose last two parts are random; then a name without dots before a port.
    Kind{What::Host, "<host>",
        R"re(\blocalhost(?::\d{1,5})?\b|\b(?:[a-z0-9](?:[a-z0-9\-]*[a-z0-9])?\.)+)re"
        R"re((?:com|net|org|io|dev|app|cloud|info|biz|edu|gov|mil|int|arpa|local|lan|home|internal|intranet|corp|example|test)re"
        R"re(|invalid|svc|[a-z0-9\-]*[a-z0-9]\.[a-z]{2})(?::\d{1,5})?\b)re"
        R"re(|\b[a-z][a-z0-9]*(?:-[a-z0-9]+)*-[bcdfghjklmnpqrstvwxz2456789]{6,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b)re"},
    Kind{What::Placeholder, "<host>", R"re((?:^|[\s=(\[{,])[a-z][a-z0-9]+(?:-[a-z0-9]+)*:\d{4,5}\b)re", true},
    Kind{What::Placeholder, "<path>",
        R"re((?:^|[\s=(\[{,:])(?:[A-Za-z]:\\[^\s"',;:)\]}]+|(?:~|\.{1,2})?/[^\s"',;:()\[\]{}]+))re", true},
    // An id after a prefix, as cus_NffrFeUfNV2Hib.
    Kind{What::Placeholder, "<n>", R"re(\b[a-z]{2,8}_[A-Za-z0-9]*[A-Z0-9][A-Za-z0-9]{7,}\b)re"},
    Kind{What::Placeholder, "<n>", R"re(\b\d+(?:[.,]\d+)*[eE][+\-]?\d+\b)re"},
    Kind{What::Word, "<n>", R"re(\b(?:[A-Za-z]+\d|\d+(?:[.,]\d+)*[A-Za-zµμ])[A-Za-z0-9]*(?:\.\d[A-Za-z0-9]*)*\b)re"},
    Kind{What::Number, "<n>", R"re(\d+(?:[.,]\d+)*(?:[eE][+\-]?\d+)?)re"},
};

const Expression &pattern()
{
    static const Expression compiled([] {
        std::string all;
        for (const Kind &kind : kinds)
            all += std::string(all.empty() ? "(" : "|(") + kind.pattern + ')';
        return all;
    }());
    return compiled;
}

// --- What tells causes apart -------------------------------------------------------------------------------------------------------------

// Before a number: what makes it a code whatever it is.
const Expression &beforeCode()
{
    static const Expression compiled(
        R"re((?i)(?:\bhttp(?:/\d(?:\.\d)?)?|\b(?:http[ _\-]?)?status(?:[ _\-]?code)?|\berrno|\berrnum|\bwinerror|\bsqlstate|\bsqlcode)re"
        R"re(|\bhresult|\bsignal|\bexit(?:ed)?(?: with)?(?: (?:status|code))?|\bmsg|\bcurl|\bcurl error|\bresponse|\breply)re"
        R"re(|\b(?:sql|err|error|return|reply|result|response|exit|vendor|native|http|os|socket)[ _\-]?(?:code|number|error))re"
        R"re(|(?:^|\b(?:with|by|failed|and|the|an|a)\s|[^\w\s]\s?|[:;,] )code)["']?\s?[:=#]?\s?[\[("']?-?$)re");
    return compiled;
}
// The class of an error, and then the number as its first value: ConnectionResetError(104, …), Error 1062, [Errno 111].
const Expression &beforeErrorsNumber()
{
    static const Expression compiled(R"re((?i)(?:\w*error|\w*exception|\berr)\s?(?:[#(\[=]|\s)\s?-?$)re");
    return compiled;
}
// IntegrityError: (1062, "Duplicate entry …")
const Expression &beforeTuple()
{
    static const Expression compiled(R"re((?i)(?:\w*error|\w*exception): \($)re");
    return compiled;
}
// After that: a text.
const Expression &afterTuple()
{
    static const Expression compiled(R"re(^,\s?(?:b?["']|<text>))re");
    return compiled;
}
// Before a number of three digits: what makes it a status.
const Expression &beforeStatus()
{
    static const Expression compiled(
        R"re((?i)\b(?:returned|got|received|with|unexpected|server|failed|answered|gave|replied|responded)re"
        R"re(|expected|expecting|want|not|occurred))re"
        R"re((?:\s(?:a|an|with|http))?\s?[:=]?\s?[(\[<"'`]?$)re");
    return compiled;
}
// After a status: the phrase that belongs to it.
const Expression &afterStatus()
{
    static const Expression compiled(
        R"re((?i)^["')\]]?[ :\-]{1,3}["'(\[]?(?:continue|switching protocols|ok\b|created\b|accepted\b|no content)re"
        R"re(|moved|found\b|see other)re"
        R"re(|not modified|temporary redirect|permanent redirect|bad request|unauthori[sz]ed|payment required|forbidden|not found)re"
        R"re(|method not allowed|not acceptable|proxy auth|request time-?out|conflict\b|gone\b|length required|precondition)re"
        R"re(|(?:payload|content|request entity|entity|request body) too large|uri too long|unsupported media|range not|expectation)re"
        R"re(|misdirected|unprocessable|locked\b|failed dependency|too early|upgrade required|too many requests|request header)re"
        R"re(|unavailable for legal|internal server error|not implemented|bad gateway|service (?:temporarily )?unavailable)re"
        R"re(|gateway time-?out|http version|insufficient storage|loop detected|network auth|client error|server error|slow down))re");
    return compiled;
}
// At the beginning of a text, as SMTP and gRPC reply: 550 Mailbox unavailable; 14 UNAVAILABLE:
const Expression &beforeReply()
{
    static const Expression compiled(R"re((?:^|: |\bsaid )["']?$)re");
    return compiled;
}
const Expression &afterSmtpReply()
{
    static const Expression compiled(R"re(^[ \-](?:[245]\.\d+\.\d+|[A-Z<]|(?:mailbox|relay|no such|user unknown|recipient|sender|domain)re"
        R"re(|transaction|requested (?:mail )?action|authentication|access denied|message (?:rejected|refused|content)|rejected)re"
        R"re(|blocked|greylist|service (?:closing|not)|too many (?:connections|recipients)|must issue|command not|syntax error)re"
        R"re(|spam)\b))re");
    return compiled;
}
const Expression &afterSmtpTuple()
{
    static const Expression compiled(R"re(^,\s?b?["']#?[245]\.\d{1,3}\.\d)re");
    return compiled;
}
const Expression &afterGrpcReply()
{
    static const Expression compiled(R"re(^ [A-Z_]{4,}:)re");
    return compiled;
}
// Connection refused (111)
const Expression &beforeErrnoInBrackets()
{
    static const Expression compiled(
        R"re((?i)(?:refused|timed out|denied|pipe|by peer|unreachable|in use|exists?|directory|aborted|on device|not permitted) \($)re");
    return compiled;
}
// After the SQLSTATE: the driver's own number, as in "SQLSTATE[23000]: Integrity constraint violation: 1062 Duplicate entry".
const Expression &beforeDriversNumber()
{
    static const Expression compiled(R"re((?i)sqlstate.*: $)re");
    return compiled;
}
// A number that counts something, whatever is before it.
const Expression &afterCount()
{
    static const Expression compiled(
        R"re((?i)^(?:%|/| ?of\b| ?x\b| ?ms\b| ?s\b|(?: more| other| out)? (?:of|rows?|items?|results?|records?)re"
        R"re(|bytes?|times?|attempts?|tries)re"
        R"re(|retries|seconds?|milliseconds?|minutes?|hours?|days?|jobs?|messages?|files?|lines?|users?|errors?|requests?|ms|sec)\b))re");
    return compiled;
}
const Expression &enhancedStatus()
{
    static const Expression compiled(R"re(^[245]\.\d{1,3}\.\d{1,3}$)re");
    return compiled;
}
const Expression &beforeEnhancedStatus()
{
    static const Expression compiled(R"re((?:\b[245]\d\d.{0,8}|[#=]\s?|(?i:dsn|status)\W{1,2})$)re");
    return compiled;
}

struct Context {
    re2::StringPiece before, after; // at most context_bytes each
};

bool isStatus(re2::StringPiece number)
{
    return number.size() == 3 && number[0] >= '1' && number[0] <= '5';
}

// Whether a number, found where it is, tells causes apart: a status, an errno, the number of an error. It then stays.
bool isCode(re2::StringPiece number, const Context &context)
{
    if (matches(number, enhancedStatus()))
        return matches(context.before, beforeEnhancedStatus());
    const bool plain = std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!plain || number.size() > 5 || matches(context.after, afterCount()))
        return false;
    if (matches(context.before, beforeCode()) || matches(context.before, beforeErrorsNumber())
        || matches(context.before, beforeErrnoInBrackets()))
        return true;
    if (matches(context.before, beforeTuple()) && matches(context.after, afterTuple()))
        return true;
    if (number.size() == 4 && matches(context.before, beforeDriversNumber()))
        return true;
    if (matches(context.before, beforeReply())
        && ((isStatus(number) && number[0] != '1' && matches(context.after, afterSmtpReply()))
            || (number.size() <= 2 && matches(context.after, afterGrpcReply()))))
        return true;
    return isStatus(number)
        && (matches(context.before, beforeStatus()) || matches(context.after, afterStatus()) || matches(context.after, afterSmtpTuple()));
}

// Whether a pointer-like number is an HRESULT or another code.
bool isHexCode(const Context &context)
{
    static const Expression before(R"re((?i)(?:hresult|error|code|exception|status)[ :=(]{0,3}$)re");
    return matches(context.before, before);
}

// Whether what looks like a host goes on as the name of a class, as java.io.IOException does.
bool isPackage(const Context &context)
{
    static const Expression goesOn(R"re(^\.[A-Za-z])re");
    return matches(context.after, goesOn);
}

// Whether a quoted text is an error's own name or status.
bool isErrorsName(re2::StringPiece quoted)
{
    static const Expression name(
        R"re(^[^\w]*(?:[1-5]\d\d [A-Z][A-Za-z' \-]*|E[A-Z]{3,}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)re"
        R"re(|[a-z]+(?:_[a-z]+)*_(?:error|exceeded|failed|denied)re"
        R"re(|exhausted|not_found|timeout|violation|invalid)|(?:\w+(?:\.|::|\\))*[A-Z]\w*(?:Error|Exception|Fault|Failure)re"
        R"re(|Violation|Denied)re"
        R"re(|NotFound|Timeout))[^\w]*$)re");
    return matches(quoted, name);
}

// --- Words with digits -------------------------------------------------------------------------------------------------------------------

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// Names of techniques, which say something.
bool isTechnicalTerm(re2::StringPiece word)
{
    static const Expression term(
        R"re((?i)^(?:utf(?:8|16|32)|utf8mb[34]|sha(?:1|224|256|384|512)|md5|base(?:32|58|64)|ipv[46]|http[123]|h[23]|tlsv?1(?:\.[0-3])?)re"
        R"re(|sslv?[23]|x509|win32|oauth[12]|s3|ec2|k8s|u?int(?:8|16|32|64|128)|float(?:16|32|64)|[iuf](?:8|16|32|64)|latin1|log4j)re"
        R"re(|python[23]|amqp0|mp[34]|h26[45]|p12|pkcs\d{1,2}|rs(?:256|384|512)|hs(?:256|384|512))$)re");
    return matches(word, term);
}

// An amount with its unit: 30s, 1m30.5s, 12MB.
bool isAmount(re2::StringPiece word)
{
    static const Expression amount(
        R"re(^(?:(?:\d+(?:[.,]\d+)*(?:ns|us|µs|μs|ms|s|m|h|d))+|\d+(?:[.,]\d+)*(?:[KMGT]i?B?|k|kB|B|x|px|th|nd|rd|st))$)re");
    return matches(word, amount);
}

// Whether a word is a number or an id: hexadecimal, or digits and letters in turns.
bool isRandom(re2::StringPiece word)
{
    if (word.size() < 8)
        return false;
    const bool hex = std::all_of(word.begin(), word.end(),
        [](char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); });
    int turns = 0;
    for (size_t i = 1; i < word.size(); ++i)
        turns += isDigit(word[i]) != isDigit(word[i - 1]);
    return hex || turns >= 3;
}

QByteArray withoutDigits(re2::StringPiece word)
{
    QByteArray out;
    for (size_t i = 0; i < word.size(); ++i) {
        if (!isDigit(word[i]))
            out.append(word[i]);
        else if (i == 0 || !isDigit(word[i - 1]))
            out.append("<n>");
    }
    return out;
}

QByteArray wordWithDigits(re2::StringPiece word, const Context &context)
{
    static const Expression openSsl(R"re((?i)\berror:$)re");
    const bool kept = isTechnicalTerm(word)
        || (word.size() == 8 && !context.after.empty() && context.after[0] == ':' && matches(context.before, openSsl));
    if (kept)
        return QByteArray(word.data(), qsizetype(word.size()));
    return isAmount(word) || isRandom(word) ? QByteArray("<n>") : withoutDigits(word);
}

// --- Texts -------------------------------------------------------------------------------------------------------------------------------

bool isContinuation(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

// The first `bytes` bytes, or fewer, so that no character is cut.
QByteArrayView cutBytes(QByteArrayView text, qsizetype bytes)
{
    if (text.size() <= bytes)
        return text;
    while (bytes > 0 && isContinuation(text[bytes]))
        --bytes;
    return text.first(bytes);
}

QByteArray cutCharacters(QByteArray text, int characters_max)
{
    int characters = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (!isContinuation(text[i]) && ++characters > characters_max) {
            text.truncate(i);
            break;
        }
    }
    return text;
}

// A sign belongs to its number: -3 and 3 are one.
void dropSign(QByteArray &title)
{
    constexpr QByteArrayView befores = " \t=([{,:";
    if (title.endsWith('-') && (title.size() == 1 || befores.contains(title[title.size() - 2])))
        title.chop(1);
}

// "1 attempt" and "3 attempts" are one.
QByteArray inThePlural(QByteArray title)
{
    static const Expression singular(
        R"re(<n> (second|millisecond|minute|hour|day|byte|attempt|time|item|row|file|error|request|failure|record|message)re"
        R"re(|job|connection|retry)\b)re");
    std::string text(title.constData(), size_t(title.size()));
    if (!re2::RE2::GlobalReplace(&text, singular, R"(<n> \1s)"))
        return title;
    return QByteArray::fromStdString(text).replace("<n> retrys", "<n> retries");
}

// Whether a quoted text is the name of a key, an attribute or a method that the program wanted and did not find: two of them are two
// faults.
bool isNameInCode(re2::StringPiece quoted, const Context &context)
{
    static const Expression before(
        R"re((?:\bKeyError:|\bno attribute|\((?:reading|setting|evaluating))re"
        R"re(|\b(?:[Nn]o module named|cannot import name|Cannot find module))re"
        R"re(|\b[Uu]ndefined (?:array key|index|variable|property|offset|constant|method|function|local variable or method):?)re"
        R"re(|\b(?:The given key|NameError: name|local variable|[Cc]annot read property|keyword argument|positional arguments?:)) ?$)re");
    static const Expression after(R"re(^ object (?:has no|is not|does not)\b)re");
    static const Expression name(R"re(^.[A-Za-z_][A-Za-z0-9_\-<>]{0,62}[?!=]?.$)re");
    return (matches(context.before, before) || matches(context.after, after)) && matches(quoted, name)
        && !isRandom(quoted.substr(1, quoted.size() - 2));
}

// What stands in the title for a match, without the byte before it that is kept.
QByteArray replaced(const Kind &kind, re2::StringPiece match, re2::StringPiece label, const Context &context)
{
    const auto asItIs = [](re2::StringPiece text) { return QByteArray(text.data(), qsizetype(text.size())); };
    switch (kind.what) {
    case What::Keep: return asItIs(match);
    case What::Labelled: return asItIs(label) + kind.placeholder;
    case What::Quoted:
        if (isNameInCode(match, context))
            return withoutDigits(match);
        return isErrorsName(match) ? asItIs(match) : QByteArray(kind.placeholder);
    case What::Pointer: return isHexCode(context) ? asItIs(match) : QByteArray(kind.placeholder);
    case What::Host: return isPackage(context) ? withoutDigits(match) : QByteArray(kind.placeholder);
    case What::Word: return wordWithDigits(match, context);
    case What::Number: return isCode(match, context) ? asItIs(match) : QByteArray(kind.placeholder);
    case What::Placeholder: break;
    }
    return kind.placeholder;
}

// One line with placeholders. Not cut to its final length.
QByteArray normalised(QByteArrayView whole)
{
    const QByteArrayView line = cutBytes(whole, looked_at_bytes);
    const re2::StringPiece text(line.data(), size_t(line.size()));
    std::array<re2::StringPiece, kinds.size() + 3> groups; // the whole, one for each kind, and two within `Labelled`
    QByteArray title;
    size_t at = 0;
    constexpr qsizetype enough_bytes = 4 * limits::failure_title_chars_max; // the rest would be cut
    while (title.size() < enough_bytes && at <= text.size()
        && pattern().Match(text, at, text.size(), re2::RE2::UNANCHORED, groups.data(), int(groups.size()))) {
        const auto start = size_t(groups[0].data() - text.data()), end = start + groups[0].size();
        title.append(line.data() + at, qsizetype(start - at));
        size_t group = 1;
        for (const Kind &kind : kinds) {
            const bool labelled = kind.what == What::Labelled;
            if (groups[group].data() != nullptr) {
                re2::StringPiece match = groups[0];
                constexpr QByteArrayView befores = " \t\f\v=([{,:"; // one byte precedes the text, or none at the start of the line
                if (kind.keepsBefore && befores.contains(match[0])) {
                    title.append(match[0]);
                    match.remove_prefix(1);
                }
                const size_t from = start > context_bytes ? start - context_bytes : 0;
                const Context context{text.substr(from, start - from), text.substr(end, context_bytes)};
                const QByteArray out = replaced(kind, match, labelled ? groups[group + 1] : re2::StringPiece(), context);
                if (out == "<n>")
                    dropSign(title);
                title.append(out);
                break;
            }
            group += labelled ? 3 : 1;
        }
        at = end;
    }
    if (at < text.size())
        title.append(line.data() + at, qsizetype(text.size() - at));
    return inThePlural(std::move(title));
}

} // namespace

QByteArray normalisedFailure(QByteArrayView message)
{
    const TellingLines lines = tellingLines(message);
    QByteArray title = normalised(lines.thrown);
    if (!lines.cause.isEmpty()) {
        const QByteArray cause = " (caused by " + cutCharacters(normalised(lines.cause), cause_chars_max) + ')';
        const auto characters = qsizetype(std::count_if(cause.begin(), cause.end(), [](char c) { return !isContinuation(c); }));
        title = cutCharacters(std::move(title), limits::failure_title_chars_max - int(characters)) + cause;
    }
    return cutCharacters(std::move(title), limits::failure_title_chars_max);
}

QByteArray headedFailure(const QByteArray &message)
{
    const QByteArrayView trimmed = QByteArrayView(message).trimmed();
    if (!trimmed.contains('\n'))
        return message;
    const QByteArray thrown = tellingLines(trimmed).thrown;
    return trimmed.startsWith(thrown) ? message : thrown + '\n' + message;
}

} // namespace junban
