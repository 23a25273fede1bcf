#pragma once

#include <QSyntaxHighlighter>

namespace junban::ui {

// Colours the words of an expression, which the lexer of the matcher language finds. A string may span several lines, so the whole document
// is read again after each change.
class ExpressionColors : public QSyntaxHighlighter
{
    Q_OBJECT

public:
    explicit ExpressionColors(QTextDocument *document) : QSyntaxHighlighter(document) {}
    // Off: the text is no expression.
    void setOn(bool on);

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

    bool m_on = true;
    QList<Word> m_words;
    QString m_text; // the text in which m_words were found
};

} // namespace junban::ui
