#include "ui/inspector/errorview.h"

#include "core/jobs/tellinglines.h"
#include "ui/base/look.h"
#include "ui/base/payloadtext.h"
#include "ui/base/text.h"
#include "ui/widgets/copytext.h"
#include "ui/widgets/labels.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

QByteArrayView partOf(QByteArrayView map, const char *key)
{
    const payload::Step step{QByteArrayView(key)};
    return payload::find(map, {&step, 1}).value_or(QByteArrayView());
}

// Nothing when the value is no text.
std::optional<QByteArray> textOf(QByteArrayView value)
{
    const auto token = payload::Reader(value).next();
    return token && token->type == payload::Type::String ? std::optional(token->bytes.toByteArray()) : std::nullopt;
}

QString partText(QByteArrayView value)
{
    const std::optional<QByteArray> text = textOf(value);
    return text ? shownLines(*text) : QString::fromUtf8(payloadJson(value, payloadIndent));
}

} // namespace

QString errorDetails(QByteArrayView value)
{
    payload::Reader reader(value);
    const auto head = reader.next();
    if (!head || head->type == payload::Type::Nil)
        return {};
    if (head->type != payload::Type::Map)
        return partText(value);
    QStringList lines;
    for (quint32 pair = 0; pair < head->count; ++pair) {
        const auto key = reader.skip(), part = reader.skip();
        if (!key || !part)
            return {};
        const std::optional<QByteArray> name = textOf(*key);
        const QString text = partText(*part);
        const QString title = (name ? shown(*name) : QString::fromUtf8(payloadJson(*key, -1))) + QLatin1Char(':');
        lines.append(title + QLatin1Char(text.contains(QLatin1Char('\n')) ? '\n' : ' ') + text);
    }
    return lines.join(QLatin1Char('\n'));
}

ErrorView::ErrorView(QWidget *parent)
    : QWidget(parent)
    , m_heading(plainLabel({}, this))
    , m_cause(plainLabel({}, this))
    , m_text(new QPlainTextEdit(this))
    , m_note(plainLabel({}, this))
    , m_bar(new QWidget(this))
    , m_copy(new QToolButton(m_bar))
    , m_wrap(new QToolButton(m_bar))
{
    const QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    QFont bold = fixed;
    bold.setBold(true);
    const int gap = fontMetrics().height() / 2;
    for (QLabel *label : {m_heading, m_cause}) {
        label->setFont(label == m_heading ? bold : fixed);
        label->setWordWrap(true);
        label->setContentsMargins(gap, gap, gap, 0);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        label->setMinimumWidth(1); // a long word is cut rather than that it widens the window
    }
    m_note->setWordWrap(true);
    m_note->setAlignment(Qt::AlignCenter);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setMargin(2 * gap);
    m_text->setFont(fixed);
    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setTabChangesFocus(true);
    m_text->setAccessibleName(tr("Error"));
    m_copy->setIcon(Look::icon(Icon::Copy));
    m_copy->setText(tr("Copy"));
    m_wrap->setText(tr("Wrap lines"));
    m_wrap->setCheckable(true);
    m_wrap->setChecked(true);
    for (QToolButton *button : {m_copy, m_wrap}) {
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setAutoRaise(true);
    }
    connect(m_copy, &QToolButton::clicked, this, &ErrorView::copy);
    connect(m_wrap, &QToolButton::toggled, this, [this](bool wraps) {
        m_text->setLineWrapMode(wraps ? QPlainTextEdit::WidgetWidth : QPlainTextEdit::NoWrap);
    });
    auto *bar = new QHBoxLayout(m_bar);
    bar->setContentsMargins(gap, gap / 2, gap, gap / 2);
    bar->addWidget(m_copy);
    bar->addWidget(m_wrap);
    bar->addStretch();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_heading);
    layout->addWidget(m_cause);
    layout->addSpacing(gap);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_note, 1);
    layout->addWidget(m_bar);
}

void ErrorView::setJob(const Job &job, const QByteArray &outcome)
{
    const QByteArray whole = textOf(partOf(outcome, "message")).value_or(QByteArray());
    const QByteArray message = whole.isEmpty() ? job.message : whole;
    const QString details = errorDetails(partOf(outcome, "error"));
    const bool failed = (!message.isEmpty() || !details.isEmpty()) && job.state != JobState::Succeeded;
    const TellingLines telling = tellingLines(message);
    const QString lines = shownLines(message);
    // One line is on top already.
    QString text = lines.contains(QLatin1Char('\n')) || !telling.cause.isEmpty() ? lines : QString();
    if (!details.isEmpty())
        text += (text.isEmpty() ? QString() : QStringLiteral("\n\n")) + details;
    m_heading->setText(failed ? (telling.thrown.isEmpty() ? tr("(no message)") : Look::message(telling.thrown)) : QString());
    m_cause->setText(tr("Caused by: %1").arg(shown(telling.cause)));
    m_heading->setVisible(failed);
    m_cause->setVisible(failed && !telling.cause.isEmpty());
    m_text->setVisible(failed);
    m_bar->setVisible(failed);
    m_note->setHidden(failed);
    m_note->setText(job.state == JobState::Succeeded ? tr("The job succeeded.")
                    : job.state == JobState::Failed  ? tr("The job failed without a message.") : tr("No attempt has failed."));
    if (m_text->toPlainText() != text)
        m_text->setPlainText(text);
}

QString ErrorView::heading() const
{
    return m_heading->isHidden() ? QString() : m_heading->text();
}

QString ErrorView::cause() const
{
    return m_cause->isHidden() ? QString() : m_cause->text();
}

void ErrorView::copy()
{
    const QString text = m_text->toPlainText();
    // The heading is one of the lines of a stack trace.
    const QString below = text.isEmpty() ? QString() : QLatin1String("\n\n") + text;
    copyText(text.contains(m_heading->text()) ? text : m_heading->text() + below, m_copy);
}

} // namespace junban::ui
