#pragma once

#include "core/jobs/administration.h"
#include "ui/base/format.h"

#include <QAbstractTableModel>

namespace junban::ui {

// The names of jobs with their counts. The master sends names in a fixed order, so rows are updated in place.
class NamesModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Ready, Failed, Enqueued, Succeeded, columns };
    enum Role { NameRole = Qt::UserRole };

    explicit NamesModel(QObject *parent = nullptr);

    // `complete`: all failed jobs were counted.
    void setRows(const QList<NameRow> &rows, bool complete = true);
    const QList<NameRow> &rows() const { return m_rows; }
    void setFormat(const Format &format);
    // Marks the names of which all jobs are paused.
    void setPauses(const QList<Pause> &pauses);
    // The pause of just this name's jobs; null when there is none.
    const Pause *pauseOf(const QByteArray &name) const;
    // An expression for the jobs of a name.
    static QByteArray expressionOf(const QByteArray &name);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const NameRow &row, Column column) const;
    const Pause *pausing(const QByteArray &name) const;

    QList<NameRow> m_rows;
    bool m_complete = true;
    Format m_format;
    QList<Pause> m_pauses;
};

} // namespace junban::ui
