#pragma once

#include "ui/limits/parameterform.h"

QT_BEGIN_NAMESPACE
class QTableWidget;
QT_END_NAMESPACE

namespace junban::ui {

// A capacity and the part of it that each key gets: a row for each key, and a last row for all other keys.
class ShareForm : public ParameterForm
{
    Q_OBJECT

public:
    explicit ShareForm(QWidget *parent);

    void set(const Parameters &parameters) override;
    Parameters read() const override;
    QTableWidget *table() const { return m_table; }

private:
    void addRow(int row, const QString &key, const ShareOf &share);
    ShareOf shareAt(int row) const;

    QSpinBox *m_capacity;
    QCheckBox *m_borrow;
    QTableWidget *m_table;
};

} // namespace junban::ui
