#include "ui/limits/savedfilters.h"

#include "client/filtercalls.h"
#include "core/limits.h"
#include "ui/base/look.h"
#include "ui/base/preferences.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/limits/filterbar.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/question.h"

#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace junban::ui {

namespace {

constexpr int shownCharacters_max = 80;

FilterKind kindOf(Meant meant)
{
    switch (meant) {
    case Meant::Pattern: return FilterKind::Pattern;
    case Meant::Expression: return FilterKind::Expression;
    case Meant::Text:
    case Meant::Nothing: break;
    }
    return FilterKind::Text;
}

Meant meantAs(FilterKind kind)
{
    switch (kind) {
    case FilterKind::Pattern: return Meant::Pattern;
    case FilterKind::Expression: return Meant::Expression;
    case FilterKind::Text: break;
    }
    return Meant::Text;
}

QString inMenu(const QByteArray &text)
{
    return withoutKeys(clipped(shown(text), shownCharacters_max));
}

} // namespace

FilterNameDialog::FilterNameDialog(client::ApiClient &client, const Format &format, const SavedFilter &filter, QWidget *window)
    : FormDialog(window)
    , m_client(client)
    , m_format(format)
    , m_filter(filter)
    , m_name(new QLineEdit(QString::fromUtf8(filter.name), this))
{
    const bool isNew = filter.revision == 0;
    setWindowTitle(isNew ? tr("Save the filter") : tr("Rename the filter"));
    m_name->setPlaceholderText(tr("Name of the filter"));
    m_name->setAccessibleName(m_name->placeholderText());
    m_name->selectAll();
    QLabel *text = plainLabel(clipped(shown(filter.body.text), shownCharacters_max), this);
    text->setWordWrap(true);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(text);
    layout->addWidget(m_name);
    layout->addWidget(makeEnd(isNew ? tr("Save") : tr("Rename")));
    resize(characterWidth(fontMetrics()) * 60, sizeHint().height());
}

void FilterNameDialog::send()
{
    const QByteArray name = m_name->text().trimmed().toUtf8();
    if (name.isEmpty())
        say(tr("A name is required."));
    else if (name == m_filter.name)
        accept();
    else
        save(0);
}

void FilterNameDialog::save(qint64 revision)
{
    say({});
    go()->setEnabled(false);
    const QByteArray name = m_name->text().trimmed().toUtf8();
    const auto answered = client::guarded<SavedFilter>(this, [this](const Result<SavedFilter> &saved) {
        go()->setEnabled(true);
        if (saved.ok())
            leaveOldName();
        else if (saved.error().code == ErrorCode::RevisionMismatch)
            askToReplace();
        else
            say(reasonText(saved.error().reason));
    });
    client::FilterCalls(m_client).save(name, m_filter.body, revision, answered);
}

// Somebody has the name.
void FilterNameDialog::askToReplace()
{
    client::FilterCalls(m_client).filters(client::guarded<FilterList>(this, [this](const Result<FilterList> &list) {
        const QByteArray name = m_name->text().trimmed().toUtf8();
        const QList<SavedFilter> filters = list.ok() ? list->filters : QList<SavedFilter>();
        const auto theirs = std::find_if(filters.begin(), filters.end(), [&name](const SavedFilter &each) { return each.name == name; });
        if (theirs == filters.end()) {
            say(list.ok() ? tr("The name is taken by a filter that cannot be shown.") : reasonText(list.error().reason));
            return;
        }
        const QString both = tr("Saved by %1, %2:\n%3\n\nMine:\n%4", "a person, a time, a filter, a filter")
                                 .arg(Look::actor(theirs->savedBy), m_format.dateTime(theirs->savedAt_ms), shown(theirs->body.text),
                                      shown(m_filter.body.text));
        const Question question{tr("There is a saved filter “%1” already. Replace it?").arg(shown(name)), both, tr("Replace"),
                                Question::Weight::Grave};
        ask(this, m_client, question, [this, revision = theirs->revision] { save(revision); });
    }));
}

// The old name goes last: a rename that is interrupted loses nothing.
void FilterNameDialog::leaveOldName()
{
    if (m_filter.revision == 0) {
        accept();
        return;
    }
    client::FilterCalls(m_client).remove(m_filter.name, m_filter.revision,
        client::guarded<SavedFilter>(this, [this](const Result<SavedFilter> &removed) {
            if (removed.ok())
                accept();
            else
                say(reasonText(removed.error().reason));
        }));
}

