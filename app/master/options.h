#pragma once

#include "core/base/result.h"
#include "core/jobs/durabilitylevel.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace junban::app {

// One row of the table of options: --help prints it, docs/operating.md repeats it, a test compares the two.
struct OptionRow {
    const char *name;        // of the flag, and of the key in the configuration file; JUNBAN_NAME in the environment
    const char *value;       // what it takes; empty: it is a switch
    const char *description;
};
extern const QList<OptionRow> optionRows;

struct Options {
    bool server = false;
    QStringList listen = {QStringLiteral("127.0.0.1:7717")};
    QString dataDirectory;
    QByteArray redis;               // empty: the embedded one
    QByteArray namespaceName = "default";
    DurabilityLevel durability = DurabilityLevel::Default;
    int threads = 1;
    QString connectTo;              // the console only: an API elsewhere
    QString tokenFile;
    bool demo = false;
    bool insecure = false;
    bool force = false;             // go on although the doctor refuses unless forced
    QString pepperFile;             // empty: the embedded Redis has one in the data directory, another has none
    QString tlsCertificate;
    QString tlsKey;
    QStringList hosts;
    enum class LogFormat { Text, Json } logFormat = LogFormat::Text;
    enum class Wanted { Run, Help, Version } wanted = Wanted::Run;
};

// Flag before environment before configuration file before default. InvalidField names the option at fault.
Result<Options> readOptions(const QStringList &arguments);

QByteArray helpText(const char *program);

} // namespace junban::app
