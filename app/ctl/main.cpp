#include "app/base/cores.h"
#include "app/base/tlsfiles.h"
#include "app/ctl/exits.h"
#include "app/ctl/masterurl.h"
#include "app/ctl/verbs.h"
#include "core/base/reasons/ctl.h"
#include "core/base/reasons/start.h"

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace junban;
using namespace junban::app;

namespace {

enum class Asks { Master, Nobody }; // whether a verb takes --url and --token-file

struct Verb {
    const char *name;
    const char *group;
    const char *summary;
    VerbFunction *run;
    Asks asks = Asks::Master;
};

// In the order of the help.
constexpr Verb verbs[] = {
    {"push", "Jobs", "Enqueue a job.", push},
    {"jobs", "Jobs", "List jobs.", jobs},
    {"job", "Jobs", "Show one job with its attempts.", job},
    {"result", "Jobs", "Collect the result of a job, which can be done once.", result},
    {"retry", "Jobs", "Run failed or cancelled jobs again.", retry},
    {"cancel", "Jobs", "Cancel jobs; the worker of a running one is asked to stop.", cancel},
    {"edit", "Jobs", "Change a job that does not run.", edit},
    {"message", "Jobs", "Finish a job that its worker has handed off.", message},
    {"group", "Jobs", "Show, open or close a group of jobs.", group},
    {"explain", "Jobs", "Say why a job does not run.", explain},
    {"duplicate", "Jobs", "Enqueue a job like one that is there.", duplicate},
    {"delete", "Jobs", "Put jobs into the trash, where they stay for a day.", remove},
    {"restore", "Jobs", "Take jobs out of the trash.", restore},
    {"track", "Jobs", "Star jobs: they are not purged.", track},
    {"untrack", "Jobs", "Take the star away.", untrack},
    {"work", "Workers", "Run a shell command for each job.", work},
    {"pause", "Limits", "Start no more jobs, or none that match.", pause},
    {"resume", "Limits", "End a pause.", resume},
    {"pauses", "Limits", "List the pauses in force.", pauses},
    {"matchers", "Limits", "List JobMatchers; get, apply, preview, revert or delete them.", matchers},
    {"matchers list", "Verbs", "List them all, as without a verb.", matchers},
    {"matchers get", "Verbs", "Print them as YAML.", matchersGet},
    {"matchers apply", "Verbs", "Make and change them as files say, after showing what differs.", matchersApply},
    {"matchers preview", "Verbs", "Say what one would do, and change nothing.", matchersPreview},
    {"matchers revisions", "Verbs", "List what one was before, with the differences.", matchersRevisions},
    {"matchers revert", "Verbs", "Make one as it was in a revision, also a deleted one.", matchersRevert},
    {"matchers delete", "Verbs", "Delete one; its revisions stay.", matchersDelete},
    {"constraints", "Limits", "List constraints with their live use; show buckets, change single keys.", constraints},
    {"constraints list", "Verbs", "List them all, as without a verb.", constraints},
    {"constraints buckets", "Verbs", "List the buckets of one.", constraintsBuckets},
    {"constraints override", "Verbs", "Give one key parameters of its own.", constraintsOverride},
    {"held", "Limits", "List what constraints hold back, and how much of it.", held},
    {"trip", "Limits", "Open a breaker: jobs under it wait.", trip},
    {"reset", "Limits", "Close a breaker: jobs start again at once.", reset},
    {"failures", "Past", "List the failures of the last week by cause; show, resolve or retry them.", failures},
    {"failures show", "Verbs", "Show one group with its jobs.", failuresShow},
    {"failures resolve", "Verbs", "Mark a group as dealt with.", failuresResolve},
    {"failures retry", "Verbs", "Run the failed jobs of a group again.", failuresRetry},
    {"failures mute", "Verbs", "Do not show a group for a while.", failuresMute},
    {"results", "Past", "List the results that wait to be collected; discard or extend some.", results},
    {"results list", "Verbs", "List them all, as without a verb.", results},
    {"results discard", "Verbs", "Throw results away.", resultsDiscard},
    {"results extend", "Verbs", "Let results wait longer.", resultsExtend},
    {"stats", "Past", "Show how long jobs of a day waited and ran, by name.", stats},
    {"series", "Past", "Show one metric over time.", series},
    {"retention", "Past", "Show how long jobs that ended are kept; set or clear it.", retention},
    {"retention show", "Verbs", "Show all settings, as without a verb.", retention},
    {"retention set", "Verbs", "Set it, for all names or for one.", retentionSet},
    {"retention clear", "Verbs", "Set it back to the default, for all names or for one.", retentionClear},
    {"operations", "Jobs", "List operations on many jobs; start, show, pause, resume, stop or undo one.", operations},
    {"operations list", "Verbs", "List them all, as without a verb.", operations},
    {"operations show", "Verbs", "Show how far one has come.", operationsShow},
    {"operations start", "Verbs", "Do something with many jobs, after saying what.", operationsStart},
    {"operations skipped", "Verbs", "List the jobs that one left as they were.", operationsSkipped},
    {"operations pause", "Verbs", "Let it change no more jobs until it is resumed.", operationsPause},
    {"operations resume", "Verbs", "Let a paused one go on.", operationsResume},
    {"operations stop", "Verbs", "End it; what it has changed stays.", operationsStop},
    {"operations undo", "Verbs", "Take back what it has done.", operationsUndo},
    {"schedules", "Schedules", "List recurring jobs; show, put, run, pause, resume or delete one.", schedules},
    {"schedules list", "Verbs", "List them all, as without a verb.", schedules},
    {"schedules show", "Verbs", "Show one with its next and last runs.", schedulesShow},
    {"schedules put", "Verbs", "Make or replace one.", schedulesPut},
    {"schedules run", "Verbs", "Enqueue its job now.", schedulesRun},
    {"schedules pause", "Verbs", "Let it enqueue nothing until it is resumed.", schedulesPause},
    {"schedules resume", "Verbs", "Let a paused one go on.", schedulesResume},
    {"schedules delete", "Verbs", "Delete one; its jobs stay.", schedulesDelete},
    {"workers", "Workers", "List the workers, lost ones too; drain, resume or forget one.", workers},
    {"workers list", "Verbs", "List them all, as without a verb.", workers},
    {"workers drain", "Verbs", "Let one get no more jobs; what it runs goes on.", workersDrain},
    {"workers resume", "Verbs", "Let a drained one get jobs again.", workersResume},
    {"workers forget", "Verbs", "Delete a registration, or what is known of a worker that is gone.", workersForget},
    {"tokens", "Upkeep", "List the tokens of those who may call; create or revoke one.", tokens},
    {"tokens list", "Verbs", "List them all, as without a verb.", tokens},
    {"tokens create", "Verbs", "Make one; it is printed this once.", tokensCreate},
    {"tokens revoke", "Verbs", "Revoke one: within seconds no master knows it.", tokensRevoke},
    {"audit", "Upkeep", "List who did what; verify the file that it is appended to.", audit},
    {"audit list", "Verbs", "List it, as without a verb.", audit},
    {"audit verify", "Verbs", "Say which lines of an audit file were changed or removed.", auditVerify, Asks::Nobody},
    {"audit last", "Verbs", "Print the hash of the last line of an audit file.", auditLast, Asks::Nobody},
    {"status", "Upkeep", "Show counters, rates and the first names.", status},
    {"overview", "Upkeep", "Show counters and rates.", overview},
    {"changes", "Upkeep", "Say what is changed, as it is changed.", changes},
    {"names", "Upkeep", "List the names of jobs with their counts.", names},
    {"doctor", "Upkeep", "Say whether Redis is fit to keep jobs.", doctor},
    {"fsck", "Upkeep", "Look for broken invariants in a namespace.", fsck},
    {"export", "Upkeep", "Write a whole namespace into a file.", exportNamespace, Asks::Nobody},
    {"import", "Upkeep", "Read such a file into an empty namespace.", importNamespace, Asks::Nobody},
    {"cel", "Upkeep", "Run conformance cases of the matcher language.", celCases, Asks::Nobody},
};

struct Described {
    const Verb *verb;                // none: the program itself
    Command command;
};

// Which master a verb asks, and as whom. All of it may stand before the verb or behind it.
client::ApiClient::Options readMaster(const std::vector<Described> &described, Flags &wrong)
{
    const auto given = [&described](const char *flag) -> std::optional<QByteArray> {
        for (auto at = described.rbegin(); at != described.rend(); ++at) {
            if (at->command.has(flag))
                return at->command.values(flag).last();
        }
        return {};
    };
    client::ApiClient::Options options;
    const QByteArray url = given("--url").value_or(qgetenv("JUNBAN_URL"));
    const Result<QUrl> master = masterUrl(given("--url") || !url.isEmpty() ? url : QByteArray("http://127.0.0.1:7717"));
    if (master.ok())
        options.url = *master;
    else
        wrong.refuse(reasons::optionWrong(given("--url") ? "--url" : "JUNBAN_URL", master.error().reason));
    options.token = qgetenv("JUNBAN_TOKEN").trimmed();
    // An empty variable counts as none, an empty flag does not.
    const auto givenOr = [&given](const char *flag, const char *variable) -> std::optional<QByteArray> {
        const std::optional<QByteArray> path = given(flag);
        return path || qgetenv(variable).isEmpty() ? path : qgetenv(variable);
    };
    const auto tokenFile = options.token.isEmpty() ? givenOr("--token-file", "JUNBAN_TOKEN_FILE") : given("--token-file");
    if (tokenFile) {
        const Result<QByteArray> token = contentOf(*tokenFile, token_bytes_max);
        if (token.ok())
            options.token = token->trimmed();
        else
            wrong.refuse(reasons::optionWrong("--token-file", token.error().reason));
    }
    // It goes into a line of the request's head.
    if (std::any_of(options.token.cbegin(), options.token.cend(), [](char byte) { return byte <= ' ' || byte >= 0x7f; }))
        wrong.refuse(reasons::optionTokenExpected(tokenFile ? "--token-file" : "JUNBAN_TOKEN"));
    const auto heed = [&wrong](const auto &read) {
        if (!read.ok())
            wrong.refuse(read.error());
        return read.ok();
    };
    options.reason = given("--reason").value_or(QByteArray());
    if (const auto path = givenOr("--ca", "JUNBAN_CA")) {
        const auto authorities = readAuthorities(QString::fromUtf8(*path), "ca");
        if (heed(authorities))
            options.authorities = *authorities;
    }
    const auto certificate = givenOr("--cert", "JUNBAN_CERT"), key = givenOr("--cert-key", "JUNBAN_CERT_KEY");
    if (certificate.has_value() != key.has_value())
        wrong.refuse(reasons::optionBeside("--cert-key", "--cert"));
    if (certificate && key) {
        const auto identity = readIdentity(QString::fromUtf8(*certificate), QString::fromUtf8(*key), "cert", "cert-key");
        if (heed(identity)) {
            options.certificate = identity->chain;
            options.key = identity->key;
        }
    }
    return options;
}

// For people; JSON has UTC always.
void readZone(const std::vector<Described> &described, Flags &wrong)
{
    for (auto at = described.rbegin(); at != described.rend(); ++at) {
        if (!at->command.has("--tz"))
            continue;
        const QByteArray zone = at->command.values("--tz").last();
        if (!setZone(zone))
            wrong.refuse(reasons::optionZoneExpected("--tz", zone));
        return;
    }
}

void describeMaster(Flags flags)
{
    flags.text("--tz ZONE", "The time zone of printed times, like Europe/Berlin; local is the machine's. Default: UTC. JSON has UTC.");
    flags.text("--url URL", "The master, as URL or host:port, or unix:/path of its socket. "
                            "Default: JUNBAN_URL in the environment, or http://127.0.0.1:7717.");
    flags.text("--token-file FILE", "A file with the token. Default: JUNBAN_TOKEN, or the file JUNBAN_TOKEN_FILE, in the environment.");
    flags.text("--reason TEXT", "Why a change is made, for the audit.");
    flags.text("--ca FILE", "Certificates of the authority to believe (PEM). Default: JUNBAN_CA, or those of the machine.");
    flags.text("--cert FILE", "Certificate chain of this client (PEM), if the master wants one. Default: JUNBAN_CERT in the environment.");
    flags.text("--cert-key FILE", "Private key (PEM) of that certificate. Default: JUNBAN_CERT_KEY in the environment.");
}

bool readJson(Flags &flags)
{
    return flags.on("--json", "Print the answer as JSON, as the API has it.");
}

int printed(app::Session &session, const QByteArray &text)
{
    session.print(text);
    return session.finalStatus(exits::done);
}

int misused(app::Session &session, const Command &command, const Error &why)
{
    session.tell(why);
    std::fprintf(stderr, "Try %s --help.\n", command.path().constData());
    return exits::misused;
}

std::vector<Described> describe(CommandLine &line, app::Session &session)
{
    Flags program(line.program(), Flags::Pass::Describe);
    describeMaster(program);
    program.on("--version", "Print the version and exit.");
    program.on("--help", "Print this and exit.");
    program.note("'junbanctl VERB --help' tells the words and options of a verb.");
    program.note(exits::textOfAll());
    std::vector<Described> all{{nullptr, line.program()}};
    for (const Verb &verb : verbs) {
        const Command command = line.verb(verb.name, verb.group, verb.summary);
        Flags flags(command, Flags::Pass::Describe);
        verb.run(session, flags);
        readJson(flags);
        if (verb.asks == Asks::Master)
            describeMaster(flags);
        flags.on("--help", "Print this and exit.");
        flags.note(exits::textOf(verb.name));
        all.push_back({&verb, command});
    }
    return all;
}

} // namespace

