#pragma once

#include "core/limits/constraint.h"

#include <QWidget>
#include <memory>

QT_BEGIN_NAMESPACE
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;
QT_END_NAMESPACE

namespace junban::ui {

class MoreRows;

// A form for the parameters of one kind of constraint. It checks nothing, because the core checks the whole constraint when it is read.
class ParameterForm : public QWidget
{
    Q_OBJECT

public:
    virtual void set(const Parameters &parameters) = 0;
    virtual Parameters read() const = 0;

    // The fields that are usually filled in. The form of the whole constraint adds its own rows to them.
    QFormLayout *rows() const { return m_rows; }
    // Adds the button "More" and, below it, the rows of the fields that are rarely filled in. Call it once, after rows of the caller; fold
    // them when the caller's own rare rows are there.
    MoreRows *addMore();

Q_SIGNALS:
    void changed();

protected:
    explicit ParameterForm(QWidget *parent);

    // Make fields whose changes emit changed().
    QSpinBox *whole(qint64 least, qint64 most);
    QDoubleSpinBox *seconds(double least_s, double most_s);
    QComboBox *choice(const QStringList &texts);
    QLineEdit *line(const QString &placeholder);
    QCheckBox *check(const QString &text);
    QComboBox *zone();
    // A check box beside a field; unchecked, the field is left out.
    QWidget *optional(QCheckBox *box, QWidget *field);

    // A row that addMore() adds.
    void addRare(const QString &label, QWidget *field) { m_rareFields.append({label, field}); }

    QFormLayout *m_rows;

private:
    struct RareField {
        QString label;
        QWidget *field;
    };
    QList<RareField> m_rareFields;
};

// A number, or an expression that gives one for each job.
Amount amountOf(const QLineEdit &field);
QString amountText(const Amount &amount);

} // namespace junban::ui
