#include "app/master/log.h"

#include "core/base/clock.h"
#include "core/base/isotime.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace junban::app {

namespace {

Options::LogFormat chosen = Options::LogFormat::Text; // set once, before other threads start

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
    QByteArray line;
    if (chosen == Options::LogFormat::Json) {
        const nlohmann::ordered_json object{
            {"time", time.toStdString()}, {"level", levelOf(type)}, {"message", message.toStdString()}};
        line = QByteArray::fromStdString(object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    } else {
        line = time + ' ' + QByteArray(levelOf(type)).leftJustified(7) + ' ' + message.toUtf8().replace('\n', " | ");
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
    qInstallMessageHandler(write);
}

} // namespace junban::app
