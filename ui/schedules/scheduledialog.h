#pragma once

#include "client/apiclient.h"
#include "ui/base/preferences.h"
#include "ui/widgets/formdialog.h"


QT_BEGIN_NAMESPACE
class QComboBox;
class QDateTimeEdit;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QRadioButton;
class QSpinBox;
QT_END_NAMESPACE

namespace junban::ui {

class JobForm;

// A form for a recurring job: when it fires, what it enqueues, and what happens when runs overlap or are missed. It shows the next runs
// while the recurrence is typed.
class ScheduleDialog : public FormDialog
{
    Q_OBJECT

public:
    // `schedule`: the one to change; nullopt: a new one. `now_ms`: the master's time.
    ScheduleDialog(client::ApiClient &client, const std::optional<Schedule> &schedule, Preferences &preferences, qint64 now_ms,
                   QWidget *window);

    QLineEdit *id() const { return m_id; }
    QLineEdit *cron() const { return m_cron; }
    QComboBox *zone() const { return m_zone; }
    QRadioButton *byInterval() const { return m_byInterval; }
    QDoubleSpinBox *every() const { return m_every; }
    QComboBox *overlap() const { return m_overlap; }
    JobForm *job() const { return m_job; }
    // The text that is shown: the next runs, or what is wrong with the recurrence.
    QString preview() const;

    static constexpr int previewed = 5;

Q_SIGNALS:
    void saved(const QByteArray &id);

private:
    QWidget *buildWhen();
    QWidget *buildPolicies();
    void fill(const Schedule &schedule);
    Result<Recurrence> recurrence() const;
    void showNext();
    void send() override;

    client::ApiClient &m_client;
    std::optional<Schedule> m_schedule;
    Format m_format;
    qint64 m_now_ms;
    bool m_sending = false;
    QLineEdit *m_id;
    QLineEdit *m_title;
    QRadioButton *m_byCron = nullptr;
    QRadioButton *m_byInterval = nullptr;
    QLineEdit *m_cron = nullptr;
    QComboBox *m_zone = nullptr;
    QDoubleSpinBox *m_every = nullptr;
    QComboBox *m_unit = nullptr;
    QLabel *m_next = nullptr;
    QComboBox *m_overlap = nullptr;
    QComboBox *m_missed = nullptr;
    QSpinBox *m_missedMax = nullptr;
    JobForm *m_job;
};

} // namespace junban::ui
