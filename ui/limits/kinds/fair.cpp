#include "ui/limits/kinds/kindview.h"

#include "ui/base/text.h"

#include <QFormLayout>
#include <QLineEdit>

namespace junban::ui {

namespace {

class FairForm : public ParameterForm
{
public:
    explicit FairForm(QWidget *parent)
        : ParameterForm(parent)
        , m_weight(line(ParameterForm::tr("1, or an expression such as job.argument.weight")))
    {
        m_rows->addRow(ParameterForm::tr("Weight of a key"), m_weight);
        set(FairParameters{});
    }
    void set(const Parameters &parameters) override { m_weight->setText(amountText(std::get<FairParameters>(parameters).weight)); }
    Parameters read() const override { return FairParameters{amountOf(*m_weight)}; }

private:
    QLineEdit *m_weight;
};

} // namespace

template<>
KindView viewOf<FairParameters>()
{
    return {ConstraintTexts::tr("Fair turns"),
        ConstraintTexts::tr("Among jobs of the same priority, keys take turns."),
        makeForm<FairForm>};
}

template<>
QString textOf(const FairParameters &fair, const Format &)
{
    if (!fair.weight.expression.isEmpty())
        return ConstraintTexts::tr("keys take turns by weight %1").arg(shown(fair.weight.expression));
    return ConstraintTexts::tr("keys take turns");
}

} // namespace junban::ui
