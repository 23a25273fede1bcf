#include "ui/limits/conflictdialog.h"

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/recordlist.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

enum Version { Base, Theirs, Mine };
enum { NameColumn, BaseColumn, TheirsColumn, MineColumn, SideColumn };

// Copies one field of `from`. `key` is the key of the field's row (matcherRows).
void take(JobMatcher &into, const JobMatcher &from, const QByteArray &key)
{
    if (key == "title")
        into.title = from.title;
    else if (key == "expression")
        into.expression = from.expression;
    else if (key == "note")
        into.note = from.note;
    else if (key == "enabled")
        into.enabled = from.enabled;
    else if (key == "rank")
        into.rank = from.rank;
    else if (key == "exempts")
        into.exempts = from.exempts;
    else if (key == "mask")
        into.mask = from.mask;
}

// Copies a constraint of `from`: adds it where it is new, removes it where `from` has none.
void takeConstraint(JobMatcher &into, const JobMatcher &from, const QByteArray &key)
{
    const QList<QByteArray> fromKeys = constraintKeys(from), intoKeys = constraintKeys(into);
    const qsizetype source = fromKeys.indexOf(key), target = intoKeys.indexOf(key);
    if (source < 0 && target >= 0)
        into.constraints.removeAt(target);
    else if (source >= 0 && target >= 0)
        into.constraints[target] = from.constraints[source];
    else if (source >= 0)
        into.constraints.append(from.constraints[source]);
}

} // namespace

ConflictDialog::ConflictDialog(const JobMatcher &base, const JobMatcher &theirs, const JobMatcher &mine, const Format &format,
                               QWidget *window)
    : QDialog(window)
    , m_theirMatcher(theirs)
    , m_myMatcher(mine)
    , m_rows(differencesOf({base, theirs, mine}, format))
    , m_list(new RecordList({{tr("Field"), 16}, {tr("Original"), 38}, {tr("Now, by %1").arg(Look::actor(theirs.editedBy)), 38},
                             {tr("Yours"), 38}, {tr("Keep"), 12}}, tr("Differences"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Changed by someone else"));
    for (const MatcherDifference &row : std::as_const(m_rows)) {
        const bool theirsOnly = row.values[Mine] == row.values[Base], same = row.values[Mine] == row.values[Theirs];
        const bool mineOnly = row.values[Theirs] == row.values[Base];
        m_sides.append(theirsOnly || same ? Side::Theirs : mineOnly ? Side::Mine : Side::Open);
    }
    auto *head = plainLabel(tr("Revision %1 was saved at %2 while you were editing. Choose which version to keep, or press T for "
                               "theirs and M for yours.")
                                .arg(QString::number(theirs.revision), format.dateTime(theirs.editedAt_ms)), this);
    head->setWordWrap(true);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(head);
    layout->addWidget(m_list, 1);
    layout->addWidget(buildButtons());
    connect(m_list->table(), &QTableView::clicked, this, [this](const QModelIndex &index) {
        if (index.column() == TheirsColumn || index.column() == MineColumn)
            choose(m_list->table()->chosen().toInt(), index.column() == MineColumn ? Side::Mine : Side::Theirs);
    });
    const auto onKey = [this](Qt::Key key, Side side) {
        auto *action = new QAction(m_list);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, [this, side] {
            if (!m_list->table()->chosen().isEmpty())
                choose(m_list->table()->chosen().toInt(), side);
        });
        m_list->addAction(action);
    };
    onKey(Qt::Key_T, Side::Theirs);
    onKey(Qt::Key_M, Side::Mine);
    say();
    m_list->table()->selectRow(0);
    const int line = fontMetrics().height();
    resize(line * 76, line * 24);
}

QWidget *ConflictDialog::buildButtons()
{
    auto *buttons = new QDialogButtonBox(this);
    m_go = buttons->addButton(tr("&Save this"), QDialogButtonBox::AcceptRole);
    m_theirs = buttons->addButton(tr("All &theirs"), QDialogButtonBox::ActionRole);
    m_mine = buttons->addButton(tr("All &mine"), QDialogButtonBox::ActionRole);
    QPushButton *back = buttons->addButton(tr("Keep editing"), QDialogButtonBox::RejectRole);
    back->setDefault(true);
    connect(m_mine, &QPushButton::clicked, this, [this] { chooseAll(Side::Mine); });
    connect(m_theirs, &QPushButton::clicked, this, [this] { chooseAll(Side::Theirs); });
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT chosen(merged());
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    return buttons;
}

void ConflictDialog::choose(int row, Side side)
{
    if (row < 0 || row >= m_sides.size())
        return;
    m_sides[row] = side;
    say();
}

void ConflictDialog::chooseAll(Side side)
{
    m_sides.fill(side);
    say();
}

JobMatcher ConflictDialog::merged() const
{
    JobMatcher matcher = m_theirMatcher;
    for (int row = 0; row < m_rows.size(); ++row) {
        if (m_sides[row] != Side::Mine)
            continue;
        if (m_rows[row].key.startsWith(constraintRow))
            takeConstraint(matcher, m_myMatcher, m_rows[row].key);
        else
            take(matcher, m_myMatcher, m_rows[row].key);
    }
    return matcher;
}

void ConflictDialog::say()
{
    QList<Record> records;
    for (int row = 0; row < m_rows.size(); ++row) {
        const MatcherDifference &field = m_rows[row];
        const Side side = m_sides[row];
        Record record{QByteArray::number(row), {}};
        record.cells.append({field.name, {}, side == Side::Open ? Look::icon(Icon::Warning) : QIcon(),
                             side == Side::Open ? Tone::Amber : Tone::Plain});
        for (const Version version : {Base, Theirs, Mine}) {
            const QString &text = field.texts[version];
            const bool stands = (version == Theirs && side == Side::Theirs) || (version == Mine && side == Side::Mine);
            record.cells.append({text.isEmpty() ? tr("none") : text, {}, stands ? Look::icon(Icon::Check) : QIcon(),
                                 stands ? Tone::Good : text.isEmpty() ? Tone::Faint : Tone::Plain});
        }
        const QString words[] = {tr("choose"), tr("theirs"), tr("yours")};
        record.cells.append({words[size_t(side)], {}, {}, side == Side::Open ? Tone::Amber : Tone::Plain});
        records.append(record);
    }
    m_list->setRecords(records);
    m_list->empty()->say(Icon::Check, tr("No differences"), {});
    m_go->setEnabled(!m_sides.contains(Side::Open));
}

} // namespace junban::ui
