#pragma once

#include "ui/widgets/page.h"
#include "ui/widgets/recordmodel.h"

QT_BEGIN_NAMESPACE
class QAction;
class QLabel;
QT_END_NAMESPACE

namespace junban::ui {

class RecordList;

// What operators have the master do with many jobs: how far each operation is, who began it and why; those of the last day. Below are the
// jobs that the chosen one left as they were.
class OperationsPage : public Page
{
    Q_OBJECT

public:
    OperationsPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);

    void refresh() override;
    // Chooses an operation, as soon as it is known.
    void showOperation(const QByteArray &id);

    RecordList *list() const { return m_list; }
    RecordList *skipped() const { return m_skipped; }
    RecordList *jobs() const { return m_jobs; }
    QList<QAction *> actions() const { return {m_pause, m_resume, m_stop, m_undo}; }
    QAction *pause() const { return m_pause; }
    QAction *resume() const { return m_resume; }
    QAction *stop() const { return m_stop; }
    QAction *undo() const { return m_undo; }

    static constexpr int skipped_max = 200; // that are shown
    static constexpr int jobs_max = 100;    // likewise

private:
    void buildActions();
    QWidget *buildDetail();
    void say();
    void sayDetail();
    void askSkipped();
    void askJobs();
    void askCauses();
    void askFirsts();
    std::optional<BulkOperation> chosen() const;
    Record record(const BulkOperation &operation) const;
    QString jobsText(const BulkOperation &operation) const;
    QString stateText(const BulkOperation &operation) const;
    QString undoText(const BulkOperation &operation) const; // what it does, or why it can't be done
    bool haveStarted(const BulkOperation &operation) const;
    void askUndo();

    QList<BulkOperation> m_operations;
    QHash<QByteArray, QString> m_causes; // by the signature: a name and a cause; empty: asked for
    QHash<QByteArray, QString> m_firsts; // by the operation's ID: the name of its first job; empty: asked for, or unknown
    QByteArray m_wanted;             // the operation to choose as soon as its row is there
    QByteArray m_skippedOf;          // the operation whose jobs are listed …
    qint64 m_skippedAt = -1;         // … when it had left so many as they were
    client::CallId m_call = 0;
    client::CallId m_skippedCall = 0;
    QByteArray m_jobsOf;             // the operation whose jobs are listed
    QByteArray m_startedOf;          // the operation, if it is known that none of its jobs waits to start
    client::CallId m_jobsCall = 0;
    RecordList *m_list = nullptr;
    RecordList *m_skipped = nullptr;
    RecordList *m_jobs = nullptr;
    QWidget *m_detail = nullptr;
    QLabel *m_title = nullptr;
    QLabel *m_about = nullptr;
    QAction *m_pause = nullptr;
    QAction *m_resume = nullptr;
    QAction *m_stop = nullptr;
    QAction *m_undo = nullptr;
};

} // namespace junban::ui
