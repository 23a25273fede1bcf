#pragma once

#include "client/apiclient.h"
#include "ui/base/preferences.h"

#include <QScrollArea>
#include <optional>

QT_BEGIN_NAMESPACE
class QFormLayout;
class QVBoxLayout;
QT_END_NAMESPACE

namespace junban::ui {

// Every field of a job in words, with links to related jobs: those it depends on, and its group's callback.
class JobFields : public QScrollArea
{
    Q_OBJECT

public:
    JobFields(client::ApiClient &client, Preferences &preferences, QWidget *parent = nullptr);

    void setJob(const Job &job);
    // A field's text as it is shown; empty when there is no such field.
    QString value(const QString &name) const;
    QList<QWidget *> links() const { return m_linkButtons; }

Q_SIGNALS:
    void jobRequested(const junban::JobId &id);

private:
    void say();
    void sayTimes();
    void saySpecial();
    void sayGroup();
    void sayLinks();
    void field(const QString &name, const QString &value);
    void time(const QString &name, qint64 at_ms);
    void askGroup();

    client::ApiClient &m_client;
    Preferences &m_preferences;
    Job m_job;
    std::optional<Group> m_group;
    client::CallId m_groupCall = 0;
    QWidget *m_page;
    QFormLayout *m_form;
    QVBoxLayout *m_links;
    QList<QPair<QString, JobId>> m_linked;
    QList<QWidget *> m_linkButtons;
    int m_used = 0;
};

} // namespace junban::ui
