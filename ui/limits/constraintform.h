#pragma once

#include "core/limits/constraint.h"
#include "ui/base/format.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QComboBox;
class QLabel;
class QPlainTextEdit;
QT_END_NAMESPACE

namespace junban::ui {

class EndField;
class JsonEdit;
class MoreRows;
class ParameterForm;

// A form for one constraint: the parameters of its kind, the expressions that divide its jobs into buckets, its mode, when it ends, and
// exceptions for single keys.
class ConstraintForm : public QWidget
{
    Q_OBJECT

public:
    explicit ConstraintForm(ConstraintKind kind, QWidget *parent = nullptr);

    void set(const Constraint &constraint);
    // Of the constraint that was set; empty: a new one.
    QByteArray id() const { return m_id; }
    // The constraint in the form, checked by the core. Errors: InvalidField, with the field's path below `path`.
    Result<Constraint> read(const QByteArray &path) const;

    ConstraintKind kind() const { return m_kind; }
    ParameterForm *parameters() const { return m_parameters; }
    QComboBox *mode() const { return m_mode; }
    QPlainTextEdit *by() const { return m_by; }
    // Shows the fields below "More" if one of them is filled in.
    void showFilled();

Q_SIGNALS:
    void changed();

private:
    ConstraintKind m_kind;
    QByteArray m_id;
    ParameterForm *m_parameters;
    QPlainTextEdit *m_by;
    QComboBox *m_missing;
    QComboBox *m_mode;
    EndField *m_end;
    JsonEdit *m_overrides;
    MoreRows *m_more;
};

} // namespace junban::ui
