#pragma once

#include "client/apiclient.h"
#include "ui/widgets/formdialog.h"

#include <QTimer>

QT_BEGIN_NAMESPACE
class QLabel;
class QLineEdit;
class QRadioButton;
QT_END_NAMESPACE

namespace junban::ui {

class EndField;
class ExpressionEdit;

// A form for a pause: what is paused, until when, and why.
class PauseDialog : public FormDialog
{
    Q_OBJECT

public:
    // `match`: the expression to begin with; empty: the operator says which jobs.
    PauseDialog(client::ApiClient &client, const QByteArray &match, QWidget *window);

    QRadioButton *everything() const { return m_everything; }
    QRadioButton *some() const { return m_some; }
    ExpressionEdit *expression() const { return m_expression; }
    QLineEdit *reason() const { return m_reason; }
    EndField *end() const { return m_end; }
    QLabel *stops() const { return m_stops; }

Q_SIGNALS:
    void paused(const QByteArray &id);

private:
    void send() override;
    void count();

    client::ApiClient &m_client;
    QRadioButton *m_everything;
    QRadioButton *m_some;
    ExpressionEdit *m_expression;
    EndField *m_end;
    QLabel *m_stops; // how many jobs
    QTimer m_pause;  // until what is typed is counted
    client::CallId m_call = 0;
    QLineEdit *m_reason;
};

} // namespace junban::ui
