#include "app/master/options.h"

#include "core/redis/link.h"
#include "core/redis/redisstore.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

namespace junban::app {

const QList<OptionRow> optionRows = {
    {"server", "", "Serve without a window."},
    {"listen", "ADDRESS:PORT", "Where the API listens; repeatable; port 0 takes a free one. Default 127.0.0.1:7717."},
    {"data-dir", "DIR", "Where the embedded Redis keeps its files. Default: junban in the user's data directory."},
    {"redis", "URL", "A Redis to use instead: redis://, rediss://, unix:// or sentinel://."},
    {"namespace", "NAME", "Which queue in that Redis. Default: default."},
    {"durability", "LEVEL", "What the answer to a new job waits for, unless the job says: default, fsync or replicated."},
    {"threads", "N", "Engine threads, 1 to 64. Default 1."},
    {"config", "FILE", "Configuration file, INI with these names as keys."},
    {"connect", "URL", "Open the console on a master elsewhere."},
    {"token-file", "FILE", "File with the token for --connect."},
    {"tls-certificate", "FILE", "Certificate chain (PEM): the API speaks TLS."},
    {"tls-key", "FILE", "Private key (PEM) of that certificate."},
    {"host", "NAME", "A further name this master is reached under; repeatable."},
    {"insecure", "", "Allow listening beyond this machine without TLS and tokens."},
    {"force", "", "Use a Redis that may lose jobs in a crash (appendonly no)."},
    {"log-format", "FORMAT", "text or json. Default text."},
    {"demo", "", "Run demonstration pushers and workers."},
    {"version", "", "Print the version and exit."},
    {"help", "", "Print this and exit."},
};

namespace {

Error wrong(const char *option, const QByteArray &what)
{
    return Error{ErrorCode::InvalidField, "--" + QByteArray(option) + ' ' + what, option};
}

// The values of one option from wherever it was given first, in order of precedence; empty when it was given nowhere.
class Sources
{
public:
    Sources(const QCommandLineParser &flags, const QSettings *file)
        : m_flags(flags)
        , m_file(file)
    {
    }
    QStringList values(const char *name) const
    {
        const QString key = QString::fromLatin1(name);
        if (m_flags.isSet(key)) {
            const QStringList values = m_flags.values(key);
            return values.isEmpty() ? QStringList{QStringLiteral("true")} : values;
        }
        const QByteArray variable = "JUNBAN_" + QByteArray(name).toUpper().replace('-', '_');
        if (qEnvironmentVariableIsSet(variable.constData()))
            return qEnvironmentVariable(variable.constData()).split(QLatin1Char(','), Qt::SkipEmptyParts);
        if (m_file && m_file->contains(key))
            return m_file->value(key).toStringList();
        return {};
    }
    QString value(const char *name, const QString &otherwise = {}) const
    {
        const QStringList all = values(name);
        return all.isEmpty() ? otherwise : all.last();
    }
    bool flag(const char *name) const
    {
        const QString text = value(name).toLower();
        return text == QStringLiteral("true") || text == QStringLiteral("1") || text == QStringLiteral("yes");
    }

private:
    const QCommandLineParser &m_flags;
    const QSettings *m_file;
};

std::optional<Error> check(const Options &options)
{
    if (!redis::RedisStore::validNamespace(options.namespaceName))
        return wrong("namespace", "must be 1 to 64 letters, digits, '.', '_' or '-'");
    if (options.threads < 1 || options.threads > 64)
        return wrong("threads", "must be from 1 to 64");
    if (!options.redis.isEmpty()) {
        const auto address = redis::Address::fromUrl(options.redis);
        if (!address.ok())
            return wrong("redis", address.error().message);
    }
    if (options.tlsCertificate.isEmpty() != options.tlsKey.isEmpty())
        return wrong("tls-key", "and --tls-certificate go together");
    return {};
}

} // namespace

Result<Options> readOptions(const QStringList &arguments)
{
    QCommandLineParser parser;
    for (const OptionRow &row : optionRows)
        parser.addOption(QCommandLineOption(QString::fromLatin1(row.name), {}, QString::fromLatin1(row.value)));
    if (!parser.parse(arguments))
        return Error{ErrorCode::InvalidField, parser.errorText().toUtf8()};
    if (!parser.positionalArguments().isEmpty())
        return Error{ErrorCode::InvalidField, "unexpected argument: " + parser.positionalArguments().first().toUtf8()};

    Options options;
    // Asked for in so many words, these are given whatever else is wrong.
    if (parser.isSet(QStringLiteral("help")) || parser.isSet(QStringLiteral("version"))) {
        options.wanted = parser.isSet(QStringLiteral("help")) ? Options::Wanted::Help : Options::Wanted::Version;
        return options;
    }
    std::unique_ptr<QSettings> file;
    const QString path = parser.isSet(QStringLiteral("config")) ? parser.value(QStringLiteral("config"))
                                                                : qEnvironmentVariable("JUNBAN_CONFIG");
    if (!path.isEmpty()) {
        if (!QFileInfo(path).isReadable())
            return wrong("config", path.toUtf8() + " cannot be read");
        file = std::make_unique<QSettings>(path, QSettings::IniFormat);
        const QStringList keys = file->allKeys();
        for (const QString &key : keys) {
            const bool known = std::any_of(optionRows.begin(), optionRows.end(),
                [&](const OptionRow &row) { return key == QString::fromLatin1(row.name); });
            if (!known)
                return wrong("config", "has an unknown key: " + key.toUtf8());
        }
    }
    const Sources sources(parser, file.get());
    options.server = sources.flag("server");
    if (!sources.values("listen").isEmpty())
        options.listen = sources.values("listen");
    const QString data = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/junban");
    options.dataDirectory = sources.value("data-dir", data);
    options.redis = sources.value("redis").toUtf8();
    options.namespaceName = sources.value("namespace", QStringLiteral("default")).toUtf8();
    options.threads = sources.value("threads", QStringLiteral("1")).toInt();
    options.connectTo = sources.value("connect");
    options.tokenFile = sources.value("token-file");
    options.tlsCertificate = sources.value("tls-certificate");
    options.tlsKey = sources.value("tls-key");
    options.hosts = sources.values("host");
    options.insecure = sources.flag("insecure");
    options.force = sources.flag("force");
    options.demo = sources.flag("demo");
    const QString format = sources.value("log-format", QStringLiteral("text"));
    if (format != QStringLiteral("text") && format != QStringLiteral("json"))
        return wrong("log-format", "must be text or json");
    const QByteArray durability = sources.value("durability", QStringLiteral("default")).toUtf8();
    if (!durabilityFromWord(durability))
        return wrong("durability", "must be default, fsync or replicated");
    options.durability = *durabilityFromWord(durability);
    options.logFormat = format == QStringLiteral("json") ? Options::LogFormat::Json : Options::LogFormat::Text;
    if (const std::optional<Error> error = check(options))
        return *error;
    return options;
}

QByteArray helpText(const char *program)
{
    QByteArray text = "Usage: " + QByteArray(program) + " [options]\n\nA durable job queue with a cockpit.\n\nOptions:\n";
    for (const OptionRow &row : optionRows) {
        QByteArray flag = "  --" + QByteArray(row.name);
        if (*row.value)
            flag += ' ' + QByteArray(row.value);
        text += flag.leftJustified(28) + ' ' + row.description + '\n';
    }
    return text + "\nEach option is also JUNBAN_NAME in the environment and a key of the configuration file; a flag wins over the\n"
                  "environment, the environment over the file.\n\n"
                  "Exit codes: 0 stopped as asked, 1 failed, 2 used wrongly, 3 Redis refused.\n";
}

} // namespace junban::app
