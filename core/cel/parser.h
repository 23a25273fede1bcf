#pragma once

#include "core/cel/code.h"
#include "core/cel/lexer.h"

#include <optional>

namespace junban::cel {

// Parses an expression into nodes, whose names the Resolver looks up later. It stops at the first error. One parser for each expression.
class Parser
{
public:
    // `code.text` is the expression; its nodes are appended.
    explicit Parser(Code &code);

    // The root's index, or nothing when there is an error, which problem() describes.
    std::optional<qint32> parse();
    const Problem &problem() const { return m_problem; }

private:
    qint32 expression();
    qint32 logical(const char *symbol);
    qint32 binary(int level);
    qint32 unary();
    qint32 member();
    qint32 selection(qint32 target);
    qint32 primary();
    qint32 name(bool rooted);
    qint32 call(const Token &word, qint32 receiver);
    std::optional<qint32> macro(const Token &word, qint32 receiver, const QList<qint32> &arguments);
    qint32 literal(bool negative);
    qint32 listLiteral();
    qint32 mapLiteral();
    // Expressions separated by commas, up to and including `closing`.
    std::optional<QList<qint32>> arguments(const char *closing);

    bool advance();
    bool expect(const char *symbol, Reason (*missing)());
    qint32 fail(const Token &at, Reason reason);
    qint32 fail(qsizetype offset, qsizetype length, Reason reason);
    // Appends a node that reaches from `offset` to the end of the last token that was taken.
    qint32 add(Node node, qsizetype offset);
    qint32 addWith(Node node, const QList<qint32> &children, qsizetype offset);
    qint32 constant(const Value &value, qsizetype offset);

    Code &m_code;
    Lexer m_lexer;
    Token m_token;
    qsizetype m_end = 0;   // of the last token taken
    int m_depth = 0;       // of brackets and branches being read
    bool m_failed = false;
    Problem m_problem;
};

} // namespace junban::cel
