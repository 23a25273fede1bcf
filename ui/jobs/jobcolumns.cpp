#include "ui/jobs/jobcolumns.h"

#include "ui/base/look.h"
#include "ui/jobs/jobtablemodel.h"
#include "ui/jobs/jobtableview.h"

#include <QEvent>
#include <QHeaderView>
#include <QMenu>

#include <algorithm>

namespace junban::ui {

namespace {

constexpr int pause_ms = 250;

using Column = JobTableModel::Column;

// Each tab keeps its own columns.
QString headerKey(std::optional<JobState> state)
{
    return QStringLiteral("jobs/columns-") + QLatin1String(state ? stateWord(*state) : "all");
}

// The columns shown at first, in this order. The others can be chosen in the header's menu.
QList<Column> firstColumns(std::optional<JobState> state)
{
    using enum JobTableModel::Column;
    if (!state)
        return {State, Name, Priority, Attempts, Age, NextRun, HeldBy, Worker, Duration, Message, Argument, Id};
    switch (*state) {
    case JobState::Depends: return {State, Name, Priority, Attempts, Age, Argument, Tags, Id};
    case JobState::Ready: return {State, Name, Priority, Attempts, Age, HeldBy, Argument, Tags, Message, Id};
    case JobState::Scheduled: return {State, Name, NextRun, Priority, Attempts, Message, Argument, Age, Id};
    case JobState::Running:
    case JobState::Awaiting: return {State, Name, Worker, Duration, Timeout, Attempts, Priority, Argument, Age, Id};
    case JobState::Succeeded: return {State, Name, Finished, Attempts, Duration, Worker, Argument, Tags, Id};
    case JobState::Failed:
    case JobState::Cancelled: return {State, Name, Finished, Reason, Message, Attempts, Argument, Worker, Duration, Id};
    }
    return {};
}

int charactersOf(Column column)
{
    switch (column) {
    case Column::State: return 15;
    case Column::Name: return 22;
    case Column::Priority:
    case Column::Attempts:
    case Column::Failures: return 9;
    case Column::Age:
    case Column::Duration: return 11;
    case Column::Timeout: return 11;
    case Column::NextRun:
    case Column::Size: return 13;
    case Column::Worker: return 16;
    case Column::Message: return 28;
    case Column::Argument: return 36;
    case Column::Tags: return 16;
    case Column::HeldBy: return 32;
    case Column::Reason: return 22;
    case Column::Enqueued:
    case Column::Started:
    case Column::Finished: return 24;
    case Column::Id: return 16; // the inspector has it whole
    case Column::columns: break;
    }
    return 0;
}

// How many of them a column keeps where the table is narrow.
int leastCharactersOf(Column column)
{
    return column == Column::Name ? 18 : charactersOf(column) / 2;
}

// What gives way where the table is narrow: texts that are cut well.
bool isFlexible(Column column)
{
    return column == Column::Name || column == Column::Message || column == Column::Argument || column == Column::Id
        || column == Column::HeldBy || column == Column::Worker || column == Column::Tags || column == Column::Reason
        || column == Column::Enqueued || column == Column::Started || column == Column::Finished;
}

} // namespace

JobColumns::JobColumns(JobTableView &view, Preferences &preferences, QObject *parent)
    : QObject(parent)
    , m_view(view)
    , m_preferences(preferences)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(pause_ms);
    connect(&m_pause, &QTimer::timeout, this, &JobColumns::save);
    m_view.viewport()->installEventFilter(this);
    QHeaderView *header = m_view.horizontalHeader();
    connect(header, &QWidget::customContextMenuRequested, this, &JobColumns::menu);
    connect(header, &QHeaderView::sectionResized, &m_pause, qOverload<>(&QTimer::start));
    connect(header, &QHeaderView::sectionMoved, &m_pause, qOverload<>(&QTimer::start));
}

void JobColumns::show(std::optional<JobState> state)
{
    if (m_shown && state == m_state)
        return;
    if (m_shown && m_pause.isActive())
        save();
    m_state = state;
    m_shown = true;
    restore();
}

void JobColumns::restore()
{
    const QByteArray saved = m_preferences.layout(headerKey(m_state));
    if (saved.isEmpty() || !m_view.horizontalHeader()->restoreState(saved))
        reset();
    m_pause.stop(); // these are no changes by the operator, so they are not saved
}

void JobColumns::reset()
{
    QHeaderView *header = m_view.horizontalHeader();
    const QList<Column> first = firstColumns(m_state);
    for (int column = 0; column < JobTableModel::columns; ++column)
        header->setSectionHidden(column, !first.contains(Column(column)));
    for (int place = 0; place < first.size(); ++place)
        header->moveSection(header->visualIndex(first[place]), place);
    fit();
}

// Makes the columns as wide as the table, if that is possible.
void JobColumns::fit()
{
    QHeaderView *header = m_view.horizontalHeader();
    const int character = characterWidth(m_view.fontMetrics());
    const QList<Column> first = firstColumns(m_state);
    int fixed = 0, flexible = 0;
    const auto wants = [&](Column column) {
        // One of the longest states, behind its icon.
        const int state = column == Column::State ? m_view.fontMetrics().horizontalAdvance(JobTableModel::heldReady()) + 5 * character : 0;
        return std::max({charactersOf(column) * character, header->sectionSizeHint(column), state});
    };
    for (const Column column : first)
        (isFlexible(column) ? flexible : fixed) += wants(column);
    const double share = flexible > 0 ? std::min(1.0, double(m_view.viewport()->width() - fixed) / flexible) : 1;
    for (const Column column : first) {
        const int wanted = wants(column);
        const int least = std::max(leastCharactersOf(column) * character, header->sectionSizeHint(column));
        header->resizeSection(column, isFlexible(column) ? std::max(least, int(wanted * share)) : wanted);
    }
    m_pause.stop(); // these are no changes by the operator, so they are not saved
}

bool JobColumns::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize && m_shown && !m_pause.isActive() && m_preferences.layout(headerKey(m_state)).isEmpty())
        fit();
    return QObject::eventFilter(watched, event);
}

void JobColumns::save()
{
    m_pause.stop();
    m_preferences.setLayout(headerKey(m_state), m_view.horizontalHeader()->saveState());
}

void JobColumns::menu(const QPoint &at)
{
    auto *menu = new QMenu(&m_view);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QHeaderView *header = m_view.horizontalHeader();
    for (int column = 0; column < JobTableModel::columns; ++column) {
        QAction *action = menu->addAction(JobTableModel::title(Column(column)));
        action->setCheckable(true);
        action->setChecked(!header->isSectionHidden(column));
        action->setEnabled(column != Column::State);
        connect(action, &QAction::toggled, this, [this, header, column](bool on) {
            header->setSectionHidden(column, !on);
            m_pause.start();
        });
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Reset columns")), &QAction::triggered, this, [this] {
        m_preferences.setLayout(headerKey(m_state), {});
        reset();
    });
    menu->popup(header->mapToGlobal(at));
}

} // namespace junban::ui
