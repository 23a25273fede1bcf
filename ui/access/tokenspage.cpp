#include "ui/access/tokenspage.h"

#include "ui/access/accesstexts.h"
#include "ui/access/madetokendialog.h"
#include "ui/access/newtokendialog.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/widgets/copytext.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/question.h"
#include "ui/widgets/recordlist.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace junban::ui {

namespace {

QString nameOf(const Token &token)
{
    return shown(token.spec.note.isEmpty() ? token.id : token.spec.note);
}

bool isAdmin(const Token &token)
{
    return token.spec.roles.contains(Role::Admin);
}

} // namespace

TokensPage::TokensPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent)
    : Page(client, feed, preferences, parent)
{
    using enum RecordColumn::Side;
    using enum RecordColumn::Sort;
    m_list = new RecordList({{tr("Note"), 28}, {tr("Roles"), 22}, {tr("Jobs"), 24, Left, tr("The jobs that the token is for")},
                             {tr("Ends"), 16, Left, {}, None, true}, {tr("Last used"), 16, Left, {}, None, true},
                             {tr("Created"), 18, Left, {}, None, true, true}, {tr("Created by"), 18, Left, {}, None, false, true},
                             {tr("ID"), 20, Left, {}, None, true, true}},
                            tr("Tokens"), this);
    m_list->table()->remember(preferences, QStringLiteral("tokens/header"));
    buildActions();
    setMainList(m_list);
    auto *head = new QWidget(this);
    QHBoxLayout *line = headLine(head);
    addButtons(line, {m_make}, head);
    line->addStretch();
    m_detail = buildDetail();
    m_detail->hide();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(head);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_detail);
    connect(m_list->table(), &RecordTable::chosenChanged, this, &TokensPage::sayDetail);
    connect(m_list->table(), &RecordTable::openRequested, m_did, &QAction::trigger);
    connect(m_list->empty(), &EmptyState::actionTriggered, this, [this] {
        if (unreadable())
            refresh();
        else
            create();
    });
    connect(&m_preferences, &Preferences::formatChanged, this, &TokensPage::say);
    say();
}

void TokensPage::buildActions()
{
    m_make = new QAction(Look::icon(Icon::Key), tr("&New token…"), this);
    m_revoke = new QAction(Look::icon(Icon::Bin), tr("Re&voke…"), this);
    m_did = new QAction(Look::icon(Icon::Audit), tr("What it &did"), this);
    m_copyId = new QAction(Look::icon(Icon::Copy), tr("Copy the &ID"), this);
    m_did->setToolTip(tr("Its entries in the audit"));
    connect(m_make, &QAction::triggered, this, &TokensPage::create);
    connect(m_revoke, &QAction::triggered, this, &TokensPage::askRevoke);
    connect(m_did, &QAction::triggered, this, [this] {
        if (const QByteArray id = m_list->table()->chosen(); !id.isEmpty())
            Q_EMIT auditRequested(id);
    });
    connect(m_copyId, &QAction::triggered, this, [this] { copyText(QString::fromUtf8(m_list->table()->chosen()), m_list->table()); });
    offer(m_list, {m_did, m_copyId, m_revoke});
}

QWidget *TokensPage::buildDetail()
{
    auto *box = new QWidget(this);
    m_title = titleLabel(box);
    m_about = aboutLabel(box);
    layOutDetail(box, {m_title, m_about}, {m_did, m_copyId, m_revoke});
    return box;
}

void TokensPage::refresh()
{
    if (m_call != 0)
        return;
    m_call = m_client.tokens(client::guarded<TokenList>(this, [this](Result<TokenList> answer) {
        m_call = 0;
        if (learned(answer))
            m_tokens = answer->tokens;
        say();
    }));
}

void TokensPage::showToken(const QByteArray &id)
{
    m_wanted = id;
    say();
}

void TokensPage::create()
{
    using Which = NewTokenDialog::Which;
    auto *dialog = new NewTokenDialog(m_client, m_tokens.isEmpty() ? Which::First : Which::Further, window());
    connect(dialog, &NewTokenDialog::created, this, &TokensPage::made);
    dialog->open();
}

// From the first token on every call needs one, also those of this window.
void TokensPage::made(const CreatedToken &token)
{
    const bool isOwn = m_tokens.isEmpty() && !m_client.hasToken();
    if (isOwn) {
        m_client.setToken(token.text);
        Q_EMIT ownTokenMade();
    }
    m_wanted = token.token.id;
    (new MadeTokenDialog(token, isOwn ? MadeTokenDialog::Use::ByThisWindow : MadeTokenDialog::Use::Elsewhere, window()))->open();
    refresh();
}

std::optional<Token> TokensPage::chosen() const
{
    const QByteArray id = m_list->table()->chosen();
    const auto found = std::find_if(m_tokens.cbegin(), m_tokens.cend(), [&](const Token &each) { return each.id == id; });
    return found == m_tokens.cend() ? std::nullopt : std::optional(*found);
}

QString TokensPage::about() const { return m_about->text(); }

Cell TokensPage::endCell(const Token &token) const
{
    const qint64 at_ms = token.spec.expiresAt_ms, now_ms = m_feed.now_ms();
    if (at_ms == 0)
        return {tr("never")};
    if (token.isExpired(now_ms))
        return {tr("expired %1", "a time").arg(format().timeToday(at_ms, now_ms)), format().dateTime(at_ms), {}, Tone::Bad};
    return {tr("in %1", "a duration").arg(format().age(at_ms - now_ms)), format().dateTime(at_ms)};
}

