#include "ui/limits/kinds/kindview.h"

#include "ui/base/text.h"

namespace junban::ui {

QString secondsText(double seconds, const Format &format)
{
    return format.span(qint64(seconds * 1000 + 0.5));
}

QString costText(const Amount &amount)
{
    if (!amount.expression.isEmpty())
        return ConstraintTexts::tr(", each costs %1").arg(shown(amount.expression));
    return amount.number == 1 ? QString() : ConstraintTexts::tr(", each costs %1").arg(amount.number);
}

} // namespace junban::ui
