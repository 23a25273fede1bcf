#include "ui/widgets/secondsfield.h"

#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QLocale>

namespace junban::ui {

namespace {

// Shows no zeros behind the last decimal.
class SecondsBox : public QDoubleSpinBox
{
public:
    using QDoubleSpinBox::QDoubleSpinBox;
    QString textFromValue(double value) const override { return QLocale().toString(value, 'g', QLocale::FloatingPointShortest); }
};

} // namespace

QDoubleSpinBox *secondsField(double least_s, double most_s, QWidget *parent)
{
    auto *field = new SecondsBox(parent);
    field->setRange(least_s, most_s);
    field->setDecimals(3);
    field->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    field->setSuffix(QCoreApplication::translate("SecondsField", " s", "seconds, behind a number"));
    field->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    return field;
}

} // namespace junban::ui
