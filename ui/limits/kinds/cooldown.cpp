#include "ui/limits/kinds/kindview.h"

#include <QDoubleSpinBox>
#include <QFormLayout>

namespace junban::ui {

namespace {

class CooldownForm : public ParameterForm
{
public:
    explicit CooldownForm(QWidget *parent) : ParameterForm(parent), m_most(seconds(0.001, limits::constraint_wait_s_max))
    {
        m_rows->addRow(ParameterForm::tr("At most"), m_most);
        set(CooldownParameters{});
    }
    void set(const Parameters &parameters) override { m_most->setValue(std::get<CooldownParameters>(parameters).max_s); }
    Parameters read() const override { return CooldownParameters{m_most->value()}; }

private:
    QDoubleSpinBox *m_most;
};

} // namespace

template<>
KindView viewOf<CooldownParameters>()
{
    return {ConstraintTexts::tr("Cooldown"),
        ConstraintTexts::tr("When a failure asks for a delay, all jobs of its key wait that long."),
        makeForm<CooldownForm>};
}

template<>
QString textOf(const CooldownParameters &cooldown, const Format &format)
{
    return ConstraintTexts::tr("waits as long as failures ask, at most %1").arg(secondsText(cooldown.max_s, format));
}

} // namespace junban::ui