int main(int argc, char **argv)
{
    leaveNoCores();
    app::Session::keepStandardStreams();
    QCoreApplication application(argc, argv);
    app::Session session;
    CommandLine line("junbanctl", "Push jobs into a queue, work them, and watch and steer the queue.");
    const std::vector<Described> described = describe(line, session);
    const QByteArrayList words(argv + 1, argv + argc);
    const std::optional<Error> wrong = line.read(words);
    const Command asked = line.asked();
    session.setJson(words.contains("--json"));
    if (wrong)
        return misused(session, asked, *wrong);
    if (line.asksHelp())
        return printed(session, line.help());
    if (line.program().has("--version"))
        return printed(session, "junbanctl " JUNBAN_VERSION "\n");
    const auto at = std::find_if(described.begin(), described.end(),
        [&asked](const Described &one) { return one.command.path() == asked.path(); });
    if (at->verb == nullptr)
        return misused(session, asked, reasons::verbMissing());
    Flags flags(asked, Flags::Pass::Read);
    session.setJson(readJson(flags));
    if (at->verb->asks == Asks::Master)
        session.connectTo(readMaster(described, flags));
    readZone(described, flags);
    at->verb->run(session, flags);
    return flags.refused() ? misused(session, asked, *flags.refused()) : session.wait();
}
