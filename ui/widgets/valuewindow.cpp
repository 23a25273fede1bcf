#include "ui/widgets/valuewindow.h"

#include "ui/base/look.h"
#include "ui/base/payloadtext.h"
#include "ui/widgets/copytext.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/payloadmodel.h"
#include "ui/widgets/savedialog.h"

#include <QFile>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QShortcut>
#include <QTabWidget>
#include <QTreeView>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

constexpr qsizetype hexLine = 16;

// Sixteen bytes on a line: where they are, in hex, and what can be read of them.
QString hexDump(const QByteArray &bytes)
{
    QString text;
    for (qsizetype at = 0; at < bytes.size(); at += hexLine) {
        const QByteArray line = bytes.mid(at, hexLine);
        QByteArray readable = line;
        std::replace_if(readable.begin(), readable.end(), [](char c) { return c < ' ' || c > '~'; }, '.');
        text += QStringLiteral("%1  %2  %3\n").arg(at, 8, 16, QLatin1Char('0'))
                    .arg(QString::fromLatin1(line.toHex(' ')), -(3 * hexLine - 1)).arg(QString::fromLatin1(readable));
    }
    return text;
}

QPlainTextEdit *readOnly(const QString &text, const QString &name, QWidget *parent)
{
    auto *edit = new QPlainTextEdit(parent);
    edit->setReadOnly(true);
    edit->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    edit->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    edit->setAccessibleName(name);
    edit->setPlainText(text);
    return edit;
}

} // namespace

ValueWindow::ValueWindow(const QByteArray &bytes, const QString &title, QWidget *parent)
    : QDialog(parent)
    , m_bytes(bytes)
    , m_tabs(new QTabWidget(this))
    , m_search(new QLineEdit(this))
    , m_found(plainLabel({}, this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(title);
    const bool large = bytes.size() > text_bytes_max;
    m_text = readOnly(large ? tr("The value is too long to be shown as text. It can be saved.")
                            : QString::fromUtf8(payloadJson(bytes, payloadIndent)), tr("Text"), this);
    m_hex = readOnly(hexDump(bytes.first(std::min(bytes.size(), hex_bytes_max))), tr("Hex"), this);
    auto *model = new PayloadModel(this);
    model->setBytes(bytes);
    auto *tree = new QTreeView(this);
    tree->setModel(model);
    tree->setUniformRowHeights(true);
    tree->setAlternatingRowColors(true);
    tree->setAccessibleName(tr("Tree"));
    tree->header()->resizeSection(PayloadModel::Key, 28 * characterWidth(fontMetrics()));
    tree->expandToDepth(1);
    m_tabs->addTab(m_text, tr("Text"));
    m_tabs->addTab(tree, tr("Tree"));
    m_tabs->addTab(m_hex, bytes.size() > hex_bytes_max ? tr("Hex (the first 64 KiB)") : tr("Hex"));
    if (large)
        m_tabs->setCurrentWidget(tree);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_tabs, 1);
    layout->addWidget(buildFoot());
    const int line = fontMetrics().height();
    resize(line * 40, line * 30);
}

QWidget *ValueWindow::buildFoot()
{
    auto *box = new QWidget(this);
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(tr("Search in the value"));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(Look::icon(Icon::Search), QLineEdit::LeadingPosition);
    connect(m_search, &QLineEdit::textChanged, this, &ValueWindow::find);
    connect(m_search, &QLineEdit::returnPressed, this, &ValueWindow::find);
    connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, m_search, qOverload<>(&QWidget::setFocus));
    const QString size = QLocale().formattedDataSize(m_bytes.size(), m_bytes.size() < 1024 ? 0 : 1);
    auto *copy = new QPushButton(Look::icon(Icon::Copy), tr("Copy as JSON"), box);
    auto *save = new QPushButton(Look::icon(Icon::Save), tr("Save…"), box);
    for (QPushButton *button : {copy, save})
        button->setAutoDefault(false); // Enter searches on
    connect(copy, &QPushButton::clicked, this, [this, copy] { copyText(QString::fromUtf8(payloadJson(m_bytes, payloadIndent)), copy); });
    connect(save, &QPushButton::clicked, this, &ValueWindow::askWhere);
    auto *layout = new QHBoxLayout(box);
    layout->setContentsMargins({});
    layout->addWidget(m_search, 1);
    layout->addWidget(m_found);
    layout->addWidget(plainLabel(tr("%1, %2", "a type and bytes").arg(payloadType(m_bytes), size), box));
    layout->addWidget(copy);
    layout->addWidget(save);
    return box;
}

QString ValueWindow::found() const
{
    return m_found->text();
}

// Goes to the next place, and on from the beginning after the last one. The tree shows no more than what is open, so the text is searched.
void ValueWindow::find()
{
    QPlainTextEdit *where = m_tabs->currentWidget() == m_hex ? m_hex : m_text;
    QTextCursor from = where->textCursor();
    if (sender() == m_search && m_search->text() != from.selectedText())
        from.setPosition(from.selectionStart());
    const QString word = m_search->text();
    QTextCursor next = word.isEmpty() ? QTextCursor() : where->document()->find(word, from);
    if (next.isNull() && !word.isEmpty())
        next = where->document()->find(word);
    m_found->setText(next.isNull() && !word.isEmpty() ? tr("Not found") : QString());
    if (next.isNull())
        return;
    m_tabs->setCurrentWidget(where);
    where->setTextCursor(next);
    where->ensureCursorVisible();
}

QString ValueWindow::save(const QString &path) const
{
    QSaveFile file(path);
    const bool json = path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    if (!file.open(QIODevice::WriteOnly) || file.write(json ? payloadJson(m_bytes, payloadIndent) : m_bytes) < 0 || !file.commit())
        return file.errorString();
    return {};
}

void ValueWindow::askWhere()
{
    askWhereToSave(this, tr("Save the value"), QStringLiteral("value"), [this](const QString &path) {
        const QString wrong = save(path);
        m_found->setText(wrong.isEmpty() ? tr("Saved") : tr("Not saved: %1").arg(wrong));
    });
}

} // namespace junban::ui
