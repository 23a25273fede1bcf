#pragma once

#include "client/apiclient.h"
#include "ui/base/format.h"
#include "ui/widgets/formdialog.h"


namespace junban::ui {

class JobForm;
class StartField;

// Changes an existing job. Only the changed fields are sent, so that two operators who change different fields do not undo each other.
class EditDialog : public FormDialog
{
    Q_OBJECT

public:
    EditDialog(client::ApiClient &client, const Job &job, TimesIn timesIn, qint64 now_ms, QWidget *window);

    JobForm *form() const { return m_form; }
    StartField *start() const { return m_start; }

Q_SIGNALS:
    void edited(const junban::Job &before, const junban::JobEdit &edit);

private:
    Result<JobEdit> read() const;
    void send() override;

    client::ApiClient &m_client;
    Job m_job;
    JobForm *m_form;
    StartField *m_start = nullptr; // none: the job's start cannot be moved
};

} // namespace junban::ui
