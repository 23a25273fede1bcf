#pragma once

#include "core/cel/problem.h"

#include <QByteArray>
#include <QByteArrayView>
#include <optional>

namespace junban::cel {

enum class TokenKind { End, Identifier, Quoted, Int, UInt, Double, String, Bytes, Symbol };

struct Token {
    TokenKind kind = TokenKind::End;
    qsizetype offset = 0;     // in the expression, in bytes
    qsizetype length = 0;     // bytes
    QByteArray text;          // Identifier, Quoted, Symbol: as written, without backquotes; String, Bytes: the content
    quint64 number = 0;       // Int, UInt: without its sign
    double real = 0;          // Double

    bool is(const char *symbol) const { return kind == TokenKind::Symbol && text == symbol; }
    bool isWord(const char *word) const { return kind == TokenKind::Identifier && text == word; }
};

// Splits an expression into tokens. It stops at the first error. The text must outlive it.
class Lexer
{
public:
    explicit Lexer(QByteArrayView text) : m_text(text) {}

    // The next token; at the end always End. Nothing when there is an error, which problem() describes.
    std::optional<Token> next();
    const Problem &problem() const { return m_problem; }

private:
    void skipBlanks();
    std::optional<Token> number();
    std::optional<Token> word();
    std::optional<Token> quoted();
    std::optional<Token> string(bool raw, bool bytes);
    std::optional<Token> symbol();
    // Reads the escape sequence whose backslash is at m_at, and appends the character that it means.
    bool escape(QByteArray &content, bool bytes);
    std::optional<quint32> hexadecimal(int digits);
    std::nullopt_t fail(qsizetype offset, qsizetype length, Reason reason);

    char at(qsizetype offset) const { return offset < m_text.size() ? m_text[offset] : '\0'; }

    QByteArrayView m_text;
    qsizetype m_at = 0;
    qsizetype m_start = 0; // of the token being read
    Problem m_problem;
};

} // namespace junban::cel
