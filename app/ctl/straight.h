#pragma once

#include "core/jobs/fsckreport.h"
#include "core/redis/link.h"

#include <QCommandLineParser>
#include <functional>

namespace junban::app {

// The verbs that go straight to Redis, without a master: --redis URL and --namespace NAME. Each runs an event loop of its own and returns
// the exit code: 0 done, 1 something is wrong with the namespace or the file, 2 it could not be looked at.
int runFsck(const QCommandLineParser &flags);
int runExport(const QCommandLineParser &flags, const QString &file);
int runImport(const QCommandLineParser &flags, const QString &file);

// Says on standard error why something was not done, and returns 2.
int failed(const QByteArray &why);
// Prints what fsck found, and returns the exit code that says so.
int printFsck(const FsckReport &report);

struct Straight {
    redis::Link &link;
    QByteArray namespaceName;
};
// Calls `begin` once Redis is reached, and runs until it has ended the program's event loop with an exit code.
int straightToRedis(const QCommandLineParser &flags, const std::function<void(const Straight &straight)> &begin);

} // namespace junban::app
