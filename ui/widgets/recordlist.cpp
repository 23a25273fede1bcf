#include "ui/widgets/recordlist.h"

#include "ui/base/look.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/headertip.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/sparkline.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace junban::ui {

namespace {

// How narrow columns may become: the one that takes the rest (mostly the first, which says what a row is), and the others. Numbers are
// not cut.
constexpr int restCharacters = 24, narrowCharacters = 8;
const QByteArray fits = "f", own = "o"; // before a saved header: whether it follows the table's width, or is as the operator made it
constexpr int readCharacters = 16; // of which a column, in which texts may be cut, can still be read
constexpr int wholeCharacters = 40; // of a text that is not cut, as long as it is no longer
constexpr int belowCharacters = 48; // of a second line, likewise
constexpr int textCharacters = 100; // likewise of one that is not cut where there is room left

} // namespace

int RecordTable::restOf(const QList<RecordColumn> &columns)
{
    const auto found = std::find_if(columns.begin(), columns.end(), [](const RecordColumn &each) { return each.rest; });
    return found == columns.end() ? 0 : int(found - columns.begin());
}

RecordTable::RecordTable(RecordModel *model, QWidget *parent)
    : Tinted<QTableView>(parent)
    , m_rest(restOf(model->columns()))
{
    setModel(model);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(ScrollPerPixel);
    setFrameShape(QFrame::NoFrame);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setItemDelegate(new SparklineDelegate(this));
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setRowLines(*this, 1);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsMovable(true);
    horizontalHeader()->setMinimumSectionSize(6 * characterWidth(fontMetrics()));
    horizontalHeader()->setSectionResizeMode(m_rest, QHeaderView::Stretch);
    for (int column = 0; column < model->columns().size(); ++column) {
        const int cells = model->columns()[column].characters * characterWidth(fontMetrics());
        setColumnWidth(column, std::max(cells, horizontalHeader()->sectionSizeHint(column)));
    }
    enableSorting(model->columns());
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int column) {
        if (static_cast<RecordModel *>(this->model())->columns()[column].sort == RecordColumn::Sort::None)
            tipAtHeader(*horizontalHeader(), column, tr("The list cannot be sorted by this column"));
    });
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int section) {
        // The one that takes the rest only follows the window, and the header says later than it is done that one was left out.
        if (section == m_rest || m_fitting || isColumnHidden(section))
            return;
        m_fits = false;
        keepRest();
    });
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(horizontalHeader(), &QWidget::customContextMenuRequested, this, &RecordTable::openColumns);
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex &index) {
        Q_EMIT openRequested(index.data(RecordModel::KeyRole).toByteArray());
    });
}

int RecordTable::leastOf(int column, int characters) const
{
    const RecordColumn &of = static_cast<RecordModel *>(model())->columns()[column];
    const int read = characters < readCharacters ? characters : std::max(characters, of.read);
    return std::max({std::min(of.characters, read) * characterWidth(fontMetrics()), horizontalHeader()->sectionSizeHint(column),
                     m_numbers.value(column)});
}

// A second line, which only the first column has, says what there is no column for.
int RecordTable::leastOfRest() const
{
    return std::max(leastOf(m_rest, restCharacters), m_rest == 0 ? m_below : 0);
}

// Leaves out the last spare columns, as few as possible, until the others have room to be read.
void RecordTable::leaveOut()
{
    const QList<RecordColumn> &columns = static_cast<RecordModel *>(model())->columns();
    // A hidden one does not say how wide its title is. One in which there never was anything has no use.
    const int nothing = 3 * characterWidth(fontMetrics());
    for (int column = 0; column < columns.size(); ++column) {
        const int known = std::max(m_numbers.value(column), m_texts.value(column));
        setColumnHidden(column, columns[column].extra || (column > 0 && column != m_rest && known == nothing));
    }
    int needed = leastOfRest();
    for (int column = 0; column < columns.size(); ++column)
        needed += column == m_rest || isColumnHidden(column) ? 0 : leastOf(column, readCharacters);
    for (int column = int(columns.size()) - 1; column > 0 && needed > viewport()->width(); --column) {
        if (!columns[column].spare || isColumnHidden(column))
            continue;
        needed -= leastOf(column, readCharacters);
        setColumnHidden(column, true);
    }
}

