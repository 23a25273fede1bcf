#include "app/master/log.h"

#include "core/base/clock.h"
#include "core/base/isotime.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace junban::app {

namespace {

// Set once, before any thread starts.
Options::LogFormat chosen = Options::LogFormat::Text;
bool journal = false;

// Whether standard error goes to systemd's journal, which keeps the time itself.
bool toJournal()
{
    struct stat file = {};
    return ::fstat(STDERR_FILENO, &file) == 0
        && qgetenv("JOURNAL_STREAM") == QByteArray::number(quint64(file.st_dev)) + ':' + QByteArray::number(quint64(file.st_ino));
}

// As syslog numbers them.
const char *journalLevelOf(QtMsgType type)
{
    switch (type) {
    case QtDebugMsg: return "<7>";
    case QtInfoMsg: return "<6>";
    case QtWarningMsg: return "<4>";
    default: return "<3>";
    }
}

const char *levelOf(QtMsgType type)
{
    switch (type) {
    case QtDebugMsg: return "debug";
    case QtInfoMsg: return "info";
    case QtWarningMsg: return "warning";
    default: return "error";
    }
}

void write(QtMsgType type, const QMessageLogContext &, const QString &message)
{
    const QByteArray time = isoTime(Clock::machine_ms());
    const QByteArray text = message.toUtf8().replace('\n', " | ");
    QByteArray line;
    if (chosen == Options::LogFormat::Json) {
        const nlohmann::ordered_json object{
            {"time", time.toStdString()}, {"level", levelOf(type)}, {"message", message.toStdString()}};
        line = QByteArray::fromStdString(object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    } else if (journal) {
        line = journalLevelOf(type) + text;
    } else {
        line = time + ' ' + QByteArray(levelOf(type)).leftJustified(7) + ' ' + text;
    }
    line += '\n';
    std::fwrite(line.constData(), 1, size_t(line.size()), stderr);
    if (type == QtFatalMsg)
        std::abort();
}

} // namespace

void startLog(Options::LogFormat format)
{
    chosen = format;
    journal = toJournal();
    qInstallMessageHandler(write);
}

} // namespace junban::app
