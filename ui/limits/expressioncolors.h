#pragma once

#include <QSyntaxHighlighter>

namespace junban::ui {

// The words of an expression in colour, cut by the language's own lexer: texts may go over several lines, so the whole document is
// read whenever it has changed.
class ExpressionColors : public QSyntaxHighlighter
{
    Q_OBJECT

public:
    explicit ExpressionColors(QTextDocument *document) : QSyntaxHighlighter(document) {}

protected:
    void highlightBlock(const QString &text) override;

private:
    enum class Kind { Variable, Function, Keyword, Number, Text };
    struct Word {
        int start = 0;
        int length = 0;
        Kind kind = Kind::Variable;
    };
    void read();
    static QColor color(Kind kind);

    QList<Word> m_words;
    QString m_text; // that the words are of
};

} // namespace junban::ui