// Which columns are shown.
void RecordTable::openColumns(const QPoint &at)
{
    const QList<RecordColumn> &columns = static_cast<RecordModel *>(model())->columns();
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = 0; column < columns.size(); ++column) {
        QAction *action = menu->addAction(columns[column].title);
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        action->setEnabled(column > 0 && column != m_rest);
        connect(action, &QAction::toggled, this, [this, column](bool on) {
            m_fits = false;
            setColumnHidden(column, !on);
            keepRest();
            Q_EMIT columnsChosen();
        });
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Reset columns")), &QAction::triggered, this, [this] {
        m_fits = true;
        fit();
        Q_EMIT columnsChosen();
    });
    menu->popup(horizontalHeader()->mapToGlobal(at));
}

// Makes the columns as wide as the table, if that is possible: the one that takes the rest keeps some width, and all get the same part of
// what else they want.
void RecordTable::fit()
{
    m_fitting = true;
    leaveOut();
    const QList<RecordColumn> &columns = static_cast<RecordModel *>(model())->columns();
    const int character = characterWidth(fontMetrics());
    // All but that one no wider than the texts that were there, as far as they can be read: what a column does not need, others
    // do.
    const auto wanted = [&](int column) {
        const int usual = columns[column].characters * character;
        const int known = std::max(m_texts.value(column, usual), readCharacters * character);
        const int title = horizontalHeader()->sectionSizeHint(column);
        return std::max({column == m_rest ? usual : std::min(usual, known), title, m_numbers.value(column)});
    };
    const auto sum = [&](const auto &width) {
        int pixels = 0;
        for (int column = 0; column < columns.size(); ++column)
            pixels += column == m_rest || isColumnHidden(column) ? 0 : width(column);
        return pixels;
    };
    const int room = viewport()->width(), rest = leastOfRest();
    const int read = rest + sum([&](int column) { return leastOf(column, readCharacters); });
    const int characters = read <= room ? readCharacters : narrowCharacters;
    const int all = wanted(m_rest) + sum(wanted), must = rest + sum([&](int column) { return leastOf(column, characters); });
    const double part = all > must ? std::clamp(double(room - must) / double(all - must), 0.0, 1.0) : 1;
    for (int column = 0; column < columns.size(); ++column) {
        if (column == m_rest || isColumnHidden(column))
            continue;
        const int least_px = leastOf(column, characters);
        setColumnWidth(column, least_px + int(part * (wanted(column) - least_px)));
    }
    if (!m_wraps)
        giveTheRest(room - all - std::max(0, m_texts.value(m_rest) - wanted(m_rest)));
    keepRest();
    m_fitting = false;
}

// Widens columns whose texts are cut, as long as the one that takes the rest does not need it.
void RecordTable::giveTheRest(int rest)
{
    for (int column = 0; column < model()->columnCount() && rest > 0; ++column) {
        const int more = column == m_rest || isColumnHidden(column) ? 0 : std::min(rest, m_texts.value(column) - columnWidth(column));
        if (more <= 0)
            continue;
        setColumnWidth(column, columnWidth(column) + more);
        rest -= more;
    }
}

// One column takes the width that the others leave. Where they leave it too little, the table scrolls sideways instead.
void RecordTable::keepRest()
{
    if (m_wraps)
        return;
    QHeaderView *header = horizontalHeader();
    int others = 0;
    for (int column = 0; column < header->count(); ++column)
        others += column == m_rest ? 0 : header->sectionSize(column);
    const int least = leastOfRest();
    const bool fits = others + least <= viewport()->width();
    if (fits == (header->sectionResizeMode(m_rest) == QHeaderView::Stretch) && (fits || header->sectionSize(m_rest) >= least))
        return;
    header->setSectionResizeMode(m_rest, fits ? QHeaderView::Stretch : QHeaderView::Interactive);
    if (!fits)
        header->resizeSection(m_rest, least);
}

