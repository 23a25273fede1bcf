#include "ui/jobs/jobtableview.h"

#include "ui/jobs/jobtablemodel.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>

namespace junban::ui {

namespace {

constexpr int topRowsRemembered = 20;

JobId idOf(const QModelIndex &index)
{
    return JobId::fromBytes(index.data(JobTableModel::IdRole).toByteArray()).value_or(JobId());
}

} // namespace

JobTableView::JobTableView(QWidget *parent)
    : Tinted<QTableView>(parent)
{
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerItem);
    setTextElideMode(Qt::ElideRight);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setRowLines(*this, 1);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsMovable(true);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    horizontalHeader()->setStretchLastSection(true);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setFrameShape(QFrame::NoFrame);
}

QSet<JobId> JobTableView::selectedIds() const
{
    QSet<JobId> ids;
    if (!selectionModel())
        return ids;
    // By ranges, because a selection of all rows is one range but many indexes.
    for (const QItemSelectionRange &range : selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            ids.insert(idOf(model()->index(row, 0)));
    }
    return ids;
}

JobId JobTableView::currentId() const
{
    return currentIndex().isValid() ? idOf(currentIndex()) : JobId();
}

void JobTableView::rememberTop()
{
    m_top.clear();
    const int first = verticalScrollBar()->value();
    if (first == 0 || !model())
        return;
    for (int row = first; row < std::min(first + topRowsRemembered, model()->rowCount()); ++row)
        m_top.append(idOf(model()->index(row, 0)));
}

void JobTableView::restoreTop()
{
    const auto *jobs = qobject_cast<JobTableModel *>(model());
    for (const JobId &id : std::as_const(m_top)) {
        const int row = jobs ? jobs->rowOf(id) : -1;
        if (row >= 0) {
            updateGeometries();
            verticalScrollBar()->setValue(row);
            break;
        }
    }
    m_top.clear();
}

void JobTableView::keyPressEvent(QKeyEvent *event)
{
    if (beginSelection(*this, *event))
        return;
    const auto move = [&](int key) {
        QKeyEvent arrow(QEvent::KeyPress, key, event->modifiers() & Qt::ShiftModifier);
        QTableView::keyPressEvent(&arrow);
    };
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) {
        QTableView::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Home: // rows are what is chosen, not cells
    case Qt::Key_End:
        if (event->modifiers() == Qt::NoModifier && model()->rowCount() > 0)
            selectRow(event->key() == Qt::Key_Home ? 0 : model()->rowCount() - 1);
        else
            QTableView::keyPressEvent(event);
        return;
    case Qt::Key_J: move(Qt::Key_Down); return;
    case Qt::Key_K: move(Qt::Key_Up); return;
    case Qt::Key_Space: Q_EMIT freezeRequested(); return;
    case Qt::Key_Escape: clearSelection(); return;
    case Qt::Key_Return:
    case Qt::Key_Enter: Q_EMIT openRequested(); return;
    default: QTableView::keyPressEvent(event);
    }
}

void JobTableView::selectionChanged(const QItemSelection &selected, const QItemSelection &deselected)
{
    QTableView::selectionChanged(selected, deselected);
    Q_EMIT selectionMoved();
}

} // namespace junban::ui
