#include "ui/past/retentiondialog.h"

#include "core/base/durations.h"
#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/question.h"

#include <QComboBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

namespace junban::ui {

namespace {

constexpr int pause_ms = 300; // after the last change, until its jobs are counted

struct End {
    JobState state;
    Kept Retention::*kept;
};
constexpr std::array<End, 3> ends{{{JobState::Succeeded, &Retention::succeeded}, {JobState::Failed, &Retention::failed},
                                   {JobState::Cancelled, &Retention::cancelled}}};

int clamped(qint64 count)
{
    return int(std::min<qint64>(count, std::numeric_limits<int>::max()));
}

} // namespace

RetentionDialog::RetentionDialog(client::ApiClient &client, client::KeptSettings kept, std::optional<QByteArray> name, const Format &format,
                                 QWidget *window)
    : FormDialog(window)
    , m_client(client)
    , m_kept(std::move(kept))
    , m_of(std::move(name))
    , m_format(format)
    , m_purged(plainLabel({}, this))
{
    setObjectName(QStringLiteral("retention"));
    setWindowTitle(!m_of             ? tr("Retention of a name")
                   : m_of->isEmpty() ? tr("Retention of all names")
                                     : tr("Retention of %1").arg(shown(*m_of)));
    auto *layout = new QVBoxLayout(this);
    if (!m_of) {
        m_name = new QLineEdit(this);
        m_name->setMaxLength(limits::name_bytes_max);
        m_name->setPlaceholderText(tr("Name of the jobs, such as mail.send"));
        auto *form = new QFormLayout;
        form->addRow(tr("&Name"), m_name);
        layout->addLayout(form);
        connect(m_name, &QLineEdit::textChanged, this, &RetentionDialog::changed);
    }
    layout->addWidget(buildFields());
    if (!m_of || !m_of->isEmpty()) {
        QLabel *also = plainLabel(tr("The maximum number for all names applies too."), this);
        also->setForegroundRole(QPalette::PlaceholderText);
        layout->addWidget(also);
    }
    m_purged->setWordWrap(true);
    m_purged->setMinimumHeight(2 * fontMetrics().lineSpacing());
    m_purged->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    layout->addWidget(m_purged);
    layout->addStretch();
    layout->addWidget(makeEnd(tr("&Save"), {}, &client));
    m_soon.setSingleShot(true);
    m_soon.setInterval(pause_ms);
    connect(&m_soon, &QTimer::timeout, this, &RetentionDialog::countPurged);
    changed();
}

QWidget *RetentionDialog::buildFields()
{
    auto *box = new QWidget(this);
    auto *grid = new QGridLayout(box);
    grid->setContentsMargins({});
    grid->setHorizontalSpacing(fontMetrics().height());
    grid->addWidget(plainLabel(tr("Maximum age"), box), 0, 1);
    grid->addWidget(plainLabel(tr("Maximum number"), box), 0, 2);
    const QByteArray name = m_of.value_or(QByteArray());
    const bool isOfAll = m_of && m_of->isEmpty();
    const Retention below = isOfAll ? client::retentionBelow(m_kept.settings, {}) : m_kept.settings.all;
    const Retention now = m_of ? client::retentionOf(m_kept.settings, name) : Retention();
    const auto unset = [isOfAll](const QString &what) {
        return isOfAll ? tr("default (%1)", "an age or a number").arg(what) : tr("same as all names (%1)", "an age or a number").arg(what);
    };
    for (size_t i = 0; i < ends.size(); ++i) {
        const auto &[state, kept] = ends[i];
        const QString word = Look::word(state);
        QLabel *label = plainLabel(Look::title(state), box);
        m_ages[i] = buildField(unset(m_format.span((below.*kept).age_ms.value_or(0))),
                               {{tr("seconds"), second_ms}, {tr("minutes"), minute_ms}, {tr("hours"), hour_ms}, {tr("days"), day_ms}},
                               tr("Age of %1 jobs", "a state").arg(word));
        m_counts[i] = buildField(unset(m_format.count((below.*kept).count.value_or(0))), {{tr("jobs"), 1}},
                                 tr("Number of %1 jobs", "a state").arg(word));
        int column = 1;
        for (const Field &field : {m_ages[i], m_counts[i]}) {
            auto *line = new QHBoxLayout;
            line->addWidget(field.amount);
            line->addWidget(field.unit, 1);
            grid->addLayout(line, int(i) + 1, column++);
        }
        grid->addWidget(label, int(i) + 1, 0);
        fill(m_ages[i], (now.*kept).age_ms == (below.*kept).age_ms && isOfAll ? std::nullopt : (now.*kept).age_ms);
        fill(m_counts[i], (now.*kept).count == (below.*kept).count && isOfAll ? std::nullopt : (now.*kept).count);
    }
    return box;
}

RetentionDialog::Field RetentionDialog::buildField(const QString &unset, const QList<std::pair<QString, qint64>> &units,
                                                   const QString &accessibleName)
{
    Field field{new QSpinBox(this), new QComboBox(this)};
    field.amount->setRange(0, int(limits::retention_s_max));
    if (units.size() == 1)
        field.amount->setRange(0, int(limits::retention_count_max));
    field.amount->setGroupSeparatorShown(true);
    field.amount->setAccessibleName(accessibleName);
    field.unit->setAccessibleName(tr("Unit"));
    field.unit->addItem(unset, 0);
    for (const auto &[word, size] : units)
        field.unit->addItem(word, size);
    const auto show = [amount = field.amount, unit = field.unit] { amount->setVisible(unit->currentIndex() > 0); };
    connect(field.unit, &QComboBox::currentIndexChanged, this, [this, show, amount = field.amount] {
        if (go() && amount->isHidden() && amount->value() == 0)
            amount->setValue(1); // 0 keeps nothing: that is for the user to type
        show();
        changed();
    });
    connect(field.amount, &QSpinBox::valueChanged, this, &RetentionDialog::changed);
    QSizePolicy stays = field.amount->sizePolicy();
    stays.setRetainSizeWhenHidden(true);
    field.amount->setSizePolicy(stays);
    show();
    return field;
}

// In the largest unit of which the value is a whole number.
void RetentionDialog::fill(const Field &field, std::optional<qint64> value)
{
    int unit = value ? 1 : 0;
    for (int i = 2; value && *value > 0 && i < field.unit->count(); ++i)
        unit = *value % field.unit->itemData(i).toLongLong() == 0 ? i : unit;
    const qint64 size = field.unit->itemData(unit).toLongLong();
    if (value)
        field.amount->setValue(int(*value / size));
    field.unit->setCurrentIndex(unit);
}

std::optional<qint64> RetentionDialog::valueOf(const Field &field)
{
    const qint64 unit = field.unit->currentData().toLongLong();
    return unit > 0 ? std::optional(field.amount->value() * unit) : std::nullopt;
}

Retention RetentionDialog::retention() const
{
    Retention wanted;
    for (size_t i = 0; i < ends.size(); ++i)
        wanted.*ends[i].kept = {valueOf(m_ages[i]), valueOf(m_counts[i])};
    return wanted;
}

QByteArray RetentionDialog::scope() const
{
    return m_of ? *m_of : m_name->text().trimmed().toUtf8();
}

QString RetentionDialog::preview() const
{
    return m_purged->text();
}

QString RetentionDialog::purgedText(const client::Purged &purged)
{
    const qint64 jobs = purged.jobs();
    if (jobs == 0)
        return purged.complete ? tr("No job is purged at once.")
                               : tr("Some jobs may be purged at once: there are too many to count. They cannot be brought back.");
    QStringList each;
    for (const End &end : ends) {
        if (const qint64 count = purged.byState[size_t(end.state)]; count > 0)
            each.append(tr("%1: %2", "a state and a count").arg(Look::word(end.state), QLocale().toString(count)));
    }
    const QString text = purged.complete
        ? tr("%Ln job(s) are purged at once and cannot be brought back. Starred jobs stay.", nullptr, clamped(jobs))
        : tr("At least %Ln job(s) are purged at once and cannot be brought back. Starred jobs stay.", nullptr, clamped(jobs));
    return text + QLatin1Char('\n') + each.join(QStringLiteral(" · "));
}

void RetentionDialog::changed()
{
    if (!go())
        return; // the form is being made
    m_counted.reset();
    ++m_asked;
    go()->setEnabled(false);
    say({});
    m_purged->setPalette(palette());
    m_purged->setText(scope().isEmpty() && !m_of ? QString() : tr("Counting the jobs…"));
    m_soon.start();
}

void RetentionDialog::countPurged()
{
    if (!m_of && scope().isEmpty())
        return;
    const auto told = [this, asked = m_asked](const Result<client::Purged> &purged) {
        if (asked != m_asked)
            return;
        go()->setEnabled(true);
        QPalette colors = palette();
        m_counted = purged.ok() ? std::optional(*purged) : std::nullopt;
        if (!purgesNone())
            colors.setColor(QPalette::WindowText, purged.ok() ? Look::amber(palette()) : Look::red(palette()));
        m_purged->setPalette(colors);
        m_purged->setText(purged.ok() ? purgedText(*purged)
                                      : tr("The jobs to be purged could not be counted: %1").arg(reasonText(purged.error().reason)));
    };
    client::countPurged(m_client, this, m_kept.settings, scope(), retention(), told);
}

void RetentionDialog::send()
{
    const QByteArray name = scope();
    const auto &names = m_kept.settings.names;
    if (!m_of && std::any_of(names.begin(), names.end(), [&name](const auto &each) { return each.first == name; })) {
        m_name->setFocus();
        say(tr("This name already has settings of its own."));
        return;
    }
    if (purgesNone()) {
        save();
        return;
    }
    const qint64 jobs = m_counted ? m_counted->jobs() : 0;
    const QString title = jobs == 0        ? tr("Save and purge an unknown number of jobs?")
        : m_counted->complete              ? tr("Save and purge %Ln job(s)?", nullptr, clamped(jobs))
                                           : tr("Save and purge at least %Ln job(s)?", nullptr, clamped(jobs));
    const QString button = jobs == 0 || !m_counted->complete ? tr("Save and purge")
                                                             : tr("Save and purge %Ln job(s)", nullptr, clamped(jobs));
    ask(this, m_client, {title, m_purged->text(), button, Question::Weight::Destroys}, [this] { save(); });
}

bool RetentionDialog::purgesNone() const
{
    return m_counted && m_counted->complete && m_counted->jobs() == 0;
}

void RetentionDialog::save()
{
    say({});
    go()->setEnabled(false);
    const auto came = [this](const Result<RetentionSettings> &answer) {
        go()->setEnabled(true);
        if (answer.ok()) {
            Q_EMIT saved();
            accept();
        } else if (answer.error().code == ErrorCode::RevisionMismatch) {
            say(tr("Someone else changed the retention meanwhile. Nothing was overwritten. Close this form to see the current settings."));
        } else {
            say(reasonText(answer.error().reason));
        }
    };
    const Retention wanted = retention();
    const QByteArray name = scope();
    if (wanted == Retention() && !name.isEmpty())
        m_client.clearRetention(name, m_kept.tag, client::guarded<RetentionSettings>(this, came));
    else
        m_client.setRetention(name, wanted, m_kept.tag, client::guarded<RetentionSettings>(this, came));
}

} // namespace junban::ui