// Keeps room for the widest numbers and whole texts that were there, so that columns do not go to and fro.
void RecordTable::makeRoom(const QList<Record> &records)
{
    const QList<RecordColumn> &columns = static_cast<RecordModel *>(model())->columns();
    bool wider = false;
    for (const Record &record : records) {
        for (int column = 0; column < std::min(columns.size(), record.cells.size()); ++column) {
            if (!record.cells[column].trend.isEmpty())
                continue; // its text is read out only
            const bool isNeeded = columns[column].side == RecordColumn::Side::Right || columns[column].whole;
            const Cell &cell = record.cells[column];
            const int icon = cell.icon.isNull() ? 0 : fontMetrics().height() * 3 / 2;
            const int character = characterWidth(fontMetrics());
            const int most = (isNeeded ? wholeCharacters : textCharacters) * character;
            int &known = (isNeeded ? m_numbers : m_texts)[column];
            const int room = icon + std::min(fontMetrics().horizontalAdvance(cell.text), most) + 3 * character;
            wider = wider || room > known;
            known = std::max(room, known);
            if (column == 0 && !cell.below.isEmpty()) {
                const int below = icon + std::min(fontMetrics().horizontalAdvance(cell.below), belowCharacters * character) + 3 * character;
                wider = wider || below > m_below;
                m_below = std::max(below, m_below);
            }
        }
    }
    if (wider && m_fits)
        fit();
}

void RecordTable::resizeEvent(QResizeEvent *event)
{
    if (m_fits)
        fit();
    else
        keepRest();
    QTableView::resizeEvent(event);
    // A detail that opens below takes room from the rows. The one that it is about is still seen.
    const QModelIndex row = currentIndex();
    if (row.isValid() && selectionModel()->isSelected(row) && QRect({}, event->oldSize()).intersects(visualRect(row)))
        scrollTo(row, EnsureVisible);
}

void RecordTable::enableSorting(const QList<RecordColumn> &columns)
{
    if (std::none_of(columns.begin(), columns.end(), [](const RecordColumn &each) { return each.sort != RecordColumn::Sort::None; }))
        return;
    horizontalHeader()->setSectionsClickable(true);
    horizontalHeader()->setSortIndicatorShown(true);
    connect(horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, [this, columns](int column, Qt::SortOrder order) {
        if (column == m_sortColumn && order == m_sortOrder)
            return;
        if (column < 0 || column >= columns.size() || columns[column].sort == RecordColumn::Sort::None) {
            setSort(m_sortColumn, m_sortOrder); // this one cannot
            return;
        }
        m_sortColumn = column;
        m_sortOrder = order;
        Q_EMIT sortChanged();
    });
}

void RecordTable::setSort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    horizontalHeader()->setSortIndicator(column, order);
}

QByteArray RecordTable::chosen() const
{
    return allChosen().value(0);
}

QByteArrayList RecordTable::allChosen() const
{
    QByteArrayList keys;
    QModelIndexList rows = selectionModel() ? selectionModel()->selectedRows() : QModelIndexList();
    std::sort(rows.begin(), rows.end());
    for (const QModelIndex &row : std::as_const(rows))
        keys.append(row.data(RecordModel::KeyRole).toByteArray());
    return keys;
}

void RecordTable::allowSeveral()
{
    setSelectionMode(ExtendedSelection);
}

