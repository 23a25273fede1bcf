#include "ui/widgets/jsonedit.h"

#include "core/base/reasons/window.h"
#include "core/msgpack/json.h"
#include "ui/base/look.h"
#include "ui/base/payloadtext.h"

#include <QEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSyntaxHighlighter>

namespace junban::ui {

namespace {

constexpr int indent = 2;
constexpr int linesAtFirst = 6;

class JsonColors : public QSyntaxHighlighter
{
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString &text) override
    {
        static const QRegularExpression token(
            QStringLiteral("(?<key>\"(?:[^\"\\\\]|\\\\.)*\")(?=\\s*:)|(?<text>\"(?:[^\"\\\\]|\\\\.)*\")"
                           "|(?<number>-?\\b\\d[\\d.eE+-]*)|(?<word>\\btrue\\b|\\bfalse\\b|\\bnull\\b)"));
        const QPalette palette = QGuiApplication::palette();
        for (auto found = token.globalMatch(text); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            QColor color = Look::color(JobState::Awaiting, palette);
            if (!match.captured(QStringLiteral("key")).isEmpty())
                color = Look::color(JobState::Ready, palette);
            else if (!match.captured(QStringLiteral("text")).isEmpty())
                color = Look::color(JobState::Succeeded, palette);
            else if (!match.captured(QStringLiteral("number")).isEmpty())
                color = Look::color(JobState::Scheduled, palette);
            setFormat(int(match.capturedStart()), int(match.capturedLength()), color);
        }
    }
};

} // namespace

JsonEdit::JsonEdit(QWidget *parent)
    : QPlainTextEdit(parent)
{
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setTabChangesFocus(true);
    setLineWrapMode(NoWrap);
    new JsonColors(document());
}

void JsonEdit::setBytes(const QByteArray &msgpack)
{
    m_original = msgpack;
    m_originalText = QString::fromUtf8(payloadJson(msgpack, indent));
    setPlainText(m_originalText);
}

Result<QByteArray> JsonEdit::bytes() const
{
    const QString text = toPlainText();
    if (text == m_originalText && !m_original.isEmpty())
        return m_original;
    const QByteArray utf8 = text.toUtf8();
    if (utf8.trimmed().isEmpty())
        return QByteArray(payload::nil);
    Result<QByteArray> bytes = json::toMsgpack(utf8);
    if (bytes.ok() || bytes.error().code != ErrorCode::Malformed)
        return bytes;
    // Qt's parser is only asked where the text goes wrong: its offset is one behind that character. It refuses bare values, which JSON has.
    QJsonParseError error;
    QJsonDocument::fromJson(utf8, &error);
    const QByteArray before = utf8.first(std::clamp<qsizetype>(error.offset - 1, 0, utf8.size()));
    const qsizetype line = before.count('\n') + 1;
    const qsizetype column = QString::fromUtf8(before.sliced(before.lastIndexOf('\n') + 1)).size() + 1;
    return reasons::formJsonMalformed(line, column);
}

QSize JsonEdit::sizeHint() const
{
    return {characterWidth(fontMetrics()) * 60, fontMetrics().height() * linesAtFirst};
}

void JsonEdit::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        if (auto *colors = document()->findChild<QSyntaxHighlighter *>())
            colors->rehighlight();
    }
}

} // namespace junban::ui
