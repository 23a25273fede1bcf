#include "ui/limits/expressioncolors.h"

#include "core/cel/lexer.h"
#include "ui/base/look.h"

#include <QGuiApplication>
#include <QTextDocument>

namespace junban::ui {

namespace {

constexpr const char *keywords[] = {"true", "false", "null", "in"};

} // namespace

void ExpressionColors::setOn(bool on)
{
    if (std::exchange(m_on, on) != on)
        rehighlight();
}

void ExpressionColors::read()
{
    const QByteArray utf8 = m_text.toUtf8();
    cel::Lexer lexer(utf8);
    m_words.clear();
    qsizetype byte = 0;
    int at = 0; // in QChars, where `byte` is in bytes
    while (const std::optional<cel::Token> token = lexer.next()) {
        if (token->kind == cel::TokenKind::End)
            break;
        at += int(QString::fromUtf8(utf8.sliced(byte, token->offset - byte)).size());
        const int length = int(QString::fromUtf8(utf8.sliced(token->offset, token->length)).size());
        byte = token->offset + token->length;
        Kind kind = Kind::Variable;
        switch (token->kind) {
        case cel::TokenKind::Int:
        case cel::TokenKind::UInt:
        case cel::TokenKind::Double: kind = Kind::Number; break;
        case cel::TokenKind::String:
        case cel::TokenKind::Bytes: kind = Kind::Text; break;
        case cel::TokenKind::Identifier:
            if (std::any_of(std::begin(keywords), std::end(keywords), [&](const char *word) { return token->isWord(word); }))
                kind = Kind::Keyword;
            else if (byte < utf8.size() && utf8[byte] == '(')
                kind = Kind::Function;
            break;
        default: break;
        }
        if (token->kind != cel::TokenKind::Symbol)
            m_words.append({at, length, kind});
        at += length;
    }
}

QColor ExpressionColors::color(Kind kind)
{
    const QPalette palette = QGuiApplication::palette();
    switch (kind) {
    case Kind::Variable: return Look::color(JobState::Ready, palette);
    case Kind::Function: return Look::color(JobState::Running, palette);
    case Kind::Keyword: return Look::color(JobState::Awaiting, palette);
    case Kind::Number: return Look::color(JobState::Scheduled, palette);
    case Kind::Text: return Look::color(JobState::Succeeded, palette);
    }
    return {};
}

void ExpressionColors::highlightBlock(const QString &text)
{
    // The text is compared, because a document's revision does not change when the whole text is set.
    if (const QString whole = document()->toPlainText(); m_text != whole) {
        m_text = whole;
        read();
    }
    const int start = currentBlock().position(), end = start + int(text.size());
    if (!m_on)
        return;
    for (const Word &word : std::as_const(m_words)) {
        const int from = std::max(start, word.start), to = std::min(end, word.start + word.length);
        if (from < to)
            setFormat(from - start, to - from, color(word.kind));
    }
}

} // namespace junban::ui
