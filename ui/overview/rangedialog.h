#pragma once

#include "ui/base/format.h"
#include "ui/widgets/formdialog.h"

QT_BEGIN_NAMESPACE
class QDateTimeEdit;
QT_END_NAMESPACE

namespace junban::ui {

// Asks from when to when a chart is to go.
class RangeDialog : public FormDialog
{
    Q_OBJECT

public:
    // Times are in seconds since the epoch; the fields begin with `from_s` and `to_s`.
    RangeDialog(qint64 from_s, qint64 to_s, TimesIn timesIn, QWidget *window);

    QDateTimeEdit *from() const { return m_from; }
    QDateTimeEdit *to() const { return m_to; }

    static constexpr qint64 range_s_max = 8 * 86'400; // of the API

Q_SIGNALS:
    void chosen(qint64 from_s, qint64 to_s);

protected:
    void send() override;

private:
    QDateTimeEdit *makeField(qint64 at_s, TimesIn timesIn);

    QDateTimeEdit *m_from;
    QDateTimeEdit *m_to;
};

} // namespace junban::ui
