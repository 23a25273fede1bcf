#include "ui/base/text.h"
#include "ui/limits/kinds/kindview.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QSpinBox>
#include <limits>

namespace junban::ui {

namespace {

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

template<>
KindView viewOf<SetParameters>()
{
    return {ConstraintTexts::tr("Set fields"), ConstraintTexts::tr("Replaces fields of the jobs."), makeForm<SetForm>};
}

template<>
QString textOf(const SetParameters &set, const Format &format)
{
    QStringList parts;
    if (set.priority)
        parts.append(ConstraintTexts::tr("priority %1").arg(*set.priority));
    if (set.timeout_ms)
        parts.append(ConstraintTexts::tr("timeout %1").arg(format.span(*set.timeout_ms)));
    if (set.maxRetry)
        parts.append(ConstraintTexts::tr("retries %1").arg(*set.maxRetry));
    if (set.backoff)
        parts.append(ConstraintTexts::tr("retry delay %1").arg(format.span(set.backoff->base_ms)));
    return parts.isEmpty() ? ConstraintTexts::tr("sets nothing") : listed(parts);
}

} // namespace junban::ui
