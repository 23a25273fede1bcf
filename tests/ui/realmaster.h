#pragma once

#include <QProcess>
#include <QUrl>

namespace junban::test {

// Starts a master, junband or junban, with the embedded Redis in a directory, and returns where it listens; an invalid URL when it does not
// say so. It ends with this process, however that ends, and takes its Redis with it.
QUrl startMaster(QProcess &process, const QString &program, const QString &listen, const QString &directory,
                 const QStringList &options = {});

} // namespace junban::test
