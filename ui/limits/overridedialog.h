#pragma once

#include "client/apiclient.h"
#include "client/matchers.h"
#include "ui/widgets/formdialog.h"

QT_BEGIN_NAMESPACE
class QLineEdit;
QT_END_NAMESPACE

namespace junban::ui {

class ParameterForm;

// Limits of its own for one key of a constraint: the constraint's form, filled in with what counts for the key now. What is other than the
// constraint's is sent, as an edit of its matcher.
class OverrideDialog : public FormDialog
{
    Q_OBJECT

public:
    // `key`: nothing: to be filled in. `revision`: the matcher's.
    OverrideDialog(client::ApiClient &client, const Constraint &constraint, const std::optional<QByteArray> &key, qint64 revision,
                   QWidget *window);

    QLineEdit *key() const { return m_key; }
    ParameterForm *parameters() const { return m_parameters; }
    // What takes a key's limits away: an empty map.
    static QByteArray none();
    // What of `wanted` is other than the constraint's own, as a map. Errors: something that the constraint gives is not in `wanted`, which
    // a map cannot say.
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
