#pragma once

#include "client/apiclient.h"
#include "ui/format.h"

#include <QDialog>

QT_BEGIN_NAMESPACE
class QLabel;
class QPushButton;
QT_END_NAMESPACE

namespace junban::ui {

class JobForm;
class StartField;

// What may be changed of a job that is there. Only what was changed is sent, so that two operators who change different fields do
// not undo each other. It stays open until the master has taken the change, and owns itself.
class EditDialog : public QDialog
{
    Q_OBJECT

public:
    EditDialog(client::ApiClient &client, const Job &job, TimesIn timesIn, qint64 now_ms, QWidget *window);

    JobForm *form() const { return m_form; }
    StartField *start() const { return m_start; }
    QPushButton *go() const { return m_go; }
    QString problem() const;

Q_SIGNALS:
    void edited(const junban::Job &before, const junban::client::JobEdit &edit);

private:
    Result<client::JobEdit> read() const;
    void send();
    void say(const QString &problem);

    client::ApiClient &m_client;
    Job m_job;
    qint64 m_now_ms;
    JobForm *m_form;
    StartField *m_start = nullptr; // none: the job's start cannot be moved
    QLabel *m_problem;
    QPushButton *m_go;
};

} // namespace junban::ui
