#include "ui/operations/bulkwork.h"

#include "core/base/clock.h"
#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/operations/operationtexts.h"
#include "ui/widgets/question.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QSpinBox>
#include <algorithm>
#include <utility>

namespace junban::ui {

namespace {

const QByteArray prefix = "operation ";

bool isUnderWay(const BulkOperation &operation)
{
    return operation.state == OperationState::Running || operation.state == OperationState::Paused;
}

} // namespace

BulkWork::BulkWork(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *window)
    : QObject(window)
    , m_client(client)
    , m_feed(feed)
    , m_preferences(preferences)
    , m_window(window)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &BulkWork::look);
    connect(&m_feed, &Feed::changed, this, [this](const QList<Topic> &topics) {
        if (topics.contains(Topic::Operations))
            lookSoon();
    });
    // At first; and now and then, as a master may be one that does not tell of changes.
    connect(&m_feed, &Feed::arrived, this, [this] {
        if (m_going.empty() && m_window->isVisible() && !m_window->isMinimized() && Clock::monotonic_ms() - m_lookedAt_ms >= unasked_ms)
            look();
    });
    connect(&m_preferences, &Preferences::formatChanged, this, &BulkWork::say);
}

std::optional<QByteArray> BulkWork::operationOf(const QByteArray &key)
{
    return key.startsWith(prefix) ? std::optional(key.mid(prefix.size())) : std::nullopt;
}

void BulkWork::ask(const Wanted &wanted)
{
    NewOperation operation;
    operation.action = wanted.action;
    operation.selection = wanted.selection;
    prepare(wanted, operation, "prepare " + QByteArray::number(++m_preparing));
}

void BulkWork::prepare(const Wanted &wanted, const NewOperation &operation, const QByteArray &key)
{
    const auto came = [this, wanted, key, viewed = !operation.view.isEmpty()](const Result<OperationPreview> &preview) {
        if (!preview.ok() && preview.error().code == ErrorCode::Conflict && !viewed) {
            gather(wanted, key); // so many jobs that one call has not the time
            return;
        }
        Q_EMIT working(key, {}, {});
        if (!preview.ok())
            sayRefused(preview.error());
        else if (preview->jobs == 0)
            Q_EMIT failed(tr("Not possible for any of these jobs."));
        else if (preview->action == BulkAction::Cancel)
            confirmCancel(wanted, *preview);
        else
            confirm(wanted, *preview);
    };
    const client::CallId call = m_client.prepareOperation(operation, client::guarded<OperationPreview>(this, came));
    Q_EMIT working(key, tr("Counting the jobs…"), [this, call] { m_client.cancel(call); });
}

void BulkWork::sayRefused(const Error &error)
{
    if (error.code != ErrorCode::Cancelled)
        Q_EMIT failed(tr("Refused: %1").arg(reasonText(error.reason)));
}

void BulkWork::gather(const Wanted &wanted, const QByteArray &key)
{
    const auto came = [this, wanted, key](const Result<View> &view) { gathered(wanted, key, view); };
    const client::CallId call = m_client.createView(wanted.selection, client::guarded<View>(this, came));
    Q_EMIT working(key, tr("Gathering the jobs…"), [this, call] { m_client.cancel(call); });
}

void BulkWork::gathered(const Wanted &wanted, const QByteArray &key, const Result<View> &view)
{
    if (!view.ok()) {
        Q_EMIT working(key, {}, {});
        sayRefused(view.error());
        return;
    }
    if (!view->building) {
        NewOperation operation;
        operation.action = wanted.action;
        operation.view = view->id;
        prepare(wanted, operation, key);
        return;
    }
    const QString soFar = tr("Gathering the jobs: %1 so far").arg(m_preferences.format().count(view->count));
    auto *pause = new QTimer(this);
    connect(pause, &QTimer::timeout, this, [this, wanted, key, id = view->id, pause, soFar] {
        pause->deleteLater();
        const auto came = [this, wanted, key](const Result<ViewPage> &page) {
            gathered(wanted, key, page.ok() ? Result<View>(page->view) : Result<View>(page.error()));
        };
        const client::CallId call = m_client.view(id, 0, 0, client::guarded<ViewPage>(this, came));
        Q_EMIT working(key, soFar, [this, call] { m_client.cancel(call); });
    });
    pause->setSingleShot(true);
    pause->start(look_ms);
    Q_EMIT working(key, soFar, [this, key, pause = QPointer(pause)] {
        delete pause;
        Q_EMIT working(key, {}, {});
    });
}

