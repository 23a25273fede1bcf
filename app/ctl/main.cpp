#include "app/base/signals.h"
#include "app/ctl/straight.h"
#include "app/ctl/terminal.h"
#include "app/ctl/verbs.h"
#include "app/ctl/worker.h"
#include "core/cel/cases.h"

#include <QCoreApplication>
#include <QFile>
#include <QHostInfo>
#include <cstdio>
#include <unistd.h>

using namespace junban;
using namespace junban::app;

namespace {

constexpr char help[] = R"(Usage: junbanctl VERB [words] [options]

  push NAME [--arg JSON | --arg-file FILE | -] [--wait]   enqueue a job; prints its id, or with --wait its result
       [--priority N] [--max-retry N] [--timeout S] [--delay S | --run-at TIME] [--keep-result] [--result-ttl S]
       [--idempotency-key KEY] [--tag TAG]... [--group GROUP] [--expires-in S]
       [--durability default|fsync|replicated]            what the answer waits for
       [--unique | --unique-key KEY] [--unique-until started|finished] [--on-conflict coalesce|reject|replace]
       [--depends-on ID]... [--on-dependency-failure fail|cancel|run]
       [--then JSON]...                                   jobs that its success enqueues: {"name": "mail", "argument": 1}
       [--window "22:00-06:00 Europe/Berlin sat,sun"]...  when it may start
  work NAME... --exec COMMAND                             run a shell command for each job
       [--concurrency N] [--lease S] [--format json|msgpack] [--worker NAME] [--once]
  jobs [--state STATE] [--name NAME] [--tag TAG] [--match EXPRESSION] [--limit N]
  job ID                                                  one job with its attempts
  result ID [--wait] [--peek]                             collect a result, once; --peek only looks
  retry ID...                                             run failed or cancelled jobs again
  cancel ID... [--force]
  edit ID [--priority N] [--run-at TIME] [--arg JSON] [--tag TAG]... [--max-retry N] [--timeout S]
                                                          change a job that does not run; --tag "" takes all tags away
  message KEY [--arg JSON | --arg-file FILE | -]          finish the job handed off under KEY, with that result …
       [--failure TEXT [--should-retry]]                  … or as a failure, with that error
  group GROUP [--open | --close] [--callback JSON]        a group of jobs; --callback: the job to enqueue when all have ended
  delete ID... | restore ID...                            into the trash, for a day, and back
  track ID... | untrack ID...                             star jobs: they are not purged
  failures                                                failures of the last week in groups of one cause
  failures show|resolve|retry SIGNATURE                   one group; retry runs its failed jobs again
  results                                                 results that wait for their pushers
  stats [NAME] [--day YYYY-MM-DD]                         waits and runs of a day by name
  status [--watch]                                        counters and rates; --watch: every second
  trip CONSTRAINT [--key KEY] [--for S]                   open a breaker, for one key or all, and so long
  reset CONSTRAINT [--key KEY]                            close it: jobs start again at once
  schedules                                               recurring jobs
  schedules show|run|pause|resume|delete ID               one of them; run enqueues its job now
  schedules put ID FILE|-                                 make or replace one from JSON: {"cron": "30 2 * * *", "tz": "Europe/Berlin",
                                                          "job": {"name": "report"}}; see /docs of the master
  doctor                                                  whether Redis is fit to keep jobs; exit code 1 when something was found
  fsck [--repair]                                         look for broken invariants, beside masters at work; exit code 0 none,
                                                          1 some (repaired or not), 2 it could not look; straight in Redis, not over
                                                          a master, with --redis URL (default redis://127.0.0.1:6379) or
                                                          --namespace NAME (default default)
  export FILE [--redis URL] [--namespace NAME]            everything of a namespace, straight from Redis; stop its masters first
  import FILE [--redis URL] [--namespace NAME]            such a file into an empty namespace, and fsck of it; exit code 1 when
                                                          the file or the namespace is not fit for it. --force: removes what a
                                                          broken-off import left
  cel --cases FILE                                        run conformance cases of the matcher language; needs no master

  --url URL          the master, default http://127.0.0.1:7717 or JUNBAN_URL
  --token-file FILE  file with the bearer token

work: the argument comes on standard input, as JSON or MessagePack. Exit status 0 is a success and the output its result (JSON as
that value, anything else as text); 100 is a failure that is not tried again; any other status, 75 among them, is one that may be.
Standard error's tail is the failure's message. JUNBAN_JOB_ID, _NAME, _ATTEMPT and _DEADLINE are in the environment.

Exit codes: 0 done, 1 refused or not reached, 2 used wrongly.
)";

void addOptions(QCommandLineParser &parser)
{
    for (const char *flag : {"wait", "keep-result", "peek", "force", "watch", "once", "unique", "open", "close", "should-retry",
             "repair", "help", "version"})
        parser.addOption(QCommandLineOption(QString::fromLatin1(flag)));
    for (const char *option : {"url", "token-file", "arg", "arg-file", "priority", "max-retry", "timeout", "delay", "result-ttl",
             "idempotency-key", "durability", "tag", "run-at", "expires-in", "group", "unique-key", "unique-until", "on-conflict",
             "depends-on", "on-dependency-failure", "then", "window", "failure", "callback", "exec", "concurrency", "lease", "format",
             "worker", "state", "name", "match", "limit", "cases", "day", "redis", "namespace", "key", "for"})
        parser.addOption(QCommandLineOption(QString::fromLatin1(option), {}, QStringLiteral("value")));
}

int misused(const char *what)
{
    std::fprintf(stderr, "junbanctl: %s\nTry --help.\n", what);
    return 2;
}

int work(client::ApiClient &client, const QCommandLineParser &flags, const QStringList &names)
{
    const auto value = [&flags](const char *name, const QString &otherwise) {
        const QString key = QString::fromLatin1(name);
        return flags.isSet(key) ? flags.value(key) : otherwise;
    };
    WorkerOptions options;
    for (const QString &name : names)
        options.names.append(name.toUtf8());
    options.command = flags.value(QStringLiteral("exec"));
    const QString host = QHostInfo::localHostName() + QLatin1Char('-') + QString::number(getpid());
    options.worker = value("worker", host).toUtf8();
    options.concurrency = value("concurrency", QStringLiteral("1")).toInt();
    bool leaseOk = false;
    const double lease_s = value("lease", QStringLiteral("0")).toDouble(&leaseOk);
    if (!leaseOk || !(lease_s >= 0 && lease_s <= limits::timeout_s_max))
        return misused("--lease must be a number of seconds, at most 86400");
    options.lease_ms = qint64(lease_s * 1000);
    options.msgpack = value("format", QStringLiteral("json")) == QStringLiteral("msgpack");
    options.once = flags.isSet(QStringLiteral("once"));
    if (options.names.isEmpty() || options.command.isEmpty())
        return misused("work needs a NAME and --exec COMMAND");
    if (options.concurrency < 1 || options.concurrency > limits::claim_limit_max)
        return misused("--concurrency must be from 1 to 100");
    StopSignals stopSignals;
    Worker worker(client, options);
    QObject::connect(&stopSignals, &StopSignals::asked, &worker, &Worker::stop);
    QObject::connect(&worker, &Worker::ended, &worker, [] { QCoreApplication::quit(); });
    worker.start();
    return QCoreApplication::exec();
}

int runCases(const QCommandLineParser &flags)
{
    QFile file(flags.value(QStringLiteral("cases")));
    if (!file.open(QIODevice::ReadOnly))
        return misused("cel needs --cases FILE, and the file must be readable");
    const Result<cel::CasesReport> report = cel::runCases(file.readAll());
    if (!report) {
        std::fprintf(stderr, "junbanctl: %s\n", report.error().message.constData());
        return 2;
    }
    for (const QByteArray &failure : report->failures)
        std::printf("%s\n", forTerminal(failure).constData());
    std::printf("%d passed, %d failed\n", report->passed, report->failed);
    return report->failed == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    addOptions(parser);
    if (!parser.parse(QCoreApplication::arguments()))
        return misused(parser.errorText().toUtf8().constData());
    if (parser.isSet(QStringLiteral("help"))) {
        std::fputs(help, stdout);
        return 0;
    }
    if (parser.isSet(QStringLiteral("version"))) {
        std::printf("junbanctl %s\n", JUNBAN_VERSION);
        return 0;
    }
    QStringList words = parser.positionalArguments();
    if (words.isEmpty())
        return misused("a verb is missing");
    const QString verb = words.takeFirst();
    if (verb == QStringLiteral("cel"))
        return runCases(parser);
    const bool straight = parser.isSet(QStringLiteral("redis")) || parser.isSet(QStringLiteral("namespace"));
    if (verb == QStringLiteral("fsck") && straight)
        return runFsck(parser);
    if (verb == QStringLiteral("export") || verb == QStringLiteral("import")) {
        if (words.size() != 1) {
            std::fputs("junbanctl: export and import need a FILE\nTry --help.\n", stderr);
            return 2;
        }
        return verb == QStringLiteral("export") ? runExport(parser, words[0]) : runImport(parser, words[0]);
    }

    client::ApiClient::Options options;
    const QString url = parser.isSet(QStringLiteral("url")) ? parser.value(QStringLiteral("url")) : qEnvironmentVariable("JUNBAN_URL");
    options.url = QUrl(url.isEmpty() ? QStringLiteral("http://127.0.0.1:7717") : url);
    if (parser.isSet(QStringLiteral("token-file"))) {
        QFile file(parser.value(QStringLiteral("token-file")));
        if (!file.open(QIODevice::ReadOnly))
            return misused("--token-file cannot be read");
        options.token = file.readAll().trimmed();
    }
    client::ApiClient client(options);
    if (verb == QStringLiteral("work"))
        return work(client, parser, words);
    Verbs verbs(client, parser, words);
    QObject::connect(&verbs, &Verbs::ended, &verbs, [](int code) { QCoreApplication::exit(code); }, Qt::QueuedConnection);
    if (!verbs.run(verb))
        return misused("there is no such verb");
    return QCoreApplication::exec();
}
