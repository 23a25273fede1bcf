#pragma once

#include "client/apiclient.h"
#include "ui/widgets/formdialog.h"

QT_BEGIN_NAMESPACE
class QLineEdit;
QT_END_NAMESPACE

namespace junban::ui {

class ParameterForm;

// Gives one key of a constraint its own limits. The form begins with the limits that apply to the key now. Only limits that differ from the
// constraint's are sent, as an edit of the matcher.
class OverrideDialog : public FormDialog
{
    Q_OBJECT

public:
    // `key`: nullopt lets the operator type it. `revision`: the matcher's revision.
    OverrideDialog(client::ApiClient &client, const Constraint &constraint, const std::optional<QByteArray> &key, qint64 revision,
                   QWidget *window);

    QLineEdit *key() const { return m_key; }
    ParameterForm *parameters() const { return m_parameters; }
    // The value that removes a key's own limits: an empty map.
    static QByteArray none();
    // The parameters in which `wanted` differs from the constraint's own, as a map. Errors: `wanted` lacks a parameter that the constraint
    // has; a map cannot say that.
    static Result<QByteArray> differing(const Constraint &constraint, const Parameters &wanted);

Q_SIGNALS:
    void saved(const junban::client::SavedMatcher &now);

private:
    void send() override;

    client::ApiClient &m_client;
    Constraint m_constraint;
    qint64 m_revision;
    QLineEdit *m_key;
    ParameterForm *m_parameters;
};

} // namespace junban::ui