// Of many jobs that are cancelled only the last ones are kept.
void BulkWork::confirmCancel(const Wanted &wanted, const OperationPreview &preview)
{
    const auto came = [this, wanted, preview](const Result<client::KeptSettings> &kept) {
        const std::optional<qint64> most = kept.ok() ? kept->settings.all.cancelled.count : std::nullopt;
        QStringList more;
        if (most && preview.jobs > *most)
            more.append(tr("Only the last %1 cancelled jobs are kept; the rest are removed at once and cannot be retried.")
                            .arg(m_preferences.format().count(*most)));
        confirm(wanted, preview, more);
    };
    m_client.retention(client::guarded<client::KeptSettings>(this, came));
}

// The pace is set here, because how many jobs there are decides whether one wants it.
void BulkWork::confirm(const Wanted &wanted, const OperationPreview &preview, const QStringList &more)
{
    if (!m_window)
        return;
    auto *pace = new QWidget(m_window);
    auto *rate = new QSpinBox(pace);
    rate->setObjectName(QStringLiteral("rate"));
    rate->setRange(0, int(limits::operation_rate_max));
    rate->setSpecialValueText(tr("as fast as possible"));
    rate->setSuffix(tr(" jobs a second", "behind a number"));
    rate->setAccessibleName(tr("Pace"));
    auto *layout = new QHBoxLayout(pace);
    layout->setContentsMargins({});
    auto *label = new QLabel(tr("Pace"), pace);
    label->setTextFormat(Qt::PlainText);
    label->setBuddy(rate);
    layout->addWidget(label);
    layout->addWidget(rate, 1);
    QStringList lines = OperationTexts::preview(preview, m_preferences.format()) + more;
    if (wanted.action == BulkAction::Delete)
        lines.append(tr("They stay in the trash for 24 hours."));
    if (!wanted.what.isEmpty())
        lines.prepend(wanted.what);
    const Question question{OperationTexts::question(preview.action, preview.jobs), lines.join(QLatin1Char('\n')),
                            OperationTexts::button(preview.action, preview.jobs), Question::Weight::Normal, pace,
                            preview.action == BulkAction::Cancel ? tr("Close") : QString()};
    junban::ui::ask(m_window, m_client, question, [this, preview, rate] { // the box still exists
        if (rate->value() > 0)
            startAt(rate->value(), preview);
        else
            start(preview.token);
    });
}

// The pace belongs to the dry run, so there is another one, of the same view.
void BulkWork::startAt(double rate, const OperationPreview &preview)
{
    NewOperation operation;
    operation.action = preview.action;
    operation.view = preview.view;
    operation.rate = rate;
    m_client.prepareOperation(operation, client::guarded<OperationPreview>(this, [this](Result<OperationPreview> prepared) {
        if (prepared.ok())
            start(prepared->token);
        else
            Q_EMIT failed(tr("Refused: %1").arg(reasonText(prepared.error().reason)));
    }));
}

void BulkWork::start(const QByteArray &token)
{
    m_client.startOperation(token, client::guarded<BulkOperation>(this, [this](Result<BulkOperation> operation) {
        if (!operation.ok()) {
            Q_EMIT failed(tr("Refused: %1").arg(reasonText(operation.error().reason)));
            return;
        }
        Q_EMIT begun();
        follow(*operation);
    }));
}

void BulkWork::follow(const BulkOperation &operation)
{
    if (!isUnderWay(operation)) {
        ended({operation, true}, operation);
        Q_EMIT jobsChanged();
        return;
    }
    Going &going = m_going[operation.id];
    going.operation = operation;
    going.own = true;
    say();
    lookSoon();
}

void BulkWork::startOver()
{
    m_mayStop = true;
    look();
}

// While one runs there is news several times a second.
void BulkWork::lookSoon()
{
    if (m_looking)
        m_again = true;
    else if (m_going.empty())
        look();
    else if (!m_timer.isActive() || m_timer.remainingTime() > look_ms)
        m_timer.start(look_ms);
}

