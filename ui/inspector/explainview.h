#pragma once

#include "client/apiclient.h"
#include "ui/base/preferences.h"

#include <QWidget>
#include <optional>

QT_BEGIN_NAMESPACE
class QLabel;
QT_END_NAMESPACE

namespace junban::ui {

class RecordList;

// Why a job is not running: every gate that it has to pass, in the order in which a claim checks them, and what holds it there. The view
// asks the master only while it is visible.
class ExplainView : public QWidget
{
    Q_OBJECT

public:
    ExplainView(client::ApiClient &client, Preferences &preferences, QWidget *parent = nullptr);

    // Ready jobs of whatever name.
    struct Others {
        qint64 better = 0;         // have a better priority
        qint64 unasked = 0;        // have names that no worker asks for
    };
    void setJob(const Job &job, qint64 now_ms, const Others &others);
    RecordList *list() const { return m_list; }
    QString summary() const;

Q_SIGNALS:
    void jobRequested(const junban::JobId &id);
    void constraintRequested(const QByteArray &matcher, const QByteArray &constraint);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void ask();
    void say();
    QString summaryText() const;
    QString turnText(const QString &text) const;
    QString gateText(const client::Gate &gate) const;
    QString detailText(const client::Gate &gate) const;
    QString workersText(const client::Gate &gate) const;

    client::ApiClient &m_client;
    Preferences &m_preferences;
    Job m_job;
    qint64 m_now_ms = 0;
    Others m_others;
    client::CallId m_call = 0;
    std::optional<client::Explanation> m_explanation; // of m_job
    std::optional<Error> m_error;
    QLabel *m_summary;
    RecordList *m_list;
};

} // namespace junban::ui
