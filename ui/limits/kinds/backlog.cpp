#include "ui/limits/kinds/kindview.h"

#include <QComboBox>
#include <QFormLayout>
#include <QSpinBox>

namespace junban::ui {

namespace {

class BacklogForm : public ParameterForm
{
public:
    explicit BacklogForm(QWidget *parent)
        : ParameterForm(parent)
        , m_most(whole(0, limits::constraint_limit_max))
        , m_overflow(choice({ParameterForm::tr("refuse the new job"), ParameterForm::tr("drop the oldest job"),
                             ParameterForm::tr("join the newest job")}))
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

} // namespace

template<>
KindView viewOf<BacklogParameters>()
{
    return {ConstraintTexts::tr("Backlog"),
        ConstraintTexts::tr("Limits how many jobs may be ready; more are refused, dropped or coalesced."),
        makeForm<BacklogForm>};
}

template<>
QString textOf(const BacklogParameters &backlog, const Format &format)
{
    const QString over[] = {ConstraintTexts::tr("more are refused"), ConstraintTexts::tr("the oldest are dropped"),
        ConstraintTexts::tr("more are coalesced")};
    return ConstraintTexts::tr("%1 ready at most, %2").arg(format.count(backlog.maxReady), over[size_t(backlog.overflow)]);
}

} // namespace junban::ui
