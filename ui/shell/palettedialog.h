#pragma once

#include "client/apiclient.h"
#include "core/jobs/savedfilter.h"
#include "ui/base/format.h"

#include <QDialog>
#include <QTimer>

QT_BEGIN_NAMESPACE
class QAction;
class QLabel;
class QLineEdit;
class QListWidget;
QT_END_NAMESPACE

namespace junban::ui {

// Where the palette leads, besides to the actions of the menus.
struct PalettePlaces {
    std::function<void(const JobId &id)> job;
    std::function<void(const QByteArray &name)> name;
    std::function<void(const QByteArray &matcher, const QByteArray &constraint)> matcher;
    std::function<void(const QByteArray &schedule)> schedule;
    std::function<void(const QByteArray &worker)> worker;
    std::function<void(const QByteArray &operation)> operation;
    std::function<void(const SavedFilter &filter)> filter;
};

// The command palette (Ctrl+K): finds actions, screens, names, saved filters, JobMatchers, schedules, workers and operations by a part of
// their text, and jobs by a part of their id. Any other word is also offered as a name of jobs.
class PaletteDialog : public QDialog
{
    Q_OBJECT

public:
    // `actions`: those of the menus, in their order; disabled ones are not offered. The client must outlive the dialog.
    PaletteDialog(const QList<QAction *> &actions, client::ApiClient &client, const Format &format, PalettePlaces places, QWidget *window);

    QLineEdit *input() const { return m_input; }
    QListWidget *list() const { return m_list; }
    QString hint() const;

    // A property of an action: its text in English, by which it is found in every language.
    static constexpr const char *englishProperty = "english";
    static constexpr int ofEach_max = 8; // of what the master knows
    static constexpr int idPart_min = 4; // characters; fewer are in too many ids

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    // Something that the master knows.
    struct Known {
        QString text;
        QString id; // is searched, too
        std::function<void()> open;
    };
    void ask();
    void askWork();
    void askJobs(const QByteArray &cursor);
    void jobsCame(const JobPage &page);
    void fill();
    void add(const QString &text, const std::function<void()> &open);
    void addKnown(const QList<Known> &known, const QString &typed);
    void choose();

    QList<QAction *> m_actions;
    client::ApiClient &m_client;
    Format m_format;
    PalettePlaces m_places;
    QLineEdit *m_input;
    QListWidget *m_list;
    QLabel *m_hint;
    QTimer m_pause; // from the last keystroke to the search for jobs
    QList<Known> m_names, m_matchers, m_schedules, m_workers, m_operations, m_filters, m_jobs;
    client::CallId m_call = 0; // the search for jobs
    qint64 m_scanned = 0;
    QString m_searched; // how far it is; empty: it is over
    QList<std::function<void()>> m_opens; // by the list's rows
};

} // namespace junban::ui
