#include "core/base/durations.h"
#include "ui/limits/kinds/kindview.h"

#include "ui/base/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>

namespace junban::ui {

namespace {

class RateForm : public ParameterForm
{
public:
    explicit RateForm(QWidget *parent)
        : ParameterForm(parent)
        , m_limit(whole(0, limits::constraint_limit_max))
        , m_period(seconds(limits::rate_period_s_min, limits::rate_period_s_max))
        , m_algorithm(choice({ParameterForm::tr("smooth (GCRA)"), ParameterForm::tr("sliding window"), ParameterForm::tr("fixed windows")}))
        , m_burst(whole(1, limits::constraint_limit_max))
        , m_cost(line(ParameterForm::tr("1, or an expression such as job.argument.pages")))
        , m_zone(zone())
    {
        m_rows->addRow(ParameterForm::tr("Jobs"), m_limit);
        m_rows->addRow(ParameterForm::tr("per"), m_period);
        m_rows->addRow(ParameterForm::tr("Burst"), m_burst);
        addRare(ParameterForm::tr("Algorithm"), m_algorithm);
        addRare(ParameterForm::tr("Cost of a job"), m_cost);
        addRare(ParameterForm::tr("Time zone"), m_zone);
        connect(m_algorithm, &QComboBox::currentIndexChanged, this, [this] { fit(); });
        set(RateParameters{.limit = 1}); // none would hold every job
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

} // namespace

template<>
KindView viewOf<RateParameters>()
{
    return {ConstraintTexts::tr("Rate"), ConstraintTexts::tr("Limits how many jobs start in a period."), makeForm<RateForm>};
}

template<>
QString textOf(const RateParameters &rate, const Format &format)
{
    const QString jobs = format.count(rate.limit);
    QString text = rate.period_s == 1 ? ConstraintTexts::tr("%1 per second", "jobs").arg(jobs)
        : rate.period_s == minute_s   ? ConstraintTexts::tr("%1 per minute", "jobs").arg(jobs)
        : rate.period_s == hour_s     ? ConstraintTexts::tr("%1 per hour", "jobs").arg(jobs)
        : rate.period_s == day_s      ? ConstraintTexts::tr("%1 per day", "jobs").arg(jobs)
        : ConstraintTexts::tr("%1 per %2", "jobs per duration").arg(jobs, secondsText(rate.period_s, format));
    if (rate.algorithm == RateAlgorithm::Gcra && rate.burst > 1)
        text += ConstraintTexts::tr(", burst %1").arg(format.count(rate.burst));
    else if (rate.algorithm == RateAlgorithm::Sliding)
        text += ConstraintTexts::tr(", sliding");
    else if (rate.algorithm == RateAlgorithm::Fixed)
        text += ConstraintTexts::tr(", in fixed windows of %1").arg(shown(rate.tz));
    return text + costText(rate.cost);
}

} // namespace junban::ui
