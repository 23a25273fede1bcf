#pragma once

#include "core/access/token.h"
#include "ui/widgets/page.h"
#include "ui/widgets/recordmodel.h"

namespace junban::ui {

// Who may call: the tokens, which are made and revoked here. The text of one is shown once, when it is made. For administrators.
class TokensPage : public Page
{
    Q_OBJECT

public:
    TokensPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);

    void refresh() override;
    // Opens the form for a new token.
    void create();
    // Chooses a token, as soon as it is known.
    void showToken(const QByteArray &id);
    // The token that this window calls with.
    void setOwn(const QByteArray &id) { m_own = id; }

    RecordList *list() const { return m_list; }
    QAction *make() const { return m_make; }
    QAction *revoke() const { return m_revoke; }
    QAction *did() const { return m_did; }
    QAction *copyId() const { return m_copyId; }
    QString about() const;

Q_SIGNALS:
    // What was done with this token is wanted.
    void auditRequested(const QByteArray &token);
    // The first token was made, and the window calls with it from now on.
    void ownTokenMade();

private:
    void buildActions();
    QWidget *buildDetail();
    void made(const CreatedToken &token);
    void askRevoke();
    QString revokeText(const Token &token) const;
    void say();
    void sayDetail();
    std::optional<Token> chosen() const;
    Cell endCell(const Token &token) const;
    Record record(const Token &token) const;

    QList<Token> m_tokens;
    QByteArray m_own;
    QByteArray m_wanted;             // the token to choose as soon as its row is there
    client::CallId m_call = 0;
    RecordList *m_list = nullptr;
    QWidget *m_detail = nullptr;
    QLabel *m_title = nullptr;
    QLabel *m_about = nullptr;
    QAction *m_make = nullptr;
    QAction *m_revoke = nullptr;
    QAction *m_did = nullptr;
    QAction *m_copyId = nullptr;
};

} // namespace junban::ui
