#pragma once

#include "core/access/session.h"
#include "core/base/result.h"
#include "core/jobs/durabilitylevel.h"
#include "core/limits/mask.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>

namespace junban::app {

// One row of the table of options. --help prints it; docs/operating.md has the same row, and a test compares the two.
struct OptionRow {
    const char *name;        // the flag without "--"; also the key in the configuration file, and JUNBAN_… in the environment
    const char *value;       // what its value is, for the help; empty: it is a switch
    const char *description;
    bool isReread = false;   // on SIGHUP
};
extern const QList<OptionRow> optionRows;

struct Options {
    bool server = false;
    QStringList listen = {QStringLiteral("127.0.0.1:7717")};
    QString dataDirectory;
    QByteArray redis;               // empty: the embedded Redis
    QByteArray redisMemory;         // of the embedded Redis; empty: half of the machine's
    QByteArray namespaceName = "default";
    DurabilityLevel durability = DurabilityLevel::Default;
    bool inMemory = false;               // --engine memory, which --help does not list
    QByteArray advertise;                // --advertise, the same: host:port where other masters reach it; empty: where it listens
    int threads = 1;
    QString connectTo;              // only for the window: the URL of another master's API
    QString open;                   // only for the window: an address of a master's web console; instead of connectTo
    QString tokenFile;
    bool demo = false;
    bool insecure = false;
    bool behindTls = false;         // another program ends TLS before this one
    bool dev = false;               // in memory, gone when it ends
    bool web = true;                // the web console is served
    QByteArray environment;         // what answers say that this master is for; empty: nothing
    bool force = false;             // start although the doctor's finding is RefusedUnlessForced
    QString firstTokenFile;         // empty: the first token is made over the API
    QString pepperFile;             // empty: the embedded Redis has one in the data directory, another has none
    QString auditFile;              // empty: the audit is in Redis alone
    QString tlsCertificate;
    QString tlsKey;
    QString tlsClientCa;            // empty: clients need no certificate
    QStringList trustedProxies;
    QStringList workerNetworks;     // empty: this machine
    QString workerCa;               // empty: the machine's
    QString ca;                     // these three only for the window: for connectTo
    QString certificate;
    QString key;
    QStringList hosts;
    KeyMask maskKeys = KeyMask::usual();
    SessionTimes sessions;          // of people who signed in in a browser
    QHash<QByteArray, QStringList> given; // what was given for each row, wherever
    enum class LogFormat { Text, Json } logFormat = LogFormat::Text;
    enum class Wanted { Run, Help, Version } wanted = Wanted::Run;
};

// Reads the options: a flag wins over the environment, the environment over the configuration file, and that over the default. Errors:
// InvalidField with the name of the option.
Result<Options> readOptions(const QStringList &arguments);

QByteArray helpText(const char *program);

} // namespace junban::app
