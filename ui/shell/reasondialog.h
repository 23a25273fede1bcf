#pragma once

#include "ui/widgets/formdialog.h"

namespace junban::ui {

// Sets the reason of all that is changed from now on, until it is taken away: for what is done without a question.
class ReasonDialog : public FormDialog
{
    Q_OBJECT

public:
    // The client must outlive the dialog.
    ReasonDialog(client::ApiLink &client, QWidget *window);

private:
    void send() override;

    client::ApiLink &m_client;
};

} // namespace junban::ui
