#pragma once

#include <QtGlobal>
#include <sys/types.h>

namespace junban::app {

// Milliseconds of a clock that is never set, and does not stop while the machine sleeps.
qint64 stopwatch_ms();

// Another process, which ends the commands of this one when it is gone, however it ended: a command is a process group of its own, so
// nothing else would. It also ends each at the time told, in case this program stands still. It has a session of its own and none of this
// program's files. Make it before threads are started. Threads: the main one.
class Keeper
{
public:
    Keeper();
    ~Keeper();
    Keeper(const Keeper &) = delete;
    Keeper &operator=(const Keeper &) = delete;

    // For a child before it becomes the command: makes it a process group, which is ended with this program, and at `end_ms` on the
    // stopwatch. Only what may be done between fork and exec is done.
    void keepThisChild(qint64 end_ms) const;
    // Another time for it.
    void keep(pid_t group, qint64 end_ms) const;
    // The process group has ended.
    void forget(pid_t group) const { keep(group, 0); }

private:
    const pid_t m_program;
    int m_descriptor = -1;
    pid_t m_process = -1;
};

} // namespace junban::app
