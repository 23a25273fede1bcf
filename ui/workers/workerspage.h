#pragma once

#include "core/jobs/worker.h"
#include "ui/widgets/page.h"
#include "ui/widgets/recordmodel.h"

QT_BEGIN_NAMESPACE
class QAction;
class QLabel;
QT_END_NAMESPACE

namespace junban::ui {

class RecordList;

// All workers that the masters know, those that ask for jobs and those that are called: what they run, how they do, and which are lost.
class WorkersPage : public Page
{
    Q_OBJECT

public:
    WorkersPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);

    void refresh() override;
    // Chooses a worker, as soon as it is known.
    void showWorker(const QByteArray &worker);

    RecordList *list() const { return m_list; }
    RecordList *jobs() const { return m_jobs; }
    QString summary() const;
    QList<QAction *> actions() const { return {m_drain, m_resume, m_release, m_show, m_failures, m_delete}; }
    QAction *drain() const { return m_drain; }
    QAction *resume() const { return m_resume; }
    QAction *release() const { return m_release; }
    QAction *failures() const { return m_failures; }
    QAction *remove() const { return m_delete; }

    static constexpr int rows_max = 500;

Q_SIGNALS:
    // Its jobs are to be taken from it and become ready again.
    void releaseRequested(const QByteArray &worker);
    // `running`: those that it runs; otherwise all that it had last.
    void jobsRequested(const QByteArray &worker, bool running);
    void failuresRequested(const QByteArray &worker);

private:
    void buildActions();
    QWidget *buildHead();
    QWidget *buildDetail();
    void say();
    void sayDetail();
    void askDelete();
    std::optional<Worker> chosen() const;
    Record record(const Worker &worker) const;
    bool isSilent(const Worker &worker) const;
    int urgency(const Worker &worker) const; // what asks for attention is listed first
    QString stateText(const Worker &worker) const;

    QList<Worker> m_workers;
    QByteArray m_wanted;             // the worker to choose as soon as its row is there
    bool m_more = false;
    client::CallId m_call = 0;
    RecordList *m_list = nullptr;
    RecordList *m_jobs = nullptr;
    QWidget *m_detail = nullptr;
    QLabel *m_summary = nullptr;
    QLabel *m_title = nullptr;
    QLabel *m_about = nullptr;
    QAction *m_drain = nullptr;
    QAction *m_resume = nullptr;
    QAction *m_release = nullptr;
    QAction *m_show = nullptr;
    QAction *m_failures = nullptr;
    QAction *m_delete = nullptr;
};

} // namespace junban::ui
