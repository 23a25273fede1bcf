#include "core/redis/redismatchers.h"

#include "core/base/reasons/requests.h"
#include "core/base/reasons/store.h"
#include "core/redis/caller.h"
#include "core/redis/numbers.h"
#include "core/redis/replies.h"

#include <algorithm>

namespace junban::redis {

namespace {

Error matcherError(QByteArrayView word)
{
    if (word == "VERSION")
        return ofField(reasons::matchersChanged(), "version");
    if (word == "REVISION")
        return reasons::matcherChanged();
    if (word == "NOT_FOUND")
        return reasons::matcherNotFound();
    if (word == "FULL")
        return reasons::matchersTooMany(limits::matchers_max);
    return reasons::storeAnswered(word);
}

// A matcher from a row that has {packed, revision, edited at, edited by} at `from`.
JobMatcher matcherOf(const QByteArray &id, const Reply &row, qsizetype from)
{
    JobMatcher matcher = JobMatcher::fromStore(id, row[from].bytes());
    matcher.revision = std::max<qint64>(1, row[from + 1].integer());
    matcher.editedAt_ms = row[from + 2].integer();
    matcher.editedBy = row[from + 3].bytes();
    return matcher;
}

QHash<QByteArray, int> numbersOf(const Reply &pairs)
{
    QHash<QByteArray, int> numbers;
    for (qsizetype i = 0; i + 1 < pairs.size(); i += 2)
        numbers.insert(pairs[i].bytes(), int(pairs[i + 1].integer()));
    return numbers;
}

// Without revision and editor, which the store keeps separately.
QByteArray packedForStore(JobMatcher matcher)
{
    matcher.revision = 0;
    return matcher.packed();
}

Result<MatcherStore::Page> matcherPageOf(const Reply &reply)
{
    // A counter that is no number ends the reply.
    if (reply[1].kind() != Reply::Kind::Integer || reply[2].kind() != Reply::Kind::Integer)
        return Error{ErrorCode::Internal, reasons::recordDamaged()};
    MatcherStore::Page page;
    page.version = reply[1].integer();
    page.epoch = reply[2].integer();
    page.end = reply[3].integer() != 0;
    for (qsizetype i = 0; i < reply[4].size(); ++i) {
        const Reply row = reply[4][i];
        if (row[2].kind() != Reply::Kind::Integer || row[5].kind() != Reply::Kind::Array)
            return reasons::storedMatcherUnreadable(row[0].bytes(), reasons::recordDamaged());
        page.matchers.append({matcherOf(row[0].bytes(), row, 1), numbersOf(row[5])});
    }
    return page;
}

Result<MatcherStore::History> historyOf(const QByteArray &id, const Reply &reply)
{
    MatcherStore::History history;
    history.last = reply[1].integer();
    history.deleted = history.last > 0 && reply[2].integer() == 0;
    for (qsizetype i = 0; i < reply[3].size(); ++i)
        history.revisions.append(matcherOf(id, reply[3][i], 0));
    std::sort(history.revisions.begin(), history.revisions.end(),
        [](const JobMatcher &a, const JobMatcher &b) { return a.revision > b.revision; });
    return history;
}

} // namespace

class RedisMatchers::Private : public Caller
{
public:
    Private(Link &commands, const QByteArray &namespaceName, Clock &theClock, ScriptClock scriptClock)
        : Caller(commands, namespaceName, theClock, "matchers", Mends::Matchers)
        , listScript(makeScript("matchers", scriptClock))
        , saveScript(makeScript("save_matcher", scriptClock))
        , historyScript(makeScript("matcher_history", scriptClock))
        , refreshScript(makeScript("refresh_constraint", scriptClock))
    {
    }

    QByteArray engine = "matchers"; // not the name of an engine, so every engine gets the hints
    Script listScript, saveScript, historyScript, refreshScript;
};

RedisMatchers::RedisMatchers(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock)
    : d(std::make_unique<Private>(commands, namespaceName, clock, scriptClock))
{
}

RedisMatchers::~RedisMatchers() = default;

void RedisMatchers::list(QByteArray after, qint64 known, Callback<Page> callback)
{
    d->run(d->listScript, {std::move(after), number(known)}, std::move(callback), matcherPageOf);
}

void RedisMatchers::save(Save save, Callback<Saved> callback)
{
    QList<QByteArray> arguments{d->engine, save.id, number(save.version), expectation(save.expected), number(save.revision),
        save.change == EpochChange::New ? "1" : "0", save.matcher ? packedForStore(*save.matcher) : QByteArray(), save.who};
    for (qsizetype i = 0; save.matcher && i < save.matcher->constraints.size(); ++i)
        arguments << save.matcher->constraints[i].id << save.parameters[i];
    d->run(d->saveScript, std::move(arguments), std::move(callback), [save = std::move(save)](const Reply &reply) -> Result<Saved> {
        const Reply done = reply[2];
        if (done.kind() != Reply::Kind::Array)
            return matcherError(done.view());
        Saved saved{done[0].integer(), done[1].integer(), {save.matcher.value_or(JobMatcher()), numbersOf(done[3])}};
        saved.kept.matcher.revision = save.revision;
        saved.kept.matcher.editedAt_ms = done[2].integer();
        saved.kept.matcher.editedBy = save.who;
        return saved;
    });
}

void RedisMatchers::history(QByteArray id, Callback<History> callback)
{
    QList<QByteArray> arguments{id};
    d->run(d->historyScript, std::move(arguments), std::move(callback),
        [id = std::move(id)](const Reply &reply) { return historyOf(id, reply); });
}

void RedisMatchers::refresh(qint64 version, ConstraintParameters parameters, Callback<Done> callback)
{
    d->run(d->refreshScript, {d->engine, number(version), number(parameters.number), parameters.packed}, std::move(callback),
        [](const Reply &reply) -> Result<Done> {
            if (reply[2].integer() < 0)
                return matcherError("VERSION");
            return Done{};
        });
}

} // namespace junban::redis
