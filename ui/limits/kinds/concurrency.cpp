#include "ui/limits/kinds/kindview.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>

namespace junban::ui {

namespace {

class ConcurrencyForm : public ParameterForm
{
public:
    explicit ConcurrencyForm(QWidget *parent)
        : ParameterForm(parent)
        , m_limit(whole(0, limits::constraint_limit_max))
        , m_cost(line(ParameterForm::tr("1, or an expression such as job.argument.pages")))
        , m_reserves(check(ParameterForm::tr("after")))
        , m_after(seconds(0, limits::constraint_wait_s_max))
    {
        m_rows->addRow(ParameterForm::tr("Running at most"), m_limit);
        addRare(ParameterForm::tr("Cost of a job"), m_cost);
        addRare(ParameterForm::tr("Reserve for a costly job"), optional(m_reserves, m_after));
        set(ConcurrencyParameters{.limit = 1}); // none would hold every job
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

} // namespace

template<>
KindView viewOf<ConcurrencyParameters>()
{
    return {ConstraintTexts::tr("Concurrency"),
        ConstraintTexts::tr("Limits how many jobs run at the same time."),
        makeForm<ConcurrencyForm>};
}

template<>
QString textOf(const ConcurrencyParameters &concurrency, const Format &format)
{
    QString text = ConstraintTexts::tr("%1 at a time").arg(format.count(concurrency.limit)) + costText(concurrency.cost);
    if (concurrency.reserveAfter_s)
        text += ConstraintTexts::tr(", reserves after %1").arg(secondsText(*concurrency.reserveAfter_s, format));
    return text;
}

} // namespace junban::ui
