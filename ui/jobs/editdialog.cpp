#include "ui/jobs/editdialog.h"

#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/jobs/jobdialog.h"
#include "ui/jobs/jobform.h"
#include "ui/widgets/labels.h"

#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace junban::ui {

EditDialog::EditDialog(client::ApiClient &client, const Job &job, TimesIn timesIn, qint64 now_ms, QWidget *window)
    : FormDialog(window)
    , m_client(client)
    , m_job(job)
    , m_form(new JobForm(JobForm::Fields::Changeable, this))
{
    setWindowTitle(tr("Edit job"));
    m_form->setSpec(job.spec);
    if (job.state != JobState::Failed) {
        m_start = new StartField(timesIn, now_ms, StartField::First::Unchanged, this);
        m_form->rows()->addRow(tr("&Start"), m_start);
    }
    auto *layout = new QVBoxLayout(this);
    auto *title = plainLabel(QStringLiteral("%1  %2").arg(shown(job.spec.name), QString::fromLatin1(job.id.text())), this);
    layout->addWidget(title);
    layout->addWidget(m_form, 1);
    layout->addWidget(makeEnd(tr("&Save"), {}, &client));
    m_form->priority()->setFocus();
}

Result<JobEdit> EditDialog::read() const
{
    const Result<JobSpec> spec = m_form->spec();
    if (!spec.ok())
        return spec.error();
    JobEdit edit;
    if (spec->priority != m_job.spec.priority)
        edit.priority = spec->priority;
    if (spec->argument != m_job.spec.argument)
        edit.argument = spec->argument;
    if (spec->tags != m_job.spec.tags)
        edit.tags = spec->tags;
    if (spec->maxRetry != m_job.spec.maxRetry)
        edit.maxRetry = spec->maxRetry;
    if (spec->timeout_ms != m_job.spec.timeout_ms)
        edit.timeout_ms = spec->timeout_ms;
    if (m_start) {
        switch (m_start->kind()) {
        case StartField::Kind::Unchanged: break;
        case StartField::Kind::AtOnce: edit.delay_ms = 0; break; // by the master's clock
        case StartField::Kind::After: edit.delay_ms = m_start->delay_ms(); break;
        case StartField::Kind::At: edit.runAt_ms = m_start->at_ms(); break;
        }
    }
    return edit;
}

void EditDialog::send()
{
    const Result<JobEdit> edit = read();
    if (!edit.ok()) {
        say(reasonText(edit.error().reason));
        return;
    }
    if (edit->isEmpty()) {
        reject(); // nothing was changed
        return;
    }
    say({});
    go()->setEnabled(false);
    m_client.editJob(m_job.id, *edit, client::guarded<Job>(this, [this, edit = *edit](Result<Job> answer) {
        go()->setEnabled(true);
        if (!answer.ok()) {
            say(reasonText(answer.error().reason));
            m_form->focus(answer.error().field);
            return;
        }
        Q_EMIT edited(m_job, edit);
        accept();
    }));
}

} // namespace junban::ui
