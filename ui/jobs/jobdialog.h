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

// When something is to start: at once, after so many seconds, or at a time; or as it is.
class StartField : public QWidget
{
    Q_OBJECT

public:
    // What is offered first: of a job that is there, to leave its start alone.
    enum class First { AtOnce, Unchanged };
    StartField(TimesIn timesIn, qint64 now_ms, First first, QWidget *parent = nullptr);

    enum class Kind { AtOnce, After, At, Unchanged };
    Kind kind() const;
    qint64 delay_ms() const;
    qint64 at_ms() const;
    // What is chosen, by its kind.
    void choose(Kind kind);
    QComboBox *choice() const { return m_choice; }
    QDoubleSpinBox *delay() const { return m_delay; }

private:
    QComboBox *m_choice;
    QStackedWidget *m_values;
    QDoubleSpinBox *m_delay;
    QDateTimeEdit *m_at;
};

// A job to be enqueued: a new one, or another's like with other fields. What is wrong is said in the dialog, which stays open until
// the master has taken the job. It owns itself.
class JobDialog : public FormDialog
{
    Q_OBJECT

public:
    // `like`: what the form says at first; nothing: a new job.
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
