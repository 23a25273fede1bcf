#include "ui/limits/parameterforms.h"

#include "ui/limits/shareform.h"
#include "ui/limits/windowform.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <limits>

namespace junban::ui {

namespace {

constexpr int limitMost = int(limits::constraint_limit_max);

class RateForm : public ParameterForm
{
public:
    explicit RateForm(QWidget *parent)
        : ParameterForm(parent)
        , m_limit(whole(0, limitMost))
        , m_period(seconds(limits::rate_period_s_min, limits::rate_period_s_max))
        , m_algorithm(choice({ParameterForm::tr("smooth (GCRA)"), ParameterForm::tr("sliding window"), ParameterForm::tr("fixed windows")}))
        , m_burst(whole(1, limitMost))
        , m_cost(line(ParameterForm::tr("1, or an expression such as job.argument.pages")))
        , m_zone(zone())
    {
        m_rows->addRow(ParameterForm::tr("Jobs"), m_limit);
        m_rows->addRow(ParameterForm::tr("per"), m_period);
        m_rows->addRow(ParameterForm::tr("Counted"), m_algorithm);
        m_rows->addRow(ParameterForm::tr("Burst"), m_burst);
        m_rows->addRow(ParameterForm::tr("Cost of a job"), m_cost);
        m_rows->addRow(ParameterForm::tr("Time zone"), m_zone);
        connect(m_algorithm, &QComboBox::currentIndexChanged, this, [this] { fit(); });
        set(defaultParameters(ConstraintKind::Rate));
    }
    void set(const Parameters &parameters) override
    {
        const auto &rate = std::get<RateParameters>(parameters);
        m_limit->setValue(int(rate.limit));
        m_period->setValue(rate.period_s);
        m_algorithm->setCurrentIndex(int(rate.algorithm));
        m_burst->setValue(int(rate.burst));
        m_cost->setText(amountText(rate.cost));
        m_zone->setCurrentText(QString::fromUtf8(rate.tz));
        fit();
    }
    Parameters read() const override
    {
        RateParameters rate;
        rate.limit = m_limit->value();
        rate.period_s = m_period->value();
        rate.algorithm = RateAlgorithm(m_algorithm->currentIndex());
        rate.cost = amountOf(*m_cost);
        if (rate.algorithm == RateAlgorithm::Gcra)
            rate.burst = m_burst->value();
        if (rate.algorithm == RateAlgorithm::Fixed)
            rate.tz = m_zone->currentText().trimmed().toUtf8();
        return rate;
    }

private:
    // Only the fields that the algorithm uses can be filled in.
    void fit()
    {
        const auto algorithm = RateAlgorithm(m_algorithm->currentIndex());
        m_burst->setEnabled(algorithm == RateAlgorithm::Gcra);
        m_zone->setEnabled(algorithm == RateAlgorithm::Fixed);
    }
    QSpinBox *m_limit;
    QDoubleSpinBox *m_period;
    QComboBox *m_algorithm;
    QSpinBox *m_burst;
    QLineEdit *m_cost;
    QComboBox *m_zone;
};

class ConcurrencyForm : public ParameterForm
{
public:
    explicit ConcurrencyForm(QWidget *parent)
        : ParameterForm(parent)
        , m_limit(whole(0, limitMost))
        , m_cost(line(ParameterForm::tr("1, or an expression such as job.argument.pages")))
        , m_reserves(check(ParameterForm::tr("after")))
        , m_after(seconds(0, limits::constraint_wait_s_max))
    {
        m_rows->addRow(ParameterForm::tr("At the same time"), m_limit);
        m_rows->addRow(ParameterForm::tr("Cost of a job"), m_cost);
        m_rows->addRow(ParameterForm::tr("Reserve for a costly job"), optional(m_reserves, m_after));
        set(defaultParameters(ConstraintKind::Concurrency));
    }
    void set(const Parameters &parameters) override
    {
        const auto &concurrency = std::get<ConcurrencyParameters>(parameters);
        m_limit->setValue(int(concurrency.limit));
        m_cost->setText(amountText(concurrency.cost));
        m_reserves->setChecked(concurrency.reserveAfter_s.has_value());
        m_after->setValue(concurrency.reserveAfter_s.value_or(60));
    }
    Parameters read() const override
    {
        ConcurrencyParameters concurrency{m_limit->value(), amountOf(*m_cost), {}};
        if (m_reserves->isChecked())
            concurrency.reserveAfter_s = m_after->value();
        return concurrency;
    }

private:
    QSpinBox *m_limit;
    QLineEdit *m_cost;
    QCheckBox *m_reserves;
    QDoubleSpinBox *m_after;
};

class PauseForm : public ParameterForm
{
public:
    explicit PauseForm(QWidget *parent)
        : ParameterForm(parent)
        , m_ends(check(ParameterForm::tr("at (UTC)")))
        , m_until(new QDateTimeEdit(this))
        , m_reason(line(ParameterForm::tr("What others should know")))
    {
        m_until->setTimeSpec(Qt::UTC);
        m_until->setDisplayFormat(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
        m_until->setCalendarPopup(true);
        m_until->setDateTime(QDateTime::currentDateTimeUtc().addSecs(3'600));
        connect(m_until, &QDateTimeEdit::dateTimeChanged, this, &ParameterForm::changed);
        m_rows->addRow(ParameterForm::tr("Ends by itself"), optional(m_ends, m_until));
        m_rows->addRow(ParameterForm::tr("Reason"), m_reason);
    }
    void set(const Parameters &parameters) override
    {
        const auto &pause = std::get<PauseParameters>(parameters);
        m_ends->setChecked(pause.until_ms.has_value());
        if (pause.until_ms)
            m_until->setDateTime(QDateTime::fromMSecsSinceEpoch(*pause.until_ms, Qt::UTC));
        m_reason->setText(QString::fromUtf8(pause.reason));
    }
    Parameters read() const override
    {
        PauseParameters pause;
        if (m_ends->isChecked())
            pause.until_ms = m_until->dateTime().toMSecsSinceEpoch();
        pause.reason = m_reason->text().trimmed().toUtf8();
        return pause;
    }

private:
    QCheckBox *m_ends;
    QDateTimeEdit *m_until;
    QLineEdit *m_reason;
};

class BreakerForm : public ParameterForm
{
public:
    explicit BreakerForm(QWidget *parent)
        : ParameterForm(parent)
        , m_rate(new QDoubleSpinBox(this))
        , m_window(seconds(1, limits::constraint_wait_s_max))
        , m_samples(whole(1, limits::breaker_samples_max))
        , m_open(seconds(0.001, limits::constraint_wait_s_max))
        , m_factor(new QDoubleSpinBox(this))
        , m_most(seconds(0.001, limits::constraint_wait_s_max))
        , m_probes(whole(1, limits::breaker_samples_max))
    {
        m_rate->setRange(0, 100);
        m_rate->setSuffix(ParameterForm::tr(" %", "percent, behind a number"));
        m_factor->setRange(1, 100);
        for (QDoubleSpinBox *field : {m_rate, m_factor}) {
            field->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
            connect(field, &QDoubleSpinBox::valueChanged, this, &ParameterForm::changed);
        }
        m_rows->addRow(ParameterForm::tr("Opens when so many fail"), m_rate);
        m_rows->addRow(ParameterForm::tr("within"), m_window);
        m_rows->addRow(ParameterForm::tr("of at least so many"), m_samples);
        m_rows->addRow(ParameterForm::tr("First stays open for"), m_open);
        m_rows->addRow(ParameterForm::tr("each time longer by"), m_factor);
        m_rows->addRow(ParameterForm::tr("at most"), m_most);
        m_rows->addRow(ParameterForm::tr("Jobs tried then"), m_probes);
        set(defaultParameters(ConstraintKind::Breaker));
    }
    void set(const Parameters &parameters) override
    {
        const auto &breaker = std::get<BreakerParameters>(parameters);
        m_rate->setValue(breaker.failureRate * 100);
        m_window->setValue(breaker.window_s);
        m_samples->setValue(int(breaker.minSamples));
        m_open->setValue(breaker.openFor_s);
        m_factor->setValue(breaker.factor);
        m_most->setValue(breaker.maxOpen_s);
        m_probes->setValue(int(breaker.probes));
    }
    Parameters read() const override
    {
        return BreakerParameters{m_window->value(), m_samples->value(), m_rate->value() / 100, m_open->value(), m_factor->value(),
                                 m_most->value(), m_probes->value()};
    }

private:
    QDoubleSpinBox *m_rate;
    QDoubleSpinBox *m_window;
    QSpinBox *m_samples;
    QDoubleSpinBox *m_open;
    QDoubleSpinBox *m_factor;
    QDoubleSpinBox *m_most;
    QSpinBox *m_probes;
};

class CooldownForm : public ParameterForm
{
public:
    explicit CooldownForm(QWidget *parent) : ParameterForm(parent), m_most(seconds(0.001, limits::constraint_wait_s_max))
    {
        m_rows->addRow(ParameterForm::tr("At most"), m_most);
        set(defaultParameters(ConstraintKind::Cooldown));
    }
    void set(const Parameters &parameters) override { m_most->setValue(std::get<CooldownParameters>(parameters).max_s); }
    Parameters read() const override { return CooldownParameters{m_most->value()}; }

private:
    QDoubleSpinBox *m_most;
};

class BacklogForm : public ParameterForm
{
public:
    explicit BacklogForm(QWidget *parent)
        : ParameterForm(parent)
        , m_most(whole(0, limitMost))
        , m_overflow(choice({ParameterForm::tr("refuse the new job"), ParameterForm::tr("drop the oldest job"),
                             ParameterForm::tr("answer with the newest job")}))
    {
        m_rows->addRow(ParameterForm::tr("Ready jobs at most"), m_most);
        m_rows->addRow(ParameterForm::tr("When it is full"), m_overflow);
    }
    void set(const Parameters &parameters) override
    {
        const auto &backlog = std::get<BacklogParameters>(parameters);
        m_most->setValue(int(backlog.maxReady));
        m_overflow->setCurrentIndex(int(backlog.overflow));
    }
    Parameters read() const override { return BacklogParameters{m_most->value(), Overflow(m_overflow->currentIndex())}; }

private:
    QSpinBox *m_most;
    QComboBox *m_overflow;
};

class FairForm : public ParameterForm
{
public:
    explicit FairForm(QWidget *parent)
        : ParameterForm(parent)
        , m_weight(line(ParameterForm::tr("1, or an expression such as job.argument.weight")))
    {
        m_rows->addRow(ParameterForm::tr("Weight of a key"), m_weight);
        set(defaultParameters(ConstraintKind::Fair));
    }
    void set(const Parameters &parameters) override { m_weight->setText(amountText(std::get<FairParameters>(parameters).weight)); }
    Parameters read() const override { return FairParameters{amountOf(*m_weight)}; }

private:
    QLineEdit *m_weight;
};

class SetForm : public ParameterForm
{
public:
    explicit SetForm(QWidget *parent)
        : ParameterForm(parent)
        , m_hasPriority(check(ParameterForm::tr("to")))
        , m_priority(whole(std::numeric_limits<qint32>::min(), std::numeric_limits<qint32>::max()))
        , m_hasTimeout(check(ParameterForm::tr("to")))
        , m_timeout(seconds(limits::timeout_s_min, limits::timeout_s_max))
        , m_hasRetries(check(ParameterForm::tr("to")))
        , m_retries(whole(0, limits::max_retry_max))
        , m_hasDelay(check(ParameterForm::tr("to")))
        , m_delay(seconds(0, limits::delay_s_max))
    {
        m_rows->addRow(ParameterForm::tr("Priority"), optional(m_hasPriority, m_priority));
        m_rows->addRow(ParameterForm::tr("Timeout"), optional(m_hasTimeout, m_timeout));
        m_rows->addRow(ParameterForm::tr("Retries"), optional(m_hasRetries, m_retries));
        m_rows->addRow(ParameterForm::tr("First retry delay"), optional(m_hasDelay, m_delay));
    }
    void set(const Parameters &parameters) override
    {
        m_like = std::get<SetParameters>(parameters);
        m_hasPriority->setChecked(m_like.priority.has_value());
        m_priority->setValue(m_like.priority.value_or(0));
        m_hasTimeout->setChecked(m_like.timeout_ms.has_value());
        m_timeout->setValue(double(m_like.timeout_ms.value_or(qint64(limits::timeout_s_default * 1000))) / 1000);
        m_hasRetries->setChecked(m_like.maxRetry.has_value());
        m_retries->setValue(m_like.maxRetry.value_or(0));
        m_hasDelay->setChecked(m_like.backoff.has_value());
        m_delay->setValue(double(m_like.backoff.value_or(Backoff()).base_ms) / 1000);
    }
    Parameters read() const override
    {
        SetParameters set;
        if (m_hasPriority->isChecked())
            set.priority = m_priority->value();
        if (m_hasTimeout->isChecked())
            set.timeout_ms = qint64(m_timeout->value() * 1000 + 0.5);
        if (m_hasRetries->isChecked())
            set.maxRetry = m_retries->value();
        if (m_hasDelay->isChecked()) {
            set.backoff = m_like.backoff.value_or(Backoff()); // keeps its factor, bound and jitter
            set.backoff->base_ms = qint64(m_delay->value() * 1000 + 0.5);
        }
        return set;
    }

private:
    SetParameters m_like;
    QCheckBox *m_hasPriority;
    QSpinBox *m_priority;
    QCheckBox *m_hasTimeout;
    QDoubleSpinBox *m_timeout;
    QCheckBox *m_hasRetries;
    QSpinBox *m_retries;
    QCheckBox *m_hasDelay;
    QDoubleSpinBox *m_delay;
};

} // namespace

ParameterForm *makeParameterForm(ConstraintKind kind, QWidget *parent)
{
    switch (kind) {
    case ConstraintKind::Rate: return new RateForm(parent);
    case ConstraintKind::Concurrency: return new ConcurrencyForm(parent);
    case ConstraintKind::Share: return new ShareForm(parent);
    case ConstraintKind::Window: return new WindowForm(parent);
    case ConstraintKind::Pause: return new PauseForm(parent);
    case ConstraintKind::Breaker: return new BreakerForm(parent);
    case ConstraintKind::Cooldown: return new CooldownForm(parent);
    case ConstraintKind::Backlog: return new BacklogForm(parent);
    case ConstraintKind::Fair: return new FairForm(parent);
    case ConstraintKind::Set: return new SetForm(parent);
    }
    return nullptr;
}

} // namespace junban::ui
