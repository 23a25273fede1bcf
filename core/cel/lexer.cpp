#include "core/cel/lexer.h"

#include "core/base/reasons/cel.h"
#include "core/cel/numbers.h"

#include <charconv>

namespace junban::cel {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

int hexDigit(char c)
{
    if (isDigit(c))
        return c - '0';
    const char lower = char(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

void appendCodePoint(QByteArray &out, quint32 code)
{
    if (code < 0x80) {
        out += char(code);
    } else if (code < 0x800) {
        (out += char(0xc0 | (code >> 6))) += char(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        ((out += char(0xe0 | (code >> 12))) += char(0x80 | ((code >> 6) & 0x3f))) += char(0x80 | (code & 0x3f));
    } else {
        ((out += char(0xf0 | (code >> 18))) += char(0x80 | ((code >> 12) & 0x3f))) += char(0x80 | ((code >> 6) & 0x3f));
        out += char(0x80 | (code & 0x3f));
    }
}

} // namespace

Problem problemAt(QByteArrayView text, qsizetype offset, qsizetype length, Reason reason)
{
    Problem problem{1, 1, int(offset), int(length), std::move(reason)};
    for (qsizetype i = 0; i < offset && i < text.size(); ++i) {
        if (text[i] == '\n') {
            ++problem.line;
            problem.column = 1;
        } else if ((quint8(text[i]) & 0xc0) != 0x80) { // only the first byte of a character counts
            ++problem.column;
        }
    }
    return problem;
}

std::nullopt_t Lexer::fail(qsizetype offset, qsizetype length, Reason reason)
{
    m_problem = problemAt(m_text, offset, qMin(length, m_text.size() - offset), std::move(reason));
    return std::nullopt;
}

void Lexer::skipBlanks()
{
    while (m_at < m_text.size()) {
        const char c = m_text[m_at];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
            ++m_at;
        } else if (c == '/' && at(m_at + 1) == '/') {
            while (m_at < m_text.size() && m_text[m_at] != '\n' && m_text[m_at] != '\r')
                ++m_at;
        } else {
            return;
        }
    }
}

std::optional<Token> Lexer::next()
{
    skipBlanks();
    m_start = m_at;
    if (m_at >= m_text.size())
        return Token{TokenKind::End, m_at, 0, {}};
    const char c = m_text[m_at];
    std::optional<Token> token;
    if (isDigit(c) || (c == '.' && isDigit(at(m_at + 1))))
        token = number();
    else if (isLetter(c))
        token = word();
    else if (c == '"' || c == '\'')
        token = string(false, false);
    else if (c == '`')
        token = quoted();
    else
        token = symbol();
    if (token) {
        token->offset = m_start;
        token->length = m_at - m_start;
    }
    return token;
}

std::optional<Token> Lexer::number()
{
    Token token;
    const auto suffix = [&] {
        token.kind = TokenKind::Int;
        if (at(m_at) == 'u' || at(m_at) == 'U') {
            token.kind = TokenKind::UInt;
            ++m_at;
        }
    };
    const auto whole = [&](qsizetype from, int base) {
        const auto [end, fault] = std::from_chars(m_text.data() + from, m_text.data() + m_at, token.number, base);
        return fault == std::errc() && end == m_text.data() + m_at;
    };
    if (m_text[m_at] == '0' && (at(m_at + 1) == 'x' || at(m_at + 1) == 'X') && hexDigit(at(m_at + 2)) >= 0) {
        m_at += 2;
        while (hexDigit(at(m_at)) >= 0)
            ++m_at;
        if (!whole(m_start + 2, 16))
            return fail(m_start, m_at - m_start, reasons::expressionIntegerTooLarge());
        suffix();
    } else {
        bool real = false;
        while (isDigit(at(m_at)))
            ++m_at;
        if (at(m_at) == '.' && isDigit(at(m_at + 1))) {
            real = true;
            for (++m_at; isDigit(at(m_at));)
                ++m_at;
        }
        const bool exponent = at(m_at) == 'e' || at(m_at) == 'E';
        const qsizetype digits = m_at + 1 + (at(m_at + 1) == '+' || at(m_at + 1) == '-');
        if (exponent && isDigit(at(digits))) {
            real = true;
            for (m_at = digits; isDigit(at(m_at));)
                ++m_at;
        }
        if (real) {
            token.kind = TokenKind::Double;
            const auto value = parseReal(m_text.sliced(m_start, m_at - m_start));
            if (!value)
                return fail(m_start, m_at - m_start, reasons::expressionNumberTooLarge());
            token.real = *value;
        } else {
            if (!whole(m_start, 10))
                return fail(m_start, m_at - m_start, reasons::expressionIntegerTooLarge());
            suffix();
        }
    }
    if (isLetter(at(m_at)))
        return fail(m_start, m_at - m_start + 1, reasons::expressionLetterAfterNumber());
    return token;
}

std::optional<Token> Lexer::word()
{
    while (isLetter(at(m_at)) || isDigit(at(m_at)))
        ++m_at;
    const QByteArrayView text = m_text.sliced(m_start, m_at - m_start);
    if (at(m_at) == '"' || at(m_at) == '\'') {
        bool raw = false;
        bool bytes = false;
        bool prefix = text.size() <= 2;
        for (const char c : text) {
            const char lower = char(c | 0x20);
            prefix = prefix && ((lower == 'r' && !raw) || (lower == 'b' && !bytes && !raw));
            raw = raw || lower == 'r';
            bytes = bytes || lower == 'b';
        }
        if (prefix)
            return string(raw, bytes);
    }
    Token token;
    token.kind = TokenKind::Identifier;
    token.text = text.toByteArray();
    return token;
}

std::optional<Token> Lexer::quoted()
{
    for (++m_at; m_at < m_text.size() && m_text[m_at] != '`'; ++m_at) {
        const char c = m_text[m_at];
        if (!isLetter(c) && !isDigit(c) && c != '.' && c != '-' && c != '/' && c != ' ')
            return fail(m_at, 1, reasons::expressionBadBackquotedName());
    }
    if (m_at >= m_text.size())
        return fail(m_start, m_at - m_start, reasons::expressionUnclosedBackquote());
    Token token;
    token.kind = TokenKind::Quoted;
    token.text = m_text.sliced(m_start + 1, m_at - m_start - 1).toByteArray();
    ++m_at;
    if (token.text.isEmpty())
        return fail(m_start, 2, reasons::expressionEmptyBackquotes());
    return token;
}

std::optional<Token> Lexer::string(bool raw, bool bytes)
{
    const char quote = m_text[m_at];
    const bool triple = at(m_at + 1) == quote && at(m_at + 2) == quote;
    m_at += triple ? 3 : 1;
    Token token;
    token.kind = bytes ? TokenKind::Bytes : TokenKind::String;
    while (true) {
        if (m_at >= m_text.size())
            return fail(m_start, m_at - m_start, reasons::expressionUnclosedQuote());
        const char c = m_text[m_at];
        if (c == quote && (!triple || (at(m_at + 1) == quote && at(m_at + 2) == quote))) {
            m_at += triple ? 3 : 1;
            return token;
        }
        if (!triple && (c == '\n' || c == '\r'))
            return fail(m_start, m_at - m_start, reasons::expressionUnclosedLine());
        ++m_at;
        if (raw || c != '\\') {
            token.text += c;
        } else if (m_at < m_text.size() && !escape(token.text, bytes)) {
            return {};
        }
    }
}

std::optional<quint32> Lexer::hexadecimal(int digits)
{
    quint32 code = 0;
    for (int i = 0; i < digits; ++i, ++m_at) {
        const int digit = hexDigit(at(m_at));
        if (digit < 0)
            return {};
        code = code << 4 | quint32(digit);
    }
    return code;
}

bool Lexer::escape(QByteArray &content, bool bytes)
{
    static constexpr char letters[] = "abfnrtv\\?\"'`";
    static constexpr char meanings[] = "\a\b\f\n\r\t\v\\?\"'`";
    const qsizetype start = m_at - 1;
    const auto refuse = [&](Reason reason) {
        fail(start, m_at - start, std::move(reason));
        return false;
    };
    const auto put = [&](quint32 code) {
        if (bytes)
            content += char(code);
        else
            appendCodePoint(content, code);
        return true;
    };
    const char c = at(m_at++);
    for (int i = 0; letters[i]; ++i) {
        if (c == letters[i]) {
            content += meanings[i];
            return true;
        }
    }
    if (c >= '0' && c <= '3' && at(m_at) >= '0' && at(m_at) <= '7' && at(m_at + 1) >= '0' && at(m_at + 1) <= '7') {
        m_at += 2;
        return put(quint32((c - '0') << 6 | (m_text[m_at - 2] - '0') << 3 | (m_text[m_at - 1] - '0')));
    }
    if (c == 'x' || c == 'X') {
        const auto code = hexadecimal(2);
        return code ? put(*code) : refuse(reasons::expressionBadHexEscape());
    }
    if (c == 'u' || c == 'U') {
        if (bytes)
            return refuse(reasons::expressionUnicodeEscapeInBytes());
        auto code = hexadecimal(c == 'u' ? 4 : 8);
        if (!code)
            return refuse(c == 'u' ? reasons::expressionBadShortEscape() : reasons::expressionBadLongEscape());
        if (c == 'u' && *code >= 0xd800 && *code <= 0xdbff && at(m_at) == '\\' && at(m_at + 1) == 'u') {
            m_at += 2;
            const auto low = hexadecimal(4);
            if (!low || *low < 0xdc00 || *low > 0xdfff)
                return refuse(reasons::expressionLoneSurrogate());
            code = 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00);
        }
        if (*code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff))
            return refuse(reasons::expressionBadCharacter());
        return put(*code);
    }
    return refuse(reasons::expressionUnknownEscape());
}

std::optional<Token> Lexer::symbol()
{
    static constexpr const char *symbols[] = {"&&", "||", "==", "!=", "<=", ">=", "(", ")", "[", "]", "{", "}", ".", ",", ":", "?", "<",
        ">", "+", "-", "*", "/", "%", "!"};
    const QByteArrayView rest = m_text.sliced(m_at);
    for (const char *candidate : symbols) {
        if (rest.startsWith(QByteArrayView(candidate))) {
            Token token;
            token.kind = TokenKind::Symbol;
            token.text = candidate;
            m_at += token.text.size();
            return token;
        }
    }
    switch (rest.front()) {
    case '=': return fail(m_at, 1, reasons::expressionSingleEquals());
    case '&': return fail(m_at, 1, reasons::expressionWordForOperator("&", "&&"));
    case '|': return fail(m_at, 1, reasons::expressionWordForOperator("|", "||"));
    case ';': return fail(m_at, 1, reasons::expressionSemicolon());
    default: break;
    }
    qsizetype length = 1;
    while (length < rest.size() && (quint8(rest[length]) & 0xc0) == 0x80)
        ++length;
    return fail(m_at, length, reasons::expressionStrayCharacter());
}

} // namespace junban::cel
