#pragma once

#include "core/base/result.h"
#include "core/jobs/job.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QCheckBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;
QT_END_NAMESPACE

namespace junban::ui {

class JsonEdit;

// The fields of a job: name, argument, priority, retries, timeout, whether its result is kept, tags. Other fields are copied from the job
// that the form was filled with.
class JobForm : public QWidget
{
    Q_OBJECT

public:
    // Changeable: only the fields that can be changed in an existing job.
    enum class Fields { All, Changeable };
    explicit JobForm(Fields fields, QWidget *parent = nullptr);

    void setSpec(const JobSpec &spec);
    // The job in the form. Errors: a sentence about a field, which gets the focus.
    Result<JobSpec> spec() const;
    // Puts the focus on the field that the master's error names ("priority", "then[0].name").
    void focus(const QByteArray &field);

    QFormLayout *rows() const { return m_rows; }
    QLineEdit *name() const { return m_name; }
    JsonEdit *argument() const { return m_argument; }
    QSpinBox *priority() const { return m_priority; }
    QLineEdit *tags() const { return m_tags; }
    QSpinBox *retries() const { return m_retries; }

private:
    JobSpec m_like;
    QFormLayout *m_rows;
    QLineEdit *m_name;
    JsonEdit *m_argument;
    QSpinBox *m_priority;
    QSpinBox *m_retries;
    QDoubleSpinBox *m_timeout;
    QCheckBox *m_keep;
    QLineEdit *m_tags;
};

} // namespace junban::ui