SavedFilters::SavedFilters(client::ApiClient &client, Preferences &preferences, FilterBar &bar, FilterScreen screen, QWidget *parent)
    : QToolButton(parent)
    , m_client(client)
    , m_preferences(preferences)
    , m_bar(bar)
    , m_screen(screen)
    , m_list(new QMenu(this))
{
    setIcon(Look::icon(Icon::Star));
    setAccessibleName(tr("Saved and recent filters"));
    setToolTip(tr("Saved and recent filters"));
    m_list->setToolTipsVisible(true);
    connect(this, &QToolButton::clicked, this, &SavedFilters::open);
}

void SavedFilters::open()
{
    client::FilterCalls(m_client).filters(client::guarded<FilterList>(this, [this](const Result<FilterList> &list) {
        if (!list.ok()) {
            sayProblem(list.error().reason);
            return;
        }
        fill(list->filters);
        m_list->popup(mapToGlobal(rect().bottomLeft()));
    }));
}

void SavedFilters::fill(const QList<SavedFilter> &filters)
{
    for (QMenu *menu : m_list->findChildren<QMenu *>())
        menu->deleteLater();
    m_list->clear();
    QList<SavedFilter> own = filters;
    own.removeIf([this](const SavedFilter &each) { return each.body.screen != m_screen; });
    for (const SavedFilter &each : std::as_const(own)) {
        QAction *action = m_list->addAction(inMenu(each.name), this, [this, each] { apply(m_bar, each); });
        const QString at = m_preferences.format().dateTime(each.savedAt_ms);
        const QString tip = tr("%1\nSaved by %2, %3", "a filter, a person, a time")
                                .arg(shown(each.body.text), Look::actor(each.savedBy), at);
        action->setToolTip(plainTip(tip));
    }
    if (own.isEmpty())
        m_list->addAction(tr("None yet"))->setEnabled(false);
    m_list->addSeparator();
    m_list->addAction(Look::icon(Icon::Save), tr("&Save the filter…"), this, &SavedFilters::save)->setEnabled(!m_bar.match().isEmpty());
    QMenu *rename = m_list->addMenu(Look::icon(Icon::Pencil), tr("&Rename"));
    QMenu *removing = m_list->addMenu(Look::icon(Icon::Bin), tr("&Delete"));
    for (QMenu *menu : {rename, removing})
        menu->setEnabled(!own.isEmpty());
    for (const SavedFilter &each : std::as_const(own)) {
        rename->addAction(inMenu(each.name), this, [this, each] { ask(each); });
        removing->addAction(inMenu(each.name), this, [this, each] { remove(each); });
    }
    m_list->addSeparator();
    m_list->addMenu(m_bar.history());
}

void SavedFilters::apply(FilterBar &bar, const SavedFilter &filter)
{
    bar.setFilter(QString::fromUtf8(filter.body.text));
    if (bar.meant() != meantAs(filter.body.kind))
        bar.choose(meantAs(filter.body.kind));
}

void SavedFilters::save()
{
    const QString word = m_bar.word();
    SavedFilter filter;
    if (word.isEmpty())
        filter.body = {m_screen, FilterKind::Expression, m_bar.match()};
    else
        filter.body = {m_screen, kindOf(m_bar.meant()), word.toUtf8()};
    ask(filter);
}

void SavedFilters::ask(const SavedFilter &filter)
{
    (new FilterNameDialog(m_client, m_preferences.format(), filter, window()))->open();
}

void SavedFilters::remove(const SavedFilter &filter)
{
    const Question question{tr("Delete the saved filter “%1”?").arg(shown(filter.name)),
                            tr("It is gone for everybody who uses this queue."), tr("Delete")};
    junban::ui::ask(this, m_client, question, [this, filter] {
        client::FilterCalls(m_client).remove(filter.name, filter.revision,
            client::guarded<SavedFilter>(this, [this](const Result<SavedFilter> &removed) {
                if (!removed.ok())
                    sayProblem(removed.error().reason);
            }));
    });
}

// In place of the saved filters.
void SavedFilters::sayProblem(const Reason &reason)
{
    m_list->clear();
    m_list->addAction(withoutKeys(reasonText(reason)))->setEnabled(false);
    m_list->addMenu(m_bar.history());
    m_list->popup(mapToGlobal(rect().bottomLeft()));
}

} // namespace junban::ui
