#include "app/master/options.h"

#include "app/base/commandline.h"
#include "core/base/reasons/start.h"
#include "core/redis/link.h"
#include "core/redis/redisstore.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QUrl>

namespace junban::app {

const QList<OptionRow> optionRows = {
    {"server", "", "Serve without a window."},
    {"listen", "ADDRESS:PORT", "Where the API listens, or unix:/path; repeatable; port 0 takes a free one. Default 127.0.0.1:7717."},
    {"data-dir", "DIR", "Where the embedded Redis keeps its files. Default: junban in the user's data directory."},
    {"redis", "URL", "A Redis to use instead: redis://, rediss://, unix:// or sentinel://."},
    {"redis-memory", "SIZE", "What the embedded Redis may use, like 500mb or 2gb. Default: half of the machine's memory."},
    {"namespace", "NAME", "Which queue in that Redis. Default: default."},
    {"durability", "LEVEL", "What the answer to a new job waits for, unless the job says: default, fsync or replicated."},
    {"threads", "N", "Engine threads, 1 to 64. Default 1."},
    {"config", "FILE", "Configuration file, INI with these names as keys."},
    {"connect", "URL", "Open the console on a master elsewhere: http://, https:// or unix:/path."},
    {"open", "URL", "Open the console where a link of the web console leads: on its master, as with --connect, at its screen."},
    {"token-file", "FILE", "File with the token for --connect. Default: JUNBAN_TOKEN in the environment."},
    {"ca", "FILE", "Certificates of the authority to believe with --connect (PEM). Default: those of the machine."},
    {"cert", "FILE", "Certificate chain of this client for --connect (PEM)."},
    {"cert-key", "FILE", "Private key (PEM) of that certificate."},
    {"first-token-file", "FILE", "Without a token, make an administrator's of the text in this file, or make one and write it there."},
    {"pepper-file", "FILE", "File with the secret that tokens are kept with; all masters of a Redis need the same."},
    {"session-idle", "SECONDS", "A browser that signed in is signed out after so long without a request. Default 3600."},
    {"session-length", "SECONDS", "And after so long in any case. Default 43200."},
    {"audit-file", "FILE", "Append the audit to this file, too, as lines that are chained by their hashes."},
    {"tls-certificate", "FILE", "Certificate chain (PEM): the API speaks TLS.", true},
    {"tls-key", "FILE", "Private key (PEM) of that certificate.", true},
    {"tls-client-ca", "FILE", "Certificates of an authority (PEM): only clients with a certificate of it are served over TLS.", true},
    {"trusted-proxy", "ADDRESS", "Believe this proxy's X-Forwarded-For: an address, a network like 10.0.0.0/8, or unix; repeatable.", true},
    {"host", "NAME", "A further name this master is reached under; repeatable.", true},
    {"worker-network", "ADDRESS", "Call workers that serve HTTP there: an address or a network; repeatable. Default: this machine."},
    {"worker-ca", "FILE", "Certificates of the authority to believe when workers are called (PEM). Default: those of the machine."},
    {"behind-tls", "", "Listen beyond this machine without TLS, because a proxy or a pod's network ends it; tokens are needed."},
    {"dev", "", "Try it out: on this machine only, in memory, gone when it ends; prints three commands to begin with."},
    {"insecure", "", "Allow listening beyond this machine without TLS and tokens."},
    {"no-web", "", "Serve no web console."},
    {"environment", "NAME", "What this master is for, like production: consoles show it, and ask more carefully in production."},
    {"force", "", "Use a Redis that may lose jobs in a crash (appendonly no)."},
    {"mask-keys", "PATTERNS", "Keys whose values are hidden from those who look at jobs, with commas between; '' for none.", true},
    {"log-format", "FORMAT", "text or json. Default text."},
    {"demo", "", "Run demonstration pushers and workers, with JobMatchers and schedules whose ids begin with demo-."},
    {"version", "", "Print the version and exit."},
    {"help", "", "Print this and exit."},
};

namespace {

Error wrong(const char *option, Error error)
{
    return ofField(std::move(error), option);
}

// Finds the values of an option: from the flags, else the environment, else the configuration file. Empty when it was not given.
class Sources
{
public:
    Sources(const Command &flags, const QSettings *file)
        : m_flags(flags)
        , m_file(file)
    {
    }
    QStringList values(const char *name) const
    {
        const QStringList given = flags(name);
        if (!given.isEmpty())
            return given;
        const QString key = QString::fromLatin1(name);
        const QByteArray variable = "JUNBAN_" + QByteArray(name).toUpper().replace('-', '_');
        if (qEnvironmentVariableIsSet(variable.constData()))
            return qEnvironmentVariable(variable.constData()).split(QLatin1Char(','), Qt::SkipEmptyParts);
        if (m_file && m_file->contains(key))
            return m_file->value(key).toStringList();
        return {};
    }
    // Of an option that takes one: commas belong to it.
    bool has(const char *name) const { return !flags(name).isEmpty() || !values(name).isEmpty(); }
    QString value(const char *name, const QString &otherwise = {}) const
    {
        const QStringList given = flags(name);
        if (!given.isEmpty())
            return given.last();
        const QStringList parts = values(name);
        return parts.isEmpty() ? otherwise : parts.join(QLatin1Char(','));
    }
    bool flag(const char *name) const
    {
        const QString text = value(name).toLower();
        return text == QStringLiteral("true") || text == QStringLiteral("1") || text == QStringLiteral("yes");
    }

private:
    // Of a switch: "true".
    QStringList flags(const char *name) const
    {
        QStringList given;
        for (const QByteArray &value : m_flags.values("--" + QByteArray(name)))
            given.append(QString::fromUtf8(value));
        return given;
    }

