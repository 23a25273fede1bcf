#include "ui/jobs/jobcolumns.h"

#include "ui/base/look.h"
#include "ui/jobs/jobtablemodel.h"
#include "ui/jobs/jobtableview.h"

#include <QEvent>
#include <QHeaderView>
#include <QMenu>
#include <QMouseEvent>
#include <QStyle>

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

// The columns shown at first, in this order, which is also the order of their importance. The others can be chosen in the header's menu.
QList<Column> firstColumns(std::optional<JobState> state)
{
    using enum JobTableModel::Column;
    if (!state)
        return {State, Name, Age, HeldBy, Attempts, Argument, NextRun, Worker, Message, Priority, Duration, Id};
    switch (*state) {
    case JobState::Depends: return {State, Name, Priority, Attempts, Age, Argument, Tags, Id};
    case JobState::Ready: return {State, Name, Priority, HeldBy, Age, Attempts, Argument, Tags, Message, Id};
    case JobState::Scheduled: return {State, Name, NextRun, Priority, Attempts, Message, Argument, Age, Id};
    case JobState::Running:
    case JobState::Awaiting: return {State, Name, Worker, Duration, Timeout, Attempts, Priority, Argument, Age, Id};
    case JobState::Succeeded: return {State, Name, Finished, Attempts, Duration, Worker, Argument, Tags, Id};
    case JobState::Failed: return {State, Name, Message, Finished, Attempts, Argument, Worker, Duration, Reason, Id};
    case JobState::Cancelled: return {State, Name, Message, Finished, Reason, Attempts, Argument, Worker, Duration, Id};
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
    case Column::Message: return 44;
    case Column::Argument: return 36;
    case Column::Tags: return 16;
    case Column::HeldBy: return 32;
    case Column::Reason: return 22;
    case Column::Enqueued:
    case Column::Started:
    case Column::Finished: return 20;
    case Column::Id: return 16; // the inspector has it whole
    case Column::columns: break;
    }
    return 0;
}

// How many of them a column keeps where the table is narrow.
int leastCharactersOf(Column column)
{
    switch (column) {
    case Column::Name: return 20;
    case Column::Message: return 28; // what one looks for among failed jobs
    case Column::Id: return charactersOf(column);
    default: return charactersOf(column) / 2;
    }
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
    header->viewport()->installEventFilter(this);
    connect(header, &QHeaderView::sectionResized, this, &JobColumns::changed);
    connect(header, &QHeaderView::sectionMoved, this, &JobColumns::changed);
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
    m_view.setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    if (saved.isEmpty() || !m_view.horizontalHeader()->restoreState(saved))
        reset();
    else
        keepStates();
}

// What the word of any state needs, also that of a job that has left the list and is still selected.
int JobColumns::stateNeeds() const
{
    const QFontMetrics metrics = m_view.fontMetrics();
    int widest = 0;
    for (const QString &text : {JobTableModel::heldReady(), JobTableModel::cancelling(), JobTableModel::running(100)})
        widest = std::max(widest, metrics.horizontalAdvance(text));
    for (const JobState state : Look::states())
        widest = std::max(widest, metrics.horizontalAdvance(Look::word(state)));
    const QStyle &style = *m_view.style();
    const int gap = style.pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, &m_view) + 1; // on both sides of the icon and of the text
    return widest + style.pixelMetric(QStyle::PM_SmallIconSize, nullptr, &m_view) + 4 * gap + characterWidth(metrics);
}

// A column that the operator made, or that was made in another language, has room for them, too.
void JobColumns::keepStates()
{
    QHeaderView *header = m_view.horizontalHeader();
    if (header->sectionSize(Column::State) < stateNeeds())
        header->resizeSection(Column::State, stateNeeds());
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

int JobColumns::wantedBy(int column) const
{
    const int character = characterWidth(m_view.fontMetrics());
    const int hint = std::max(charactersOf(Column(column)) * character, m_view.horizontalHeader()->sectionSizeHint(column));
    return column == Column::State ? std::max(hint, stateNeeds()) : hint;
}

int JobColumns::neededBy(int column) const
{
    if (!isFlexible(Column(column)))
        return wantedBy(column);
    const int character = characterWidth(m_view.fontMetrics());
    const bool isTime = column == Column::Enqueued || column == Column::Started || column == Column::Finished;
    const int time = isTime ? m_view.fontMetrics().horizontalAdvance(QStringLiteral("0000-00-00 00:00:00")) + character : 0; // not cut
    return std::max({leastCharactersOf(Column(column)) * character, time, m_view.horizontalHeader()->sectionSizeHint(column)});
}

// Makes the columns as wide as the table: first those that can become narrower do, then those that matter least are left out. So there is
// nothing to scroll to; a bar that comes and goes would resize the table again.
void JobColumns::fit()
{
    QHeaderView *header = m_view.horizontalHeader();
    const int room = m_view.viewport()->width();
    m_view.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_fitted = room;
    header->setStretchLastSection(false); // else the one that was last keeps the width to which it was stretched
    const QList<Column> first = firstColumns(m_state);
    for (const Column column : first)
        header->setSectionHidden(column, false); // a hidden one does not say how wide its title is
    QList<Column> kept;
    int needed = 0, wanted = 0;
    for (const Column column : first) {
        const int least = neededBy(column);
        const bool fits = kept.isEmpty() || needed + least <= room;
        header->setSectionHidden(column, !fits);
        if (!fits)
            continue;
        kept.append(column);
        needed += least;
        wanted += wantedBy(column);
    }
    const double part = wanted > needed ? std::clamp(double(room - needed) / double(wanted - needed), 0.0, 1.0) : 1;
    for (const Column column : std::as_const(kept)) {
        const int least = neededBy(column);
        header->resizeSection(column, least + int(part * (wantedBy(column) - least)));
    }
    header->setStretchLastSection(true);
}

bool JobColumns::eventFilter(QObject *watched, QEvent *event)
{
    // Other events come also while the table is destroyed, and must not touch it.
    const QEvent::Type type = event->type();
    if (type == QEvent::MouseButtonPress || type == QEvent::MouseButtonDblClick || type == QEvent::MouseButtonRelease) {
        if (watched == m_view.horizontalHeader()->viewport())
            m_held = type != QEvent::MouseButtonRelease && static_cast<QMouseEvent *>(event)->button() == Qt::LeftButton;
    } else if (type == QEvent::Resize && watched != m_view.horizontalHeader()->viewport() && m_shown && !m_pause.isActive()
               && m_view.viewport()->width() != m_fitted && m_preferences.layout(headerKey(m_state)).isEmpty()) {
        fit();
    }
    return QObject::eventFilter(watched, event);
}

// The header also changes sections by itself, when it is resized; that is no wish of the operator.
void JobColumns::changed()
{
    if (m_held)
        m_pause.start();
}

void JobColumns::save()
{
    m_pause.stop();
    keepStates();
    m_view.setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    m_preferences.setLayout(headerKey(m_state), m_view.horizontalHeader()->saveState());
}

void JobColumns::menu(const QPoint &at)
{
    m_held = false; // the menu gets the release
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
