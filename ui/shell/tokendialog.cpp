#include "ui/shell/tokendialog.h"

#include "client/apiclient.h"
#include "ui/base/text.h"
#include "ui/widgets/labels.h"

#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace junban::ui {

TokenDialog::TokenDialog(client::ApiClient &client, const QString &why, QWidget *window)
    : FormDialog(window)
    , m_client(client)
    , m_token(new QLineEdit(this))
{
    setObjectName(QStringLiteral("token"));
    setWindowTitle(tr("Token"));
    QLabel *text = plainLabel(tr("The master at %1 needs a token. It says: %2").arg(shown(client.place()), why), this);
    text->setWordWrap(true);
    text->setBuddy(m_token);
    m_token->setAccessibleName(tr("Token"));
    m_token->setEchoMode(QLineEdit::Password);
    m_token->setPlaceholderText(QStringLiteral("jt_…"));
    QLabel *note = plainLabel(tr("It is kept in memory until this program ends. To start with one, use --token-file."), this);
    note->setWordWrap(true);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(text);
    layout->addWidget(m_token);
    layout->addWidget(note);
    layout->addWidget(makeEnd(tr("Use the token"), tr("Continue without")));
    m_token->setFocus();
}

void TokenDialog::send()
{
    const QByteArray token = m_token->text().trimmed().toUtf8();
    if (token.isEmpty()) {
        say(tr("No token yet."));
        return;
    }
    m_client.setToken(token);
    accept();
}

} // namespace junban::ui
