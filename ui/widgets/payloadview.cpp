#include "ui/widgets/payloadview.h"

#include "ui/base/look.h"
#include "ui/base/payloadtext.h"
#include "ui/widgets/copytext.h"
#include "ui/widgets/flowlayout.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/valuewindow.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

constexpr int openAtOnce = 30; // a value with no more elements than these is shown open

} // namespace

PayloadView::PayloadView(const QString &title, QWidget *parent)
    : QWidget(parent)
    , m_title(title)
    , m_model(new PayloadModel(this))
    , m_tree(new QTreeView(this))
    , m_note(plainLabel({}, this))
    , m_size(plainLabel({}, this))
    , m_bar(new QWidget(this))
{
    m_tree->setModel(m_model);
    m_tree->setUniformRowHeights(true);
    m_tree->setAlternatingRowColors(true);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setAccessibleName(title);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tree->header()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    const int character = characterWidth(fontMetrics());
    m_tree->header()->resizeSection(PayloadModel::Key, 22 * character);
    m_tree->header()->resizeSection(PayloadModel::Type, 11 * character);
    m_tree->header()->setMinimumSectionSize(4 * character);
    connect(m_tree, &QWidget::customContextMenuRequested, this, &PayloadView::openMenu);
    m_note->setWordWrap(true);
    m_note->setAlignment(Qt::AlignCenter);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setMargin(fontMetrics().height());

    auto *copy = new QToolButton(m_bar);
    copy->setIcon(Look::icon(Icon::Copy));
    copy->setText(tr("Copy as JSON"));
    copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    copy->setAutoRaise(true);
    connect(copy, &QToolButton::clicked, this, [this, copy] { copyJson(m_model->bytes(), copy); });
    auto *open = new QToolButton(m_bar);
    open->setIcon(Look::icon(Icon::Search));
    open->setText(tr("Open"));
    open->setToolTip(tr("Show the value in a window of its own (double click on a part: that part)"));
    open->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    open->setAutoRaise(true);
    connect(open, &QToolButton::clicked, this, [this] { openValue(m_model->index(0, 0)); });
    m_tree->setExpandsOnDoubleClick(false); // the arrow, or the arrow keys, open an element
    connect(m_tree, &QTreeView::doubleClicked, this, &PayloadView::openValue);
    auto *bar = new FlowLayout(m_bar); // in a narrow pane, the buttons stand below the text
    const int gap = fontMetrics().height() / 2;
    bar->setContentsMargins(gap, gap / 2, gap, gap / 2);
    bar->setSpacing(gap / 2);
    m_size->setMinimumWidth(1); // it is cut rather than that it widens the window
    bar->addWidget(m_size);
    bar->addWidget(open);
    bar->addWidget(copy);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_note, 1);
    layout->addWidget(m_tree, 1);
    layout->addWidget(m_bar);
    setNote({});
}

void PayloadView::setBytes(const QByteArray &bytes)
{
    const bool same = m_model->bytes() == bytes && m_model->rowCount() > 0;
    m_note->hide();
    m_tree->show();
    m_bar->show();
    if (same)
        return;
    m_model->setBytes(bytes);
    const QModelIndex root = m_model->index(0, 0);
    if (m_model->canFetchMore(root))
        m_model->fetchMore(root);
    // The tree shows the elements of a map or an array; any other value is its only row.
    const bool container = m_model->rowCount(root) > 0;
    m_tree->setRootIndex(container ? root : QModelIndex());
    const QString size = QLocale().formattedDataSize(bytes.size(), bytes.size() < 1024 ? 0 : 1);
    const QString type = payloadType(bytes);
    m_size->setText(container ? tr("%1 of %2, %3", "a type, how many elements, and bytes")
                                    .arg(type, root.siblingAtColumn(PayloadModel::Value).data().toString(), size)
                              : tr("%1, %2", "a type and bytes").arg(type, size));
    if (m_model->rowCount(root) > openAtOnce)
        return;
    for (int row = 0; row < m_model->rowCount(root); ++row) {
        const QModelIndex child = m_model->index(row, 0, root);
        if (m_model->canFetchMore(child))
            m_model->fetchMore(child);
        if (m_model->rowCount(child) <= openAtOnce)
            m_tree->expand(child);
    }
}

void PayloadView::setNote(const QString &note)
{
    m_note->setText(note);
    m_note->show();
    m_tree->hide();
    m_bar->hide();
}

void PayloadView::copyJson(const QByteArray &bytes, QWidget *from)
{
    copyText(QString::fromUtf8(payloadJson(bytes, payloadIndent)), from);
}

void PayloadView::openValue(const QModelIndex &index)
{
    const QModelIndex part = index.siblingAtColumn(PayloadModel::Key);
    if (!part.isValid())
        return;
    const QString key = part.parent().isValid() ? part.data().toString() : QString();
    const QString what = key.isEmpty() ? m_title : key;
    const QString title = m_owner.isEmpty() ? what : tr("%1 – %2", "a value, a job").arg(what, m_owner);
    auto *window = new ValueWindow(part.data(PayloadModel::BytesRole).toByteArray(), title, this);
    window->show();
}

QMenu *PayloadView::menuOf(const QModelIndex &part)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QByteArray bytes = part.data(PayloadModel::BytesRole).toByteArray();
    connect(menu->addAction(tr("Open in a window")), &QAction::triggered, this, [this, part = QPersistentModelIndex(part)] {
        openValue(part);
    });
    connect(menu->addAction(tr("Copy as JSON")), &QAction::triggered, this, [this, bytes] { copyJson(bytes, m_tree); });
    connect(menu->addAction(tr("Copy as MessagePack in hex")), &QAction::triggered, this, [this, bytes] {
        copyText(QString::fromLatin1(bytes.toHex()), m_tree);
    });
    if (m_offer)
        m_offer(menu, part);
    return menu;
}

void PayloadView::openMenu(const QPoint &at)
{
    if (const QModelIndex part = m_tree->indexAt(at); part.isValid())
        menuOf(part)->popup(m_tree->viewport()->mapToGlobal(at));
}

} // namespace junban::ui
