#pragma once

#include "core/cel/problem.h"

#include <QByteArray>
#include <QByteArrayView>
#include <optional>

namespace junban::cel {

enum class TokenKind { End, Identifier, Quoted, Int, UInt, Double, String, Bytes, Symbol };

struct Token {
    TokenKind kind = TokenKind::End;
    qsizetype offset = 0;
    qsizetype length = 0;
    QByteArray text;          // Identifier, Quoted, Symbol: as written, without backquotes; String, Bytes: the content
    quint64 number = 0;       // Int, UInt: without its sign
    double real = 0;          // Double

    bool is(const char *symbol) const { return kind == TokenKind::Symbol && text == symbol; }
    bool isWord(const char *word) const { return kind == TokenKind::Identifier && text == word; }
};

// Cuts an expression into its words. It stops at the first that is none.
class Lexer
{
public:
    explicit Lexer(QByteArrayView text) : m_text(text) {}

    // The next token; End again and again at the end. Nothing after a fault: problem() tells.
    std::optional<Token> next();
    const Problem &problem() const { return m_problem; }

private:
    void skipBlanks();
    std::optional<Token> number();
    std::optional<Token> word();
    std::optional<Token> quoted();
    std::optional<Token> string(bool raw, bool bytes);
    std::optional<Token> symbol();
    // Reads the escape behind a backslash at m_at and appends what it stands for.
    bool escape(QByteArray &content, bool bytes);
    std::optional<quint32> hexadecimal(int digits);
    std::nullopt_t fail(qsizetype offset, qsizetype length, QByteArray message);

    char at(qsizetype offset) const { return offset < m_text.size() ? m_text[offset] : '\0'; }

    QByteArrayView m_text;
    qsizetype m_at = 0;
    qsizetype m_start = 0; // of the token being read
    Problem m_problem;
};

} // namespace junban::cel
