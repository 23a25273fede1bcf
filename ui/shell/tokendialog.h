#pragma once

#include "ui/widgets/formdialog.h"

QT_BEGIN_NAMESPACE
class QLineEdit;
QT_END_NAMESPACE

namespace junban::client {
class ApiClient;
}

namespace junban::ui {

// Asks for the token that a master wants. The client keeps it in memory, and nobody else does.
class TokenDialog : public FormDialog
{
    Q_OBJECT

public:
    // `why`: what the master said. The client must outlive the dialog.
    TokenDialog(client::ApiClient &client, const QString &why, QWidget *window);

    QLineEdit *token() const { return m_token; }

protected:
    void send() override;

private:
    client::ApiClient &m_client;
    QLineEdit *m_token;
};

} // namespace junban::ui
