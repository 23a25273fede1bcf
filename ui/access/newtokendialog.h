#pragma once

#include "client/apiclient.h"
#include "ui/widgets/formdialog.h"

#include <array>

QT_BEGIN_NAMESPACE
class QCheckBox;
class QLineEdit;
QT_END_NAMESPACE

namespace junban::ui {

class EndField;
class ExpressionEdit;

// A form for a new token: what it may do, for which jobs and for how long.
class NewTokenDialog : public FormDialog
{
    Q_OBJECT

public:
    enum class Which { First, Further };
    // The client must outlive the dialog.
    NewTokenDialog(client::ApiClient &client, Which which, QWidget *window);

    QLineEdit *note() const { return m_note; }
    QCheckBox *role(Role role) const { return m_roles[size_t(role)]; }
    EndField *end() const { return m_end; }
    QLineEdit *names() const { return m_names; }
    ExpressionEdit *match() const { return m_match; }

Q_SIGNALS:
    void created(const junban::CreatedToken &token);

private:
    QWidget *buildRoles();
    TokenSpec spec() const;
    void send() override;

    client::ApiClient &m_client;
    QLineEdit *m_note;
    std::array<QCheckBox *, roleWords.size()> m_roles = {};
    EndField *m_end;
    QLineEdit *m_names;
    ExpressionEdit *m_match;
};

} // namespace junban::ui
