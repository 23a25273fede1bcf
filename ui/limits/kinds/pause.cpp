#include "ui/limits/kinds/kindview.h"

#include "ui/base/text.h"
#include "ui/widgets/endfield.h"

#include <QFormLayout>
#include <QLineEdit>

namespace junban::ui {

namespace {

class PauseForm : public ParameterForm
{
public:
    explicit PauseForm(QWidget *parent)
        : ParameterForm(parent)
        , m_end(new EndField(ParameterForm::tr("until resumed"), this))
        , m_reason(line(ParameterForm::tr("Shown to other operators")))
    {
        connect(m_end, &EndField::changed, this, &ParameterForm::changed);
        m_rows->addRow(ParameterForm::tr("Ends"), m_end);
        m_rows->addRow(ParameterForm::tr("Reason"), m_reason);
    }
    void set(const Parameters &parameters) override
    {
        const auto &pause = std::get<PauseParameters>(parameters);
        m_end->setAt(pause.until_ms);
        m_reason->setText(QString::fromUtf8(pause.reason));
    }
    Parameters read() const override
    {
        PauseParameters pause;
        pause.until_ms = m_end->at_ms();
        pause.for_ms = m_end->after_ms();
        pause.reason = m_reason->text().trimmed().toUtf8();
        return pause;
    }

private:
    EndField *m_end;
    QLineEdit *m_reason;
};

} // namespace

template<>
KindView viewOf<PauseParameters>()
{
    return {ConstraintTexts::tr("Pause"), ConstraintTexts::tr("No job starts until the pause ends."), makeForm<PauseForm>, true};
}

template<>
QString textOf(const PauseParameters &pause, const Format &format)
{
    QString text = pause.until_ms ? ConstraintTexts::tr("paused until %1").arg(format.dateTime(*pause.until_ms))
                                  : ConstraintTexts::tr("paused");
    return pause.reason.isEmpty() ? text : ConstraintTexts::tr("%1: %2", "paused, and why").arg(text, shown(pause.reason));
}

} // namespace junban::ui
