#pragma once

#include "client/apiclient.h"
#include "ui/base/format.h"
#include "ui/widgets/formdialog.h"


QT_BEGIN_NAMESPACE
class QComboBox;
class QDateTimeEdit;
class QDoubleSpinBox;
class QStackedWidget;
QT_END_NAMESPACE

namespace junban::ui {

class JobForm;

// When a job is to start: at once, after some seconds, at a time, or unchanged.
class StartField : public QWidget
{
    Q_OBJECT

public:
    // What the first choice is. The start of an existing job can stay unchanged.
    enum class First { AtOnce, Unchanged };
    StartField(TimesIn timesIn, qint64 now_ms, First first, QWidget *parent = nullptr);

    enum class Kind { AtOnce, After, At, Unchanged };
    Kind kind() const;
    qint64 delay_ms() const;
    qint64 at_ms() const;
    void choose(Kind kind);
    QComboBox *choice() const { return m_choice; }
    QDoubleSpinBox *delay() const { return m_delay; }

private:
    QComboBox *m_choice;
    QStackedWidget *m_values;
    QDoubleSpinBox *m_delay;
    QDateTimeEdit *m_at;
};

// Enqueues a job: a new one, or a copy of another with other fields.
class JobDialog : public FormDialog
{
    Q_OBJECT

public:
    // `like`: the job to copy; nothing: a new job.
    JobDialog(client::ApiClient &client, const std::optional<JobSpec> &like, TimesIn timesIn, qint64 now_ms, QWidget *window);

    JobForm *form() const { return m_form; }
    StartField *start() const { return m_start; }

Q_SIGNALS:
    void enqueued(const junban::JobId &id);

private:
    void send() override;

    client::ApiClient &m_client;
    JobForm *m_form;
    StartField *m_start;
};

} // namespace junban::ui
