#include "ui/shell/palettedialog.h"

#include "client/filtercalls.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/operations/operationtexts.h"
#include "ui/widgets/labels.h"

#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace junban::ui {

namespace {

constexpr int known_max = 500;   // names, JobMatchers, schedules and workers that are asked for
constexpr int pause_ms = 250;

QString plainText(QString text)
{
    // Japanese menus have their key after the text: "終了(&Q)".
    const qsizetype bracket = text.indexOf(QLatin1String("(&"));
    if (bracket > 0)
        text.remove(bracket, 4);
    return text.remove(QLatin1Char('&'));
}

} // namespace

PaletteDialog::PaletteDialog(const QList<QAction *> &actions, client::ApiClient &client, const Format &format, PalettePlaces places,
                             QWidget *window)
    : QDialog(window)
    , m_actions(actions)
    , m_client(client)
    , m_format(format)
    , m_places(std::move(places))
    , m_input(new QLineEdit(this))
    , m_list(new QListWidget(this))
    , m_hint(plainLabel({}, this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Commands"));
    m_input->setPlaceholderText(tr("A command, a screen, a name, a title, a worker, an operation, or a part of a job's ID"));
    m_input->setAccessibleName(m_input->placeholderText());
    m_list->setAccessibleName(tr("Commands"));
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_hint->setWordWrap(true);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_input->installEventFilter(this);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_input);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_hint);
    const int line = fontMetrics().height();
    resize(line * 36, line * 24);
    m_pause.setSingleShot(true);
    m_pause.setInterval(pause_ms);
    connect(&m_pause, &QTimer::timeout, this, [this] { askJobs({}); });
    connect(m_input, &QLineEdit::textChanged, this, [this] {
        m_client.cancel(m_call);
        m_jobs.clear();
        m_searched.clear();
        m_scanned = 0;
        m_list->clear(); // the first row becomes the current one
        m_pause.start();
        fill();
    });
    connect(m_input, &QLineEdit::returnPressed, this, &PaletteDialog::choose);
    connect(m_list, &QListWidget::itemClicked, this, &PaletteDialog::choose);
    ask();
    askWork();
    fill();
}

QString PaletteDialog::hint() const
{
    return m_hint->text();
}

void PaletteDialog::ask()
{
    m_client.names(known_max, {}, client::guarded<NamePage>(this, [this](const Result<NamePage> &page) {
        for (const NameRow &row : page.ok() ? page->names : QList<NameRow>())
            m_names.append({tr("Jobs: %1", "a name").arg(shown(row.name)), {}, [open = m_places.name, name = row.name] { open(name); }});
        fill();
    }));
    m_client.matchers(known_max, {}, client::guarded<client::MatcherPage>(this, [this](const Result<client::MatcherPage> &page) {
        for (const client::SavedMatcher &saved : page.ok() ? page->matchers : QList<client::SavedMatcher>()) {
            const JobMatcher &matcher = saved.matcher;
            const QByteArray constraint = matcher.constraints.isEmpty() ? QByteArray() : matcher.constraints.first().id;
            m_matchers.append({tr("JobMatcher: %1").arg(shown(matcher.title.isEmpty() ? matcher.id : matcher.title)),
                               shown(matcher.id), [open = m_places.matcher, id = matcher.id, constraint] { open(id, constraint); }});
        }
        fill();
    }));
    m_client.schedules(known_max, {}, client::guarded<SchedulePage>(this, [this](const Result<SchedulePage> &page) {
        for (const Schedule &each : page.ok() ? page->schedules : QList<Schedule>())
            m_schedules.append({tr("Schedule: %1").arg(shown(each.spec.title.isEmpty() ? each.id : each.spec.title)), shown(each.id),
                                [open = m_places.schedule, id = each.id] { open(id); }});
        fill();
    }));
}

void PaletteDialog::askWork()
{
    client::FilterCalls(m_client).filters(client::guarded<FilterList>(this, [this](const Result<FilterList> &list) {
        for (const SavedFilter &each : list.ok() ? list->filters : QList<SavedFilter>())
            m_filters.append({tr("Saved filter: %1").arg(shown(each.name)), shown(each.body.text),
                              [open = m_places.filter, each] { open(each); }});
        fill();
    }));
    m_client.workers(known_max, {}, client::guarded<WorkerPage>(this, [this](const Result<WorkerPage> &page) {
        for (const Worker &each : page.ok() ? page->workers : QList<Worker>())
            m_workers.append({tr("Worker: %1").arg(shown(each.worker)), {}, [open = m_places.worker, id = each.worker] { open(id); }});
        fill();
    }));
    m_client.operations(client::guarded<OperationList>(this, [this](const Result<OperationList> &list) {
        for (const BulkOperation &each : list.ok() ? list->operations : QList<BulkOperation>()) {
            if (each.state == OperationState::Prepared) // nobody has begun it
                continue;
            const QString text = tr("Operation: %1, %2", "what it does, a state").arg(OperationTexts::what(each),
                                                                                     OperationTexts::state(each.state));
            m_operations.append({text, shown(each.id) + QLatin1Char(' ') + shown(each.reason) + QLatin1Char(' ') + Look::actor(each.by),
                                 [open = m_places.operation, id = each.id] { open(id); }});
        }
        fill();
    }));
}

