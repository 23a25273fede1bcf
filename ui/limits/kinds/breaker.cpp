#include "ui/limits/kinds/kindview.h"

#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QSpinBox>
#include <QLocale>

namespace junban::ui {

namespace {

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
        m_rows->addRow(ParameterForm::tr("Failure rate that trips it"), m_rate);
        m_rows->addRow(ParameterForm::tr("within"), m_window);
        m_rows->addRow(ParameterForm::tr("Minimum jobs"), m_samples);
        m_rows->addRow(ParameterForm::tr("Stays tripped for"), m_open);
        addRare(ParameterForm::tr("Backoff factor"), m_factor);
        addRare(ParameterForm::tr("Tripped for at most"), m_most);
        addRare(ParameterForm::tr("Probe jobs"), m_probes);
        set(BreakerParameters{});
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

} // namespace

template<>
KindView viewOf<BreakerParameters>()
{
    return {ConstraintTexts::tr("Circuit breaker"),
        ConstraintTexts::tr("When too many jobs fail, none starts for a while; then a few are tried."),
        makeForm<BreakerForm>};
}

template<>
QString textOf(const BreakerParameters &breaker, const Format &format)
{
    return ConstraintTexts::tr("trips at %1 % failures in %2, for %3")
        .arg(QLocale().toString(breaker.failureRate * 100), secondsText(breaker.window_s, format), secondsText(breaker.openFor_s, format));
}

} // namespace junban::ui
