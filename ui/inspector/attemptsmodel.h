#pragma once

#include "core/jobs/job.h"
#include "ui/base/format.h"

#include <QAbstractTableModel>

namespace junban::ui {

// A job's attempts, the newest first.
class AttemptsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Number, Ended, Worker, Started, Duration, Message, NextRun, columns };

    explicit AttemptsModel(QObject *parent = nullptr);

    void setAttempts(const QList<Attempt> &attempts, qint64 now_ms);
    void setFormat(const Format &format) { m_format = format; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    // How an attempt ended, in words.
    static QString endWord(const Attempt &attempt);
    static JobState endLook(const Attempt &attempt);

private:
    QString text(const Attempt &attempt, Column column) const;

    QList<Attempt> m_attempts; // newest first
    Format m_format;
    qint64 m_now_ms = 0;
};

} // namespace junban::ui