    Command m_flags;
    const QSettings *m_file;
};

std::optional<Error> check(const Options &options)
{
    if (!redis::RedisStore::validNamespace(options.namespaceName))
        return wrong("namespace", reasons::optionNamespaceExpected("--namespace", limits::namespace_bytes_max));
    if (!options.environment.isEmpty() && !redis::RedisStore::validNamespace(options.environment))
        return wrong("environment", reasons::optionNamespaceExpected("--environment", limits::namespace_bytes_max));
    if (options.threads < 1 || options.threads > limits::engine_threads_max)
        return wrong("threads", reasons::optionThreadsOutOfRange(limits::engine_threads_max));
    static const QRegularExpression size(QStringLiteral("^([1-9][0-9]{0,11}([kmg]b?)?)?$"));
    if (!size.match(QString::fromUtf8(options.redisMemory)).hasMatch())
        return wrong("redis-memory", reasons::optionMemoryExpected(options.redisMemory));
    if (!options.redis.isEmpty()) {
        const auto address = redis::Address::fromUrl(options.redis);
        if (!address.ok())
            return wrong("redis", reasons::optionWrong("--redis", address.error().reason));
    }
    const QUrl link(options.open);
    if (!options.open.isEmpty() && (!link.scheme().startsWith(QLatin1String("http")) || link.host().isEmpty()))
        return wrong("open", reasons::optionLinkExpected("--open", options.open.toUtf8()));
    if (options.dev && (!options.redis.isEmpty() || !options.given.value("data-dir").isEmpty()))
        return wrong("dev", reasons::optionsExclusive("--dev", options.redis.isEmpty() ? "--data-dir" : "--redis"));
    if (options.tlsCertificate.isEmpty() != options.tlsKey.isEmpty())
        return wrong("tls-key", reasons::optionBeside("--tls-key", "--tls-certificate"));
    if (!options.tlsClientCa.isEmpty() && options.tlsKey.isEmpty())
        return wrong("tls-client-ca", reasons::optionClientCaNeedsTls());
    if (options.certificate.isEmpty() != options.key.isEmpty())
        return wrong("cert-key", reasons::optionBeside("--cert-key", "--cert"));
    return {};
}

// How the master is reached and by whom, what it says that it is for, and how the window reaches one.
void readAccess(const Sources &sources, Options &options)
{
    options.connectTo = sources.value("connect");
    options.open = sources.value("open");
    options.tokenFile = sources.value("token-file");
    options.firstTokenFile = sources.value("first-token-file");
    options.pepperFile = sources.value("pepper-file");
    options.auditFile = sources.value("audit-file");
    options.tlsCertificate = sources.value("tls-certificate");
    options.tlsKey = sources.value("tls-key");
    options.tlsClientCa = sources.value("tls-client-ca");
    options.trustedProxies = sources.values("trusted-proxy");
    options.workerNetworks = sources.values("worker-network");
    options.workerCa = sources.value("worker-ca");
    options.ca = sources.value("ca");
    options.certificate = sources.value("cert");
    options.key = sources.value("cert-key");
    options.hosts = sources.values("host");
    options.environment = sources.value("environment").toUtf8();
}

Result<qint64> seconds_ms(const Sources &sources, const char *name, qint64 otherwise_ms)
{
    if (!sources.has(name))
        return otherwise_ms;
    bool ok = false;
    const double seconds = sources.value(name).toDouble(&ok);
    if (!ok || !(seconds >= limits::session_s_min && seconds <= limits::session_s_max))
        return wrong(name, reasons::optionSecondsOutOfRange("--" + QByteArray(name), limits::session_s_min, limits::session_s_max));
    return qint64(seconds * 1000);
}

std::optional<Error> readSessions(const Sources &sources, SessionTimes &times)
{
    const Result<qint64> idle_ms = seconds_ms(sources, "session-idle", times.idle_ms);
    const Result<qint64> length_ms = seconds_ms(sources, "session-length", times.length_ms);
    if (!idle_ms.ok() || !length_ms.ok())
        return idle_ms.ok() ? length_ms.error() : idle_ms.error();
    times = {*idle_ms, *length_ms};
    return {};
}

std::optional<Error> readDurability(const Sources &sources, Options &options)
{
    const QByteArray durability = sources.value("durability", QStringLiteral("default")).toUtf8();
    if (!durabilityFromWord(durability))
        return wrong("durability", reasons::optionWordExpected("--durability", {"default", "fsync", "replicated"}, durability));
    options.durability = *durabilityFromWord(durability);
    return {};
}

// The hidden options --engine: whether the queue's logic is in this process instead of Redis; --advertise: where other masters reach it.
std::optional<Error> readEngine(const Sources &sources, Options &options)
{
    const QByteArray engine = sources.value("engine", QStringLiteral("redis")).toUtf8();
    if (engine != "redis" && engine != "memory")
        return wrong("engine", reasons::optionWordExpected("--engine", {"redis", "memory"}, engine));
    options.inMemory = engine == "memory";
    options.advertise = sources.value("advertise").toUtf8();
    static const QRegularExpression place(QStringLiteral("^([^@\\s]+:[1-9][0-9]{0,4})?$"));
    if (!place.match(QString::fromUtf8(options.advertise)).hasMatch())
        return wrong("advertise", reasons::listenExpected(options.advertise));
    const bool excluded[] = {options.threads > 1, options.demo};
    const char *const flags[] = {"--threads", "--demo"};
    for (size_t i = 0; options.inMemory && i < std::size(excluded); ++i) {
        if (excluded[i])
            return wrong("engine", reasons::optionsExclusive("--engine=memory", flags[i]));
    }
    return {};
}

constexpr char purpose[] = "A durable job queue with a cockpit.";

enum class Rows { Listed, All };

void describe(Command program, Rows rows)
{
    for (const OptionRow &row : optionRows) {
        const QByteArray flag = "--" + QByteArray(row.name);
        if (*row.value)
            program.flag(flag + ' ' + row.value, Command::Takes::Many, row.description);
        else
            program.flag(flag, Command::Takes::Nothing, row.description);
    }
    for (const char *flag : {"--engine NAME", "--advertise HOST:PORT"}) {
        if (rows == Rows::All)
            program.flag(flag, Command::Takes::Many, "");
    }
}

// What is wrong with all options together, or the options.
Result<Options> checked(const Sources &sources, Options options)
{
    if (const std::optional<Error> error = readEngine(sources, options))
        return *error;
    if (const std::optional<Error> error = check(options))
        return *error;
    return options;
}

} // namespace

Result<Options> readOptions(const QStringList &arguments)
{
    CommandLine line("junban", purpose);
    describe(line.program(), Rows::All);
    QByteArrayList words;
    for (const QString &argument : arguments.mid(1))
        words.append(argument.toUtf8());
    if (const std::optional<Error> wrong = line.read(words))
        return *wrong;
    const Command flags = line.program();

    Options options;
    // These two work even when other options are wrong.
    if (flags.has("--help") || flags.has("--version")) {
        options.wanted = flags.has("--help") ? Options::Wanted::Help : Options::Wanted::Version;
        return options;
    }
    std::unique_ptr<QSettings> file;
    const QString path = flags.has("--config") ? QString::fromUtf8(flags.values("--config").last()) : qEnvironmentVariable("JUNBAN_CONFIG");
    if (!path.isEmpty()) {
        if (!QFileInfo(path).isReadable())
            return wrong("config", reasons::configUnreadable(path.toUtf8()));
        file = std::make_unique<QSettings>(path, QSettings::IniFormat);
        const QStringList keys = file->allKeys();
        for (const QString &key : keys) {
            const bool known = std::any_of(optionRows.begin(), optionRows.end(),
                [&](const OptionRow &row) { return key == QString::fromLatin1(row.name); });
            if (!known)
                return wrong("config", reasons::configKeyUnknown(key.toUtf8()));
        }
    }
    const Sources sources(flags, file.get());
    for (const OptionRow &row : optionRows)
        options.given.insert(row.name, sources.values(row.name));
    options.server = sources.flag("server");
    if (!sources.values("listen").isEmpty())
        options.listen = sources.values("listen");
    const QString data = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/junban");
    options.dataDirectory = sources.value("data-dir", data);
    options.redis = sources.value("redis").toUtf8();
    options.redisMemory = sources.value("redis-memory").toUtf8().toLower();
    options.namespaceName = sources.value("namespace", QStringLiteral("default")).toUtf8();
    options.threads = sources.value("threads", QStringLiteral("1")).toInt();
    readAccess(sources, options);
    if (const std::optional<Error> error = readSessions(sources, options.sessions))
        return *error;
    if (const std::optional<Error> error = readDurability(sources, options))
        return *error;
    if (sources.has("mask-keys")) {
        QList<QByteArray> patterns = sources.value("mask-keys").toUtf8().split(',');
        patterns.removeAll(QByteArray());
        const Result<KeyMask> keys = KeyMask::of(patterns);
        if (!keys.ok())
            return wrong("mask-keys", reasons::optionWrong("--mask-keys", keys.error().reason));
        options.maskKeys = *keys;
    }
    options.insecure = sources.flag("insecure");
    options.behindTls = sources.flag("behind-tls");
    options.dev = sources.flag("dev");
    options.web = !sources.flag("no-web");
    options.force = sources.flag("force");
    options.demo = sources.flag("demo");
    const QString format = sources.value("log-format", QStringLiteral("text"));
    if (format != QStringLiteral("text") && format != QStringLiteral("json"))
        return wrong("log-format", reasons::optionWordExpected("--log-format", {"text", "json"}, format.toUtf8()));
    options.logFormat = format == QStringLiteral("json") ? Options::LogFormat::Json : Options::LogFormat::Text;
    return checked(sources, std::move(options));
}

QByteArray helpText(const char *program)
{
    CommandLine line(program, purpose);
    describe(line.program(), Rows::Listed);
    line.program().note("Each option is also JUNBAN_NAME in the environment and a key of the configuration file; a flag wins over the\n"
                        "environment, the environment over the file.\n\n"
                        "Exit codes: 0 stopped as asked, 1 failed, 2 used wrongly, 3 Redis refused.");
    return line.help();
}

} // namespace junban::app
