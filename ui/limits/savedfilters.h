#pragma once

#include "client/apiclient.h"
#include "core/jobs/savedfilter.h"
#include "ui/widgets/formdialog.h"

#include <QToolButton>

QT_BEGIN_NAMESPACE
class QLineEdit;
class QMenu;
QT_END_NAMESPACE

namespace junban::ui {

class FilterBar;
class Preferences;

// Asks for the name of a filter that is saved, or for the new name of one. A name that is taken is replaced only after a question that
// shows both texts.
class FilterNameDialog : public FormDialog
{
    Q_OBJECT

public:
    // `filter` has no revision when it is new. The client must outlive the dialog.
    FilterNameDialog(client::ApiClient &client, const Format &format, const SavedFilter &filter, QWidget *window);

    QLineEdit *name() const { return m_name; }

private:
    void send() override;
    void save(qint64 revision);
    void askToReplace();
    void leaveOldName();

    client::ApiClient &m_client;
    const Format m_format;
    const SavedFilter m_filter;
    QLineEdit *m_name;
};

// The button beside a filter line with the filters that were saved by name for its screen, and those that were applied before. The master
// keeps the saved ones for everybody; they are read when the menu is opened.
class SavedFilters : public QToolButton
{
    Q_OBJECT

public:
    // All must outlive it.
    SavedFilters(client::ApiClient &client, Preferences &preferences, FilterBar &bar, FilterScreen screen, QWidget *parent);

    // The menu, which opens once the master has answered.
    QMenu *list() const { return m_list; }
    void open();
    void setScreen(FilterScreen screen) { m_screen = screen; }
    // Puts a filter into the line as it was meant, and applies it.
    static void apply(FilterBar &bar, const SavedFilter &filter);

private:
    void fill(const QList<SavedFilter> &filters);
    void save();
    void ask(const SavedFilter &filter);
    void remove(const SavedFilter &filter);
    void sayProblem(const Reason &reason);

    client::ApiClient &m_client;
    Preferences &m_preferences;
    FilterBar &m_bar;
    FilterScreen m_screen;
    QMenu *m_list;
};

} // namespace junban::ui
