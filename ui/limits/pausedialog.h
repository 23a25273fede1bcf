#pragma once

#include "client/apiclient.h"
#include "ui/widgets/formdialog.h"

QT_BEGIN_NAMESPACE
class QComboBox;
class QLineEdit;
class QRadioButton;
QT_END_NAMESPACE

namespace junban::ui {

class ExpressionEdit;

// A form for a pause: what is paused, until when, and why.
class PauseDialog : public FormDialog
{
    Q_OBJECT

public:
    // `match`: the expression to begin with; empty: all jobs.
    PauseDialog(client::ApiClient &client, const QByteArray &match, qint64 now_ms, QWidget *window);

    QRadioButton *everything() const { return m_everything; }
    QRadioButton *some() const { return m_some; }
    ExpressionEdit *expression() const { return m_expression; }
    QLineEdit *reason() const { return m_reason; }

Q_SIGNALS:
    void paused(const QByteArray &id);

private:
    void send() override;

    client::ApiClient &m_client;
    qint64 m_now_ms;
    QRadioButton *m_everything;
    QRadioButton *m_some;
    ExpressionEdit *m_expression;
    QComboBox *m_until;
    QLineEdit *m_reason;
};

} // namespace junban::ui