void BulkWork::look()
{
    if (std::exchange(m_looking, true)) {
        m_again = true;
        return;
    }
    m_timer.stop();
    m_again = false;
    m_lookedAt_ms = Clock::monotonic_ms();
    QByteArrayList asked;
    for (const auto &[id, going] : m_going)
        asked.append(id);
    m_client.operations(client::guarded<OperationList>(this, [this, asked](const Result<OperationList> &list) {
        m_looking = false;
        came(list, asked);
    }));
}

// `asked`: what was known to be under way before. What began since may be missing in the list.
void BulkWork::came(const Result<OperationList> &list, const QByteArrayList &asked)
{
    bool runs = m_again, ends = false;
    if (list.ok()) {
        QByteArrayList gone = asked;
        for (const BulkOperation &operation : list->operations) {
            gone.removeAll(operation.id);
            const auto known = m_going.find(operation.id);
            if (isUnderWay(operation)) {
                m_going[operation.id].operation = operation;
                runs = runs || operation.state == OperationState::Running;
            } else if (known != m_going.end() && operation.state != OperationState::Prepared) {
                const Going going = known->second;
                m_going.erase(known);
                ended(going, operation);
                ends = true;
            }
        }
        for (const QByteArray &id : std::as_const(gone)) {
            if (m_going.erase(id) > 0) {
                Q_EMIT working(prefix + id, {}, {});
                ends = true;
            }
        }
        say();
        if (ends)
            Q_EMIT jobsChanged();
    }
    if (runs || !m_going.empty())
        m_timer.start(runs ? look_ms : lookAgain_ms);
}

// Those that were begun here, and the first of the others.
void BulkWork::say()
{
    std::vector<Going *> others;
    for (auto &[id, going] : m_going) {
        if (going.own)
            sayOne(going);
        else
            others.push_back(&going);
        going.isShown = going.isShown || going.own;
    }
    std::stable_sort(others.begin(), others.end(), [](const Going *a, const Going *b) {
        return std::pair(!a->isShown, a->operation.startedAt_ms) < std::pair(!b->isShown, b->operation.startedAt_ms);
    });
    const size_t each = std::min(others.size(), size_t(others_max));
    for (size_t i = 0; i < each; ++i) {
        others[i]->isShown = true;
        sayOne(*others[i]);
    }
    const int more = int(others.size() - each);
    Q_EMIT working(prefix, more > 0 ? tr("%Ln more operation(s) under way", nullptr, more) : QString(), {});
}

void BulkWork::sayOne(const Going &going)
{
    const BulkOperation &operation = going.operation;
    QString text = OperationTexts::progress(operation, m_preferences.format());
    if (!going.own && !operation.by.isEmpty())
        text = tr("%1 · by %2", "the progress of an operation, who began it").arg(text, Look::actor(operation.by));
    std::function<void()> stopping;
    if (m_mayStop)
        stopping = [this, id = operation.id] { stop(id); };
    Q_EMIT working(prefix + operation.id, text, stopping);
}

// The window does not know its token's role. Who was refused is not offered it again.
void BulkWork::stop(const QByteArray &id)
{
    m_client.stopOperation(id, client::guarded<BulkOperation>(this, [this](Result<BulkOperation> answer) {
        if (answer.ok()) {
            lookSoon();
            return;
        }
        m_mayStop = m_mayStop && answer.error().code != ErrorCode::Forbidden;
        say();
        Q_EMIT failed(tr("Refused: %1").arg(reasonText(answer.error().reason)));
    }));
}

void BulkWork::ended(const Going &going, const BulkOperation &operation)
{
    Q_EMIT working(prefix + operation.id, {}, {});
    if (!going.own)
        return;
    const QString text = OperationTexts::outcome(operation, m_preferences.format());
    const QString undoing = operation.action == BulkAction::Retry ? tr("Undo: cancel those not started") : tr("Undo");
    if (operation.undoable)
        Q_EMIT done(text, undoing, [this, id = operation.id] { undo(id); });
    else
        Q_EMIT done(text, {}, {});
}

void BulkWork::undo(const QByteArray &id)
{
    m_client.undoOperation(id, client::guarded<BulkOperation>(this, [this](Result<BulkOperation> operation) {
        if (operation.ok())
            follow(*operation);
        else
            Q_EMIT failed(tr("Refused: %1").arg(reasonText(operation.error().reason)));
    }));
}

} // namespace junban::ui