Record TokensPage::record(const Token &token) const
{
    const TokenSpec &spec = token.spec;
    QStringList jobs;
    for (const QByteArray &name : spec.names)
        jobs.append(shown(name));
    QString scope = listed(jobs);
    if (!spec.match.isEmpty())
        scope += (scope.isEmpty() ? QString() : QStringLiteral(" · ")) + shown(spec.match);
    Record record{token.id, {}};
    if (spec.note.isEmpty())
        record.cells.append({tr("(no note)"), {}, Look::icon(Icon::Key), Tone::Faint});
    else
        record.cells.append({shown(spec.note), {}, Look::icon(Icon::Key)});
    record.cells.append({AccessTexts::roles(spec.roles)});
    record.cells.append({scope.isEmpty() ? tr("all jobs") : scope, {}, {}, scope.isEmpty() ? Tone::Faint : Tone::Plain});
    record.cells.append(endCell(token));
    record.cells.append({token.lastUsedAt_ms > 0 ? ago(token.lastUsedAt_ms) : tr("never used"), format().dateTime(token.lastUsedAt_ms), {},
                         token.lastUsedAt_ms > 0 ? Tone::Plain : Tone::Faint});
    record.cells.append({format().timeToday(token.createdAt_ms, m_feed.now_ms()), format().dateTime(token.createdAt_ms)});
    const auto maker = std::find_if(m_tokens.cbegin(), m_tokens.cend(), [&](const Token &each) { return each.id == token.createdBy; });
    record.cells.append({AccessTexts::maker(token.createdBy, maker == m_tokens.cend() ? QByteArray() : maker->spec.note),
                         shown(token.createdBy)});
    record.cells.append({shown(token.id)});
    return record;
}

void TokensPage::say()
{
    QList<Record> records;
    for (const Token &token : std::as_const(m_tokens))
        records.append(record(token));
    m_list->setRecords(records);
    if (m_list->model()->rowOf(m_wanted) >= 0)
        m_list->table()->choose(std::exchange(m_wanted, {}));
    if (!saidUnknown(m_list->empty(), tr("The tokens could not be read")))
        m_list->empty()->say(Icon::Key, tr("No tokens"),
                             tr("Callers of this machine need none and hold every role. From the first token on every caller needs one."),
                             tr("New token…"));
    sayDetail();
}

void TokensPage::sayDetail()
{
    const std::optional<Token> token = chosen();
    m_detail->setVisible(token.has_value());
    for (QAction *action : {m_revoke, m_did, m_copyId})
        action->setEnabled(token.has_value());
    if (!token)
        return;
    m_title->setText(nameOf(*token));
    m_title->setToolTip(plainTip(m_title->text()));
    const Record row = record(*token);
    QStringList about{AccessTexts::roles(token->spec.roles), row.cells[2].text,
                      tr("created %1 by %2", "a time, a token's note").arg(format().dateTime(token->createdAt_ms), row.cells[6].text)};
    about.append(token->spec.expiresAt_ms == 0 ? tr("never ends") : tr("ends %1").arg(format().dateTime(token->spec.expiresAt_ms)));
    if (token->id == m_own)
        about.append(tr("this window uses it"));
    m_about->setText(about.join(QStringLiteral(" · ")));
    m_about->setToolTip(plainTip(m_about->text()));
}

// What stops working.
QString TokensPage::revokeText(const Token &token) const
{
    const auto isOther = [&](const Token &each) { return each.id != token.id; };
    const bool isLast = std::none_of(m_tokens.begin(), m_tokens.end(), isOther);
    const bool isLastAdmin = isAdmin(token)
        && std::none_of(m_tokens.begin(), m_tokens.end(), [&](const Token &each) { return isOther(each) && isAdmin(each); });
    if (isLast)
        return tr("It is the last token: callers of the master's own machine hold every role then.");
    QStringList lines{tr("Whoever uses it is refused within two seconds.")};
    if (isLastAdmin)
        lines.prepend(tr("It is the last one of an administrator: nobody can make tokens then."));
    if (token.id == m_own)
        lines.append(tr("This window uses it."));
    if (token.spec.roles.contains(Role::Worker))
        lines.append(tr("Workers with it get no jobs and cannot report those that they run."));
    if (token.spec.roles.contains(Role::Pusher))
        lines.append(tr("Results that wait for its pusher cannot be collected with another token."));
    lines.append(token.lastUsedAt_ms > 0 ? tr("It was last used %1.", "how long ago").arg(ago(token.lastUsedAt_ms))
                                         : tr("It was never used."));
    return lines.join(QLatin1Char('\n'));
}

void TokensPage::askRevoke()
{
    const std::optional<Token> token = chosen();
    if (!token)
        return;
    const QString name = nameOf(*token);
    ask(window(), m_client, {tr("Revoke the token “%1”?").arg(name), revokeText(*token), tr("Revoke"), Question::Weight::Destroys},
        [this, id = token->id, name] {
            m_client.revokeToken(id, client::guarded<Done>(this, [this, name](const Result<Done> &answer) {
                acted(answer, tr("Token “%1” revoked").arg(name));
            }));
        });
}

} // namespace junban::ui
