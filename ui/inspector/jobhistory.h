#pragma once

#include "core/jobs/job.h"
#include "ui/base/format.h"
#include "ui/widgets/recordlist.h"

namespace junban::ui {

// Everything that happened to a job, newest first: what, how long after the event before it, who caused it, and details. A running job's
// progress is above the list.
class JobHistory : public RecordList
{
    Q_OBJECT

public:
    explicit JobHistory(QWidget *parent = nullptr);

    void setJob(const Job &job, const Format &format, qint64 now_ms);

private:
    Record record(const Transition &transition, qint64 before_ms, const QByteArray &key) const;
    Record progressRecord(const Job &job) const;

    Format m_format;
    qint64 m_now_ms = 0;
};

// What happened, in words: "edited" → "edited", "timed_out" → "ran too long".
QString happeningText(const QByteArray &what);

} // namespace junban::ui
