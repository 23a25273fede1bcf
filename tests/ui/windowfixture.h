#pragma once

#include "core/jobs/job.h"
#include "tests/support/scriptedmaster.h"
#include "ui/shell/console.h"

#include <QApplication>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

namespace junban::test {

// A master of a few jobs, as MessagePack, and a window on it. What it says can be changed at any time, and so can whether it
// answers at all.
class WindowFixture
{
public:
    explicit WindowFixture(const char *language = "en");
    ~WindowFixture();

    bool serve(quint16 port = 0) { return m_master.listen(port); }
    // Makes the window and shows it. Without serve() before, there is nobody at its address.
    void open();
    // Opens, and waits until it is live.
    bool openLive();
    ui::MainWindow &window() const { return *m_console->window(); }
    ui::Console &console() const { return *m_console; }
    ScriptedMaster &master() { return m_master; }

    int deadline_ms = 2'000;         // of the window's requests
    ui::MasterPlace place = ui::MasterPlace::Remote;
    QList<Job> jobs;
    qint64 enqueuedTotal = 1;
    qint64 rollbackAt_ms = 0;        // 0: Redis has lost nothing
    QList<QPair<QByteArray, QByteArray>> overviewMore; // further fields of the overview, packed
    QByteArray next;                 // of the list of jobs
    QByteArray outcome;              // of a peek
    JobId enqueued;                  // what an enqueue is answered
    // One operation on many jobs: what its dry run counts, and how many of them each look at it finds done since the last one.
    qint64 bulkJobs = 0, bulkLeft = 0, bulkStep = 1'000'000;
    QByteArrayList bulkBodies;       // of the dry runs
    QByteArrayList bulkStarts;       // of what was started
    // Answers these instead, by path.
    QHash<QByteArray, ScriptedMaster::Answer> instead;
    // Likewise, made when they are asked for.
    QHash<QByteArray, std::function<ScriptedMaster::Answer(const ScriptedMaster::Request &)>> answers;
    // Answers what it gives instead, if anything.
    std::function<std::optional<ScriptedMaster::Answer>(const ScriptedMaster::Request &)> guard;
    // Of every answer.
    QList<QPair<QByteArray, QByteArray>> fields;
    // Whether it answers at all.
    enum class Voice { Speaks, Silent } voice = Voice::Speaks;

    int requestsTo(const QByteArray &path, const QByteArray &query = {}) const;
    // The jobs' numbers become their ids.
    static Job job(int number, JobState state = JobState::Ready);
    static QByteArray problem(int status, const char *code, const char *detail);

private:
    std::optional<ScriptedMaster::Answer> answer(const ScriptedMaster::Request &sent);
    std::optional<ScriptedMaster::Answer> given(const ScriptedMaster::Request &request);
    QByteArray encodeJob(const Job &job) const;
    QByteArray encodeList(const ScriptedMaster::Request &request) const;
    QByteArray encodeOverview() const;
    std::optional<ScriptedMaster::Answer> answerBulk(const ScriptedMaster::Request &request);

    QTemporaryDir m_directory;
    ScriptedMaster m_master;
    std::unique_ptr<client::ApiClient> m_client;
    std::unique_ptr<ui::Console> m_console;
    QByteArray m_language;
    QByteArray m_bulkAction, m_bulkState; // the latter empty: it has not begun
    qint64 m_bulkDone = 0;
};

} // namespace junban::test
