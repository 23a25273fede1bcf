#include "ui/widgets/page.h"

#include "core/base/clock.h"
#include "ui/base/reasontexts.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/flowlayout.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/recordlist.h"
#include "ui/widgets/steadybutton.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <algorithm>

namespace junban::ui {

namespace {

constexpr qint64 due_ms = 5'000; // what was to come so long ago is late; before, the list is only older than the moment

} // namespace

Page::Page(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent)
    : QWidget(parent)
    , m_client(client)
    , m_feed(feed)
    , m_preferences(preferences)
{
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &Page::refreshInTurn);
    connect(&m_feed, &Feed::arrived, this, &Page::refreshInTurn);
    connect(&m_feed, &Feed::changed, this, [this](const QList<Topic> &topics) {
        // Of jobs, and operations on them, there may be news several times a second.
        const bool isRare = std::any_of(topics.begin(), topics.end(),
            [](Topic topic) { return topic != Topic::Jobs && topic != Topic::Operations; });
        if (isVisible() && isRare)
            refresh();
    });
}

void Page::refreshInTurn()
{
    const qint64 now_ms = Clock::monotonic_ms(), next_ms = m_refreshedAt_ms + refresh_ms;
    if (!isVisible() || m_soon.isActive())
        return;
    if (now_ms < next_ms) {
        m_soon.start(int(next_ms - now_ms));
        return;
    }
    m_refreshedAt_ms = now_ms;
    refresh();
}

void Page::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

QString Page::fromNow(qint64 at_ms) const
{
    return fromNow(at_ms, {});
}

QString Page::fromNow(qint64 at_ms, const QByteArray &zone) const
{
    if (at_ms <= 0)
        return {};
    const qint64 now_ms = m_feed.now_ms();
    const QString time = zone.isEmpty() ? format().timeToday(at_ms, now_ms) : format().timeIn(zone, at_ms, now_ms);
    if (at_ms < now_ms + 1000) // what opens with every job would change with every look
        return at_ms <= now_ms - due_ms ? tr("%1, now", "a time that has come").arg(time) : tr("now");
    return tr("%1, in %2", "a time and a duration").arg(time, format().age(at_ms - now_ms));
}

QString Page::ago(qint64 at_ms) const
{
    if (at_ms <= 0)
        return {};
    return tr("%1 ago", "a duration").arg(format().age(std::max<qint64>(0, m_feed.now_ms() - at_ms)));
}

void Page::focusList()
{
    (m_main->showsEmpty() ? static_cast<QWidget *>(m_main) : m_main->table())->setFocus();
}

void Page::arrange(const QList<QWidget *> &heads, RecordList *list, QWidget *detail, Detail shown)
{
    setMainList(list);
    auto *split = new QSplitter(Qt::Vertical, this);
    split->setChildrenCollapsible(false);
    split->addWidget(list);
    split->addWidget(detail);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    detail->setVisible(shown == Detail::Shown);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    for (QWidget *head : heads)
        layout->addWidget(head);
    layout->addWidget(split, 1);
}

QVBoxLayout *Page::layOutDetail(QWidget *box, const QList<QWidget *> &lines, const QList<QAction *> &actions) const
{
    const int gap = fontMetrics().height() / 2;
    auto *buttons = new FlowLayout;
    buttons->setSpacing(gap / 2);
    addButtons(buttons, actions, box);
    auto *head = new QVBoxLayout;
    head->setContentsMargins(gap, gap, gap, gap);
    head->setSpacing(gap / 2);
    for (QWidget *line : lines)
        head->addWidget(line);
    head->addLayout(buttons);
    auto *layout = new QVBoxLayout(box);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addLayout(head);
    return layout;
}

void Page::openJobsOf(RecordList *list)
{
    connect(list->table(), &RecordTable::openRequested, this, [this](const QByteArray &key) {
        if (const std::optional<JobId> id = JobId::fromText(key.split(' ').last()))
            Q_EMIT openJobRequested(*id);
    });
    connect(list->table(), &QAbstractItemView::clicked, this, [this, list] {
        if (const std::optional<JobId> id = JobId::fromText(list->table()->chosen().split(' ').last()))
            Q_EMIT jobClicked(*id);
    });
}

QHBoxLayout *Page::headLine(QWidget *box) const
{
    auto *layout = new QHBoxLayout(box);
    const int gap = fontMetrics().height() / 2;
    layout->setContentsMargins(gap, gap, gap, gap);
    return layout;
}

QLabel *Page::titleLabel(QWidget *box) const
{
    QLabel *label = plainLabel({}, box);
    QFont bold = font();
    bold.setBold(true);
    label->setFont(bold);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}

QLabel *Page::aboutLabel(QWidget *box)
{
    QLabel *label = plainLabel({}, box);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}

QMenu *Page::offer(RecordList *list, const QList<QAction *> &actions, const Prepare &prepare)
{
    auto *menu = new QMenu(this);
    menu->addActions(actions);
    connect(list->table(), &QWidget::customContextMenuRequested, menu, [list, menu, prepare](const QPoint &at) {
        const QModelIndex cell = list->table()->indexAt(at);
        if (cell.isValid() && prepare)
            prepare(menu, cell);
        const QList<QAction *> offered = menu->actions();
        if (cell.isValid() && std::any_of(offered.begin(), offered.end(), std::mem_fn(&QAction::isEnabled)))
            menu->popup(list->table()->viewport()->mapToGlobal(at));
    });
    return menu;
}

void Page::addButtons(QLayout *layout, const QList<QAction *> &actions, QWidget *box)
{
    for (QAction *action : actions) {
        auto *button = new SteadyButton(action, box);
        layout->addWidget(button);
        // A menu hides invisible actions by itself; a button does not.
        connect(action, &QAction::visibleChanged, button, [action, button] { button->setVisible(action->isVisible()); });
    }
}

bool Page::saidUnknown(EmptyState *empty, const QString &unreadable) const
{
    if (m_error)
        empty->say(Icon::Warning, unreadable, reasonText(m_error->reason), tr("Try again"));
    else if (!m_known)
        empty->say(Icon::Hourglass, tr("Loading…"), {});
    return m_error || !m_known;
}

QString Page::refusal(const Error &error)
{
    if (error.code == ErrorCode::RevisionMismatch)
        return tr("Someone else changed it meanwhile; nothing was done.");
    return tr("Refused: %1").arg(reasonText(error.reason));
}

} // namespace junban::ui
