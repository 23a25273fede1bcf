#include "tests/ui/realmaster.h"

#include <QTest>
#include <csignal>
#include <sys/prctl.h>

namespace junban::test {

QUrl startMaster(QProcess &process, const QString &program, const QString &listen, const QString &directory, const QStringList &options)
{
    process.setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGTERM); });
    process.start(program, QStringList{QStringLiteral("--listen"), listen, QStringLiteral("--data-dir"), directory} + options);
    QByteArray line;
    const bool said = QTest::qWaitFor([&] {
        line += process.readAllStandardOutput();
        return line.contains('\n');
    }, 20'000);
    if (!said)
        qWarning("%s", process.readAllStandardError().constData());
    return said ? QUrl(QString::fromUtf8(line.trimmed().split(' ').last())) : QUrl();
}

} // namespace junban::test
