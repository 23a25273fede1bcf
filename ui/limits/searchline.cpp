#include "ui/limits/searchline.h"

#include "core/cel/compile.h"
#include "core/cel/lexer.h"
#include "core/limits/jobvariables.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

namespace junban::ui {

namespace {

bool isJoker(QChar c)
{
    return c == QLatin1Char('*') || c == QLatin1Char('?');
}

struct Word {
    QString text;
    bool quoted = false;
};

// Splits at blanks. A part in double quotes is one word, without them.
QList<Word> wordsOf(const QString &line)
{
    QList<Word> words;
    const qsizetype size = line.size();
    for (qsizetype at = 0; at < size;) {
        if (line[at].isSpace()) {
            ++at;
            continue;
        }
        if (line[at] == QLatin1Char('"')) {
            const qsizetype end = line.indexOf(QLatin1Char('"'), at + 1);
            if (end > at + 1 && (end + 1 == size || line[end + 1].isSpace())) {
                words.append({line.mid(at + 1, end - at - 1), true});
                at = end + 1;
                continue;
            }
        }
        const qsizetype start = at;
        while (at < size && !line[at].isSpace())
            ++at;
        words.append({line.mid(start, at - start), false});
    }
    return words;
}

// Whether a word looks like a pattern of a name and not like a part of a sentence or of an error: "why?", "*ptr)", "*".
bool isNamePattern(const Word &word, bool alone)
{
    static const QRegularExpression pattern(QStringLiteral("^[\\p{L}\\p{M}\\p{N}._:/@#*?-]*[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}._:/@#*?-]*$"),
                                            QRegularExpression::UseUnicodePropertiesOption);
    if (word.quoted || !hasJoker(word.text) || !pattern.match(word.text).hasMatch())
        return false;
    return alone || std::any_of(word.text.begin(), word.text.end() - 1, isJoker) || word.text.endsWith(QLatin1Char('*'));
}

// Whether the variable `job` is read somewhere.
bool readsJob(const QByteArray &line)
{
    cel::Lexer lexer(line);
    bool job = false;
    for (auto token = lexer.next(); token && token->kind != cel::TokenKind::End; token = lexer.next()) {
        if (job && (token->is(".") || token->is("[")))
            return true;
        job = token->isWord("job");
    }
    return false;
}

bool isExpression(const QString &line, Searched searched)
{
    const QByteArray text = line.toUtf8();
    if (!readsJob(text))
        return false;
    const cel::Environment environment = searched == Searched::Jobs ? cel::searchEnvironment() : cel::groupEnvironment();
    if (cel::compile(text, environment, cel::Mode::Checked, cel::Wanted::Boolean).program)
        return true;
    static const QRegularExpression path(QStringLiteral("^job[\\w.:/-]*$"));
    if (path.match(line).hasMatch())
        return false; // a name such as job.nightly, or the first half of an expression
    // What can be parsed, but has another type or an unknown name.
    if (cel::compile(text, environment, cel::Mode::Lenient, cel::Wanted::Any).program)
        return true;
    static const QRegularExpression start(QStringLiteral(
        "^[!(\\s-]*(\\w+\\(\\s*job\\s*[.\\[]|job(\\.\\w+|\\[[^\\]]*\\])+\\s*([=!<>&|?(+*/%-]|in\\b))"));
    return start.match(line).hasMatch();
}

// For the words in the list `words` of an expression.
const char *const inJobs =
    "job.name.contains(word) || has(job.message) && job.message.contains(word) || word in job.tags || job.id.startsWith(word)"
    " || type(job.argument) == string && job.argument.contains(word)"
    " || job.argument.exists(key, string(key).contains(word) || string(job.argument[key]).contains(word))";
const char *const inFailures =
    "job.name.contains(word) || has(job.message) && job.message.contains(word) || has(job.worker) && job.worker.contains(word)";

} // namespace

QByteArray quotedText(QByteArray text)
{
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t");
    return '"' + text + '"';
}

bool hasJoker(const QString &text)
{
    return std::any_of(text.begin(), text.end(), isJoker);
}

QByteArray namePattern(const QString &pattern)
{
    const auto condition = [](const char *function, const QString &text) {
        return "job.name." + QByteArray(function) + '(' + quotedText(text.toUtf8()) + ')';
    };
    if (!hasJoker(pattern))
        return "job.name == " + quotedText(pattern.toUtf8());
    const bool open = pattern.startsWith(QLatin1Char('*')), goesOn = pattern.endsWith(QLatin1Char('*'));
    const QString inner = pattern.mid(open, std::max<qsizetype>(0, pattern.size() - open - goesOn));
    if (!hasJoker(inner))
        return condition(open && goesOn ? "contains" : open ? "endsWith" : "startsWith", inner);
    QString expression;
    for (const QChar c : pattern) {
        if (isJoker(c)) {
            expression += c == QLatin1Char('*') ? QLatin1String(".*") : QLatin1String(".");
        } else {
            // RE2 refuses a backslash before a letter of any script.
            if (QLatin1String("\\.+()[]{}|^$").contains(c))
                expression += QLatin1Char('\\');
            expression += c;
        }
    }
    return condition("matches", QLatin1Char('^') + expression + QLatin1Char('$'));
}

Meant meantBy(const QString &line, Searched searched)
{
    const QString text = line.trimmed();
    if (text.isEmpty())
        return Meant::Nothing;
    if (isExpression(text, searched))
        return Meant::Expression;
    const QList<Word> words = wordsOf(text);
    const auto isPattern = [&words](const Word &word) { return isNamePattern(word, words.size() == 1); };
    return std::any_of(words.begin(), words.end(), isPattern) ? Meant::Pattern : Meant::Text;
}

QByteArray searchExpression(const QString &line, Meant meant, Searched searched)
{
    const QString text = line.trimmed();
    if (text.isEmpty() || meant == Meant::Nothing)
        return {};
    if (meant == Meant::Expression)
        return text.toUtf8();
    QByteArrayList conditions, words;
    for (const Word &word : wordsOf(text)) {
        if (meant == Meant::Pattern && !word.quoted && hasJoker(word.text))
            conditions.append(namePattern(word.text));
        else if (const QByteArray quoted = quotedText(word.text.toUtf8()); !words.contains(quoted))
            words.append(quoted);
    }
    if (!words.isEmpty())
        conditions.append('[' + words.join(", ") + "].all(word, " + (searched == Searched::Jobs ? inJobs : inFailures) + ')');
    return conditions.join(" && ");
}

QByteArray bothOf(const QByteArray &one, const QByteArray &other)
{
    return one.isEmpty() ? other : other.isEmpty() ? one : '(' + one + ") && (" + other + ')';
}

} // namespace junban::ui