// Finds jobs by a part of their id; a whole id needs no search. The master looks at a bounded number of jobs for each page.
void PaletteDialog::askJobs(const QByteArray &cursor)
{
    static const QRegularExpression part(QStringLiteral("^[0-9A-Fa-f-]+$"));
    const QString typed = m_input->text().trimmed().toLower();
    if (typed.size() < idPart_min || !part.match(typed).hasMatch() || JobId::fromText(typed.toLatin1()))
        return;
    client::JobQuery query;
    query.match = "job.id.contains(\"" + typed.toLatin1() + "\")";
    query.limit = ofEach_max;
    query.cursor = cursor;
    m_call = m_client.jobs(query, client::guarded<JobPage>(this, [this, typed](const Result<JobPage> &page) {
        if (typed == m_input->text().trimmed().toLower() && page.ok())
            jobsCame(*page);
    }));
}

void PaletteDialog::jobsCame(const JobPage &page)
{
    for (const Job &job : page.jobs) {
        const QString id = QString::fromLatin1(job.id.text());
        m_jobs.append({tr("Job %1: %2", "an ID, a name").arg(id, shown(job.spec.name)), id,
                       [open = m_places.job, job = job.id] { open(job); }});
    }
    m_scanned += page.coverage.scanned;
    const bool goesOn = !page.next.isEmpty() && m_jobs.size() < ofEach_max;
    m_searched = goesOn ? tr("Looking for this ID: %1 of %2 jobs searched")
                              .arg(m_format.count(m_scanned), m_format.count(page.coverage.total)) : QString();
    fill();
    if (goesOn)
        askJobs(page.next);
}

void PaletteDialog::add(const QString &text, const std::function<void()> &open)
{
    new QListWidgetItem(text, m_list);
    m_opens.append(open);
}

void PaletteDialog::addKnown(const QList<Known> &known, const QString &typed)
{
    int found = 0;
    for (const Known &each : known) {
        if (!each.text.contains(typed, Qt::CaseInsensitive) && !each.id.contains(typed, Qt::CaseInsensitive))
            continue;
        if (++found <= ofEach_max)
            add(each.text, each.open);
    }
    if (found <= ofEach_max)
        return;
    add(tr("%Ln more: type on to see them", "of what was found", found - ofEach_max), {});
    m_list->item(m_list->count() - 1)->setFlags(Qt::NoItemFlags);
}

void PaletteDialog::fill()
{
    const QString typed = m_input->text().trimmed();
    const QString before = m_list->currentRow() > 0 ? m_list->currentItem()->text() : QString();
    m_list->clear();
    m_opens.clear();
    const std::optional<JobId> id = JobId::fromText(typed.toLatin1());
    if (id)
        add(tr("Open the job %1").arg(QString::fromLatin1(id->text())), [open = m_places.job, id = *id] { open(id); });
    const auto textsOf = [](const QAction *action) {
        return QStringList{plainText(action->text()), plainText(action->property(englishProperty).toString())};
    };
    QList<QAction *> meant;
    std::copy_if(m_actions.cbegin(), m_actions.cend(), std::back_inserter(meant), [&](const QAction *action) {
        const QStringList texts = textsOf(action);
        return action->isEnabled() && !texts.first().isEmpty() && !texts.filter(typed, Qt::CaseInsensitive).isEmpty();
    });
    // "res" is rather the beginning of a word than the end of "failures".
    std::stable_partition(meant.begin(), meant.end(), [&](const QAction *action) {
        const QStringList texts = textsOf(action);
        return std::any_of(texts.begin(), texts.end(), [&typed](const QString &text) {
            return text.startsWith(typed, Qt::CaseInsensitive) || text.contains(QLatin1Char(' ') + typed, Qt::CaseInsensitive);
        });
    });
    for (QAction *action : std::as_const(meant)) {
        const QString text = textsOf(action).first();
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        add(keys.isEmpty() ? text : tr("%1   (%2)", "a command and its key").arg(text, keys), [action] { action->trigger(); });
    }
    if (!typed.isEmpty()) {
        for (const QList<Known> *known : {&m_jobs, &m_names, &m_filters, &m_matchers, &m_schedules, &m_workers, &m_operations})
            addKnown(*known, typed);
        if (!id)
            add(tr("Show the jobs named “%1”").arg(shown(typed)), [open = m_places.name, name = typed.toUtf8()] { open(name); });
    }
    const QString hint = tr("Type a part of a name, of the title or ID of a JobMatcher or a schedule, of a worker, of an operation or its"
                            " reason, or at least %Ln character(s) of a job's ID. Enter opens what is selected.", nullptr, idPart_min);
    m_hint->setText(typed.isEmpty() ? hint : m_searched);
    m_hint->setVisible(!m_hint->text().isEmpty());
    // What comes from the master moves the rows; one that was chosen stays so.
    const QList<QListWidgetItem *> same = m_list->findItems(before, Qt::MatchExactly);
    m_list->setCurrentRow(same.isEmpty() ? 0 : m_list->row(same.first()));
}

void PaletteDialog::choose()
{
    const std::function<void()> open = m_opens.value(m_list->currentRow());
    if (!open)
        return;
    close();
    open();
}

bool PaletteDialog::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_input && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        const int rows = m_list->count();
        if ((key == Qt::Key_Down || key == Qt::Key_Up) && rows > 0) {
            m_list->setCurrentRow((m_list->currentRow() + (key == Qt::Key_Down ? 1 : rows - 1)) % rows);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace junban::ui