void RecordTable::choose(const QByteArray &key)
{
    const int row = static_cast<RecordModel *>(model())->rowOf(key);
    // Not selectRow(), which goes by the keys that are held.
    if (row >= 0)
        selectionModel()->setCurrentIndex(model()->index(row, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void RecordTable::remember(Preferences &preferences, const QString &key)
{
    const QByteArray saved = preferences.layout(key);
    m_fits = !horizontalHeader()->restoreState(saved.mid(1)) || saved.startsWith(fits);
    const auto save = [this, &preferences, key] {
        preferences.setLayout(key, (m_fits ? fits : own) + horizontalHeader()->saveState());
    };
    connect(this, &RecordTable::columnsChosen, this, save);
    connect(horizontalHeader(), &QHeaderView::sectionMoved, this, save);
    connect(this, &RecordTable::sortChanged, this, save);
    // Dragging resizes a column many times; only the last size is saved.
    auto *pause = new QTimer(this);
    pause->setSingleShot(true);
    pause->setInterval(300);
    connect(pause, &QTimer::timeout, this, save);
    connect(horizontalHeader(), &QHeaderView::sectionResized, pause, [this, pause](int section) {
        if (section != m_rest && !m_fitting && !isColumnHidden(section)) // that one only follows the window
            pause->start();
    });
}

void RecordTable::wrap()
{
    setWordWrap(true);
    m_fits = false;
    m_wraps = true;
    horizontalHeader()->setSectionResizeMode(m_rest, QHeaderView::Interactive);
    horizontalHeader()->setSectionResizeMode(model()->columnCount() - 1, QHeaderView::Stretch);
    connect(model(), &QAbstractItemModel::dataChanged, this, &QTableView::resizeRowsToContents);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, &QTableView::resizeRowsToContents);
}

void RecordTable::keyPressEvent(QKeyEvent *event)
{
    if (beginSelection(*this, *event))
        return;
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    const auto move = [&](int key) {
        QKeyEvent arrow(QEvent::KeyPress, key, Qt::NoModifier);
        QTableView::keyPressEvent(&arrow);
    };
    if (plain && event->key() == Qt::Key_J)
        move(Qt::Key_Down);
    else if (plain && event->key() == Qt::Key_K)
        move(Qt::Key_Up);
    else if (plain && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        Q_EMIT openRequested(chosen());
    else if (event->modifiers() == Qt::NoModifier && (event->key() == Qt::Key_Home || event->key() == Qt::Key_End)
             && model()->rowCount() > 0)
        selectRow(event->key() == Qt::Key_Home ? 0 : model()->rowCount() - 1); // rows are what is chosen, not cells
    else
        QTableView::keyPressEvent(event);
}

// When the chosen row goes, none is chosen. Qt would choose its neighbour, on which the next click would act.
void RecordTable::rowsAboutToBeRemoved(const QModelIndex &parent, int start, int end)
{
    const int current = selectionMode() == SingleSelection ? currentIndex().row() : -1;
    if (current >= start && current <= end)
        selectionModel()->clear();
    QTableView::rowsAboutToBeRemoved(parent, start, end);
}

void RecordTable::selectionChanged(const QItemSelection &selected, const QItemSelection &deselected)
{
    QTableView::selectionChanged(selected, deselected);
    Q_EMIT chosenChanged(chosen());
}

RecordList::RecordList(QList<RecordColumn> columns, const QString &accessibleName, QWidget *parent)
    : QWidget(parent)
    , m_model(new RecordModel(std::move(columns), this))
    , m_table(new RecordTable(m_model, this))
    , m_empty(new EmptyState(this))
    , m_footBox(new QWidget(this))
    , m_foot(plainLabel({}, m_footBox))
    , m_more(new QPushButton(tr("Load more"), m_footBox))
{
    m_table->setAccessibleName(accessibleName);
    m_foot->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long text must not widen the window
    m_empty->setAutoFillBackground(true);
    m_empty->setBackgroundRole(QPalette::Base);
    m_stack = new QStackedLayout;
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    m_stack->setCurrentWidget(m_empty);
    const int gap = fontMetrics().height() / 2;
    auto *foot = new QHBoxLayout(m_footBox);
    foot->setContentsMargins(gap, gap / 2, gap, gap / 2);
    foot->addWidget(m_foot, 1);
    foot->addWidget(m_more);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addLayout(m_stack, 1);
    layout->addWidget(m_footBox);
    connect(m_more, &QPushButton::clicked, this, &RecordList::moreRequested);
    setFoot({});
}

void RecordList::setRecords(const QList<Record> &records, RecordModel::Order order)
{
    m_model->setRecords(records, order);
    m_table->makeRoom(records);
    m_stack->setCurrentWidget(records.isEmpty() ? static_cast<QWidget *>(m_empty) : m_table);
    if (!records.isEmpty() && hasFocus())
        m_table->setFocus();
}

bool RecordList::showsEmpty() const
{
    return m_stack->currentWidget() == m_empty;
}

void RecordList::setFoot(const QString &text, More more, const QString &word)
{
    m_more->setText(word.isEmpty() ? tr("Load more") : word);
    m_foot->setText(text);
    m_more->setVisible(more != More::None);
    m_more->setEnabled(more == More::Offered);
    m_footBox->setVisible(!text.isEmpty() || more != More::None);
}

} // namespace junban::ui
