#pragma once

#include "ui/limits/parameterform.h"

QT_BEGIN_NAMESPACE
class QTimeEdit;
class QToolButton;
class QVBoxLayout;
QT_END_NAMESPACE

namespace junban::ui {

// One window as a row: whether jobs start only in it or never in it, its days, its times, and the dates that it is limited to.
class WindowRow : public QWidget
{
    Q_OBJECT

public:
    enum class Rule { Only, Never };
    WindowRow(Rule rule, const ConstraintWindow &window, QWidget *parent = nullptr);

    Rule rule() const;
    ConstraintWindow window(const QByteArray &tz) const;

Q_SIGNALS:
    void changed();
    void removeRequested();

private:
    QComboBox *m_rule;
    QList<QToolButton *> m_days;
    QTimeEdit *m_from;
    QTimeEdit *m_to;
    QLineEdit *m_dates;
};

class WindowForm : public ParameterForm
{
    Q_OBJECT

public:
    explicit WindowForm(QWidget *parent);

    void set(const Parameters &parameters) override;
    Parameters read() const override;

private:
    void addRow(WindowRow::Rule rule, const ConstraintWindow &window);

    QVBoxLayout *m_list;
    QList<WindowRow *> m_windows;
    QComboBox *m_zone;
    QComboBox *m_close;
};

} // namespace junban::ui
