#include "core/redis/redisoperations.h"

#include "core/base/enumof.h"
#include "core/base/gather.h"
#include "core/base/reasons/store.h"
#include "core/lua/schema.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/payload.h"
#include "core/redis/caller.h"
#include "core/redis/numbers.h"
#include "core/redis/randomhex.h"
#include "core/redis/replies.h"

#include <QHash>
#include <algorithm>

namespace junban::redis {

namespace {

// What only C++ reads of a view and an operation.
struct Definition {
    OperationOwner owner;
    Selection selection = {};
    std::optional<JobEdit> fields = {};
};

// The token, what its jobs must meet (a text), the fields that an operation sets (a map), and of which jobs it is (a map in an array, which
// masters of 0.1 pass over).
QByteArray packed(Definition definition)
{
    const auto &[owner, selection, fields] = definition;
    QList<JobId> &ids = definition.selection.ids;
    ids.resize(std::min<qsizetype>(ids.size(), limits::selection_told_ids_max));
    MsgpackWriter writer;
    writer.array(2 + int(!owner.match.isEmpty()) + int(fields.has_value())).text(owner.token);
    if (!owner.match.isEmpty())
        writer.text(owner.match);
    if (fields)
        writer.raw(pack(jobEditTable, *fields, Written::Sparse));
    writer.array(1).raw(pack(newViewTable, selection, Written::Sparse));
    return writer.take();
}

Definition definitionIn(QByteArrayView bytes)
{
    Definition definition;
    payload::Reader reader(bytes);
    const quint32 count = reader.next().value_or(payload::Token{}).count;
    definition.owner.token = reader.next().value_or(payload::Token{}).bytes.toByteArray();
    for (quint32 i = 1; i < count; ++i) {
        const QByteArrayView value = reader.skip().value_or(QByteArrayView());
        payload::Reader inside(value);
        const auto head = inside.next();
        if (head && head->type == payload::Type::String) {
            definition.owner.match = head->bytes.toByteArray();
        } else if (head && head->type == payload::Type::Array) {
            const auto selection = unpackAnswer(newViewTable, inside.skip().value_or(QByteArrayView()));
            if (selection.ok())
                definition.selection = *selection;
        } else if (const Result<JobEdit> edit = unpackAnswer(jobEditTable, value); edit.ok()) {
            definition.fields = *edit;
        }
    }
    return definition;
}

Error noSuchView()
{
    return reasons::viewNotFound();
}

Error viewError(QByteArrayView word)
{
    if (word == "FULL")
        return reasons::viewsTooMany(limits::views_max);
    if (word == "USED")
        return reasons::viewUsed();
    if (word == "REPEATED")
        return reasons::viewInterrupted();
    return noSuchView();
}

Error operationError(QByteArrayView word)
{
    if (word == "NOT_FOUND")
        return reasons::operationNotFound();
    if (word == "VIEW")
        return reasons::operationViewExpired();
    if (word == "BUILDING")
        return reasons::viewIncomplete();
    if (word == "FULL")
        return reasons::operationsTooMany(limits::operations_max);
    if (word == "STATE")
        return reasons::operationNotUndoable();
    return reasons::operationInState(word);
}

QList<JobId> idsIn(QByteArrayView packed)
{
    QList<JobId> ids;
    for (qsizetype at = 0; at + JobId::size <= packed.size(); at += JobId::size)
        ids.append(*JobId::fromBytes(packed.sliced(at, JobId::size)));
    return ids;
}

Result<ViewPage> viewOf(const Reply &reply, const QByteArray &id, qint64 offset)
{
    if (reply[2].kind() != Reply::Kind::Integer)
        return noSuchView();
    const Reply fields = reply[4];
    bool hasTime = false, hasState = false;
    const qint64 asOf_ms = fields[1].bytes().toLongLong(&hasTime);
    const auto state = enumOf(fields[3].bytes().toInt(&hasState), ViewState::Cut);
    if (!hasTime || !hasState || !state)
        return reasons::storedViewUnreadable();
    ViewPage page;
    page.offset = offset;
    page.view.id = id;
    Definition definition = definitionIn(fields[0].view());
    page.view.owner = std::move(definition.owner.token);
    page.view.selection = std::move(definition.selection);
    page.view.asOf_ms = asOf_ms;
    page.view.count = fields[2].integer();
    page.view.building = state == ViewState::Building;
    page.view.complete = state == ViewState::Complete;
    page.view.expiresAt_ms = reply[6].integer() < 0 ? 0 : reply[0].integer() + reply[6].integer();
    page.ids = idsIn(reply[5].view());
    page.jobs = pageOf(reply, JobState::Ready).jobs;
    return page;
}

// A state's number in a reason is the state's word on the wire.
QByteArray reasonText(const QByteArray &stored)
{
    bool isNumber = false;
    const auto state = enumOf(stored.toInt(&isNumber), JobState::Cancelled, JobState::Scheduled);
    if (isNumber && state)
        return stateWord(*state);
    return stored == "not_found" ? QByteArray("gone") : stored;
}

template<typename Enum, size_t n>
std::optional<Enum> fromWord(const char *const (&words)[n], QByteArrayView word)
{
    const auto *at = std::find(std::begin(words), std::end(words), word);
    return at == std::end(words) ? std::nullopt : std::optional<Enum>(static_cast<Enum>(at - words));
}

Result<BulkOperation> operationOf(const Reply &row)
{
    static const QByteArray why = field_of::operation::skipped_why;
    QHash<QByteArray, Reply> stored;
    BulkOperation found;
    found.id = row[0].bytes();
    for (qsizetype i = 0; i + 1 < row[1].size(); i += 2) {
        const QByteArray name = row[1][i].bytes();
        if (name.startsWith(why))
            found.skippedBy.append({reasonText(name.sliced(why.size())), row[1][i + 1].integer()});
        else
            stored.insert(name, row[1][i + 1]);
    }
    const auto integer = [&stored](const char *name) { return stored[name].integer(); };
    const auto action = fromWord<BulkAction>(bulkActionWords, stored[field_of::operation::action].view());
    const auto state = fromWord<OperationState>(operationStateWords, stored[field_of::operation::state].view());
    if (!action || !state)
        return reasons::storedOperationUnreadable();
    std::sort(found.skippedBy.begin(), found.skippedBy.end(), [](const auto &a, const auto &b) { return a.jobs > b.jobs; });
    found.action = *action;
    found.state = *state;
    found.view = stored[field_of::operation::view].bytes();
    found.count = integer(field_of::operation::count);
    found.position = integer(field_of::operation::position);
    found.jobs = integer(field_of::operation::wanted);
    found.done = integer(field_of::operation::done);
    found.skipped = integer(field_of::operation::skipped);
    found.rate = stored[field_of::operation::rate].bytes().toDouble();
    const Definition definition = definitionIn(stored[field_of::operation::definition].view());
    found.owner = definition.owner.token;
    found.match = definition.owner.match;
    found.fields = definition.fields;
    found.selection = definition.selection;
    found.by = stored[field_of::operation::by].bytes();
    found.reason = stored[field_of::operation::reason].bytes();
    found.preparedAt_ms = integer(field_of::operation::made);
    found.startedAt_ms = integer(field_of::operation::started);
    found.endedAt_ms = integer(field_of::operation::ended);
    found.undoes = stored[field_of::operation::undoes].bytes();
    found.undoneBy = stored[field_of::operation::undone_by].bytes();
    const bool ended = found.state == OperationState::Ended || found.state == OperationState::Stopped;
    found.undoable = ended && found.undoneBy.isEmpty() && found.undoes.isEmpty() && found.done > 0 && undoOf(*action);
    return found;
}

Result<Operated> operatedOf(const Reply &reply)
{
    Operated operated;
    operated.now_ms = reply[0].integer();
    operated.hints = hintsOf(reply[3]);
    operated.busy = reply[2].kind() != Reply::Kind::Array;
    if (!operated.busy) {
        operated.again_ms = reply[2][0].integer();
        operated.position = reply[2][1].integer();
        operated.ids = idsIn(reply[2][2].view());
    }
    return operated;
}

Result<Done> doneOf(const Reply &reply)
{
    return reply[2].kind() == Reply::Kind::Integer ? Result<Done>(Done{}) : Result<Done>(operationError(reply[2].view()));
}

} // namespace

class RedisOperations::Private : public Caller
{
public:
    Private(Link &commands, const QByteArray &namespaceName, Clock &theClock, ScriptClock scriptClock)
        : Caller(commands, namespaceName, theClock, "operations", Mends::Operations)
        , freeze(makeScript("freeze", scriptClock))
        , freezeState(makeScript("freeze_state", scriptClock))
        , view(makeScript("view", scriptClock))
        , drop(makeScript("drop_view", scriptClock))
        , viewStates(makeScript("view_states", scriptClock))
        , save(makeScript("save_operation", scriptClock))
        , change(makeScript("change_operation", scriptClock))
        , operations(makeScript("operations", scriptClock))
        , skipped(makeScript("operation_skipped", scriptClock))
        , free(makeScript("operations_free", scriptClock))
        , operate(makeScript("operate", scriptClock))
    {
    }

    // Not the name of an engine, so every engine gets the hints, also this master's.
    QByteArray engine = "op-" + randomHex(8);
    Script freeze, freezeState, view, drop, viewStates, save, change, operations, skipped, free, operate;
};

RedisOperations::RedisOperations(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock)
    : d(std::make_unique<Private>(commands, namespaceName, clock, scriptClock))
{
}

RedisOperations::~RedisOperations() = default;

void RedisOperations::freeze(FreezeItem item, Callback<qint64> callback)
{
    QByteArray ids;
    for (const JobId &id : std::as_const(item.ids))
        ids += id.view();
    d->run(d->freeze,
        {d->engine, item.view, number(item.sofar), packed({{item.owner}, item.selection}), number(item.asOf_ms), number(int(item.state)),
            ids},
        std::move(callback), [](const Reply &reply) {
            const bool isCount = reply[2].kind() == Reply::Kind::Integer;
            return isCount ? Result<qint64>(reply[2].integer()) : Result<qint64>(viewError(reply[2].view()));
        });
}

void RedisOperations::freezeState(FreezeStateItem item, Callback<FrozenState> callback)
{
    QList<QByteArray> arguments{d->engine, item.view, number(item.sofar), packed({{item.owner}, item.selection}),
        number(item.asOf_ms), number(int(item.state)), number(limits::page_rows_max)};
    arguments << afterWords(item.after) << number(int(item.order));
    d->run(d->freezeState, std::move(arguments), std::move(callback), [](const Reply &reply) -> Result<FrozenState> {
        if (reply[2].kind() != Reply::Kind::Integer)
            return viewError(reply[2].view());
        FrozenState frozen{reply[2].integer()};
        if (const auto id = JobId::fromBytes(reply[3][1].view()))
            frozen.last = {reply[3][0].bytes().toDouble(), *id};
        return frozen;
    });
}

void RedisOperations::view(QByteArray id, qint64 offset, int limit, Callback<ViewPage> callback)
{
    d->run(d->view, {id, number(offset), number(limit), cutAt(PageDetail::Listed)}, std::move(callback),
        [id, offset](const Reply &reply) { return viewOf(reply, id, offset); });
}

// PEXPIRE with XX leaves those alone that an operation keeps for ever. A view that is not kept for once is kept by its next reader.
void RedisOperations::keep(QByteArray view, qint64 count)
{
    const QByteArray lives = number(qint64(limits::view_s * 1000));
    const auto keepKey = [&](const QByteArray &itsKey) {
        d->link.command({"PEXPIRE", d->prefix + itsKey, lives, "XX"}, [](const Result<Reply> &) {});
    };
    keepKey(key::view + view);
    for (qint64 chunk = 0; chunk <= count / limits::view_chunk_ids; ++chunk)
        keepKey(key::view_ids + view + '|' + number(chunk));
}

void RedisOperations::views(Callback<ViewList> callback)
{
    const auto look = [this, callback, alive = std::weak_ptr(d->life)](const Result<Reply> &reply) {
        if (alive.expired())
            return;
        if (!reply.ok()) {
            callback(reply.error());
            return;
        }
        const auto answers = Gather<ViewPage>::answers(reply->size(), [callback](const QList<Result<ViewPage>> &pages) {
            ViewList list;
            for (const Result<ViewPage> &page : pages) {
                if (!page.ok() && page.error().code != ErrorCode::NotFound) {
                    callback(page.error());
                    return;
                }
                if (page.ok())
                    list.views.append(page->view);
            }
            callback(std::move(list));
        });
        for (qsizetype i = 0; i < reply->size(); ++i)
            view((*reply)[i].bytes(), 0, 0, answers[i]);
        if (reply->size() == 0)
            callback(ViewList{});
    };
    d->read({"ZRANGE", d->prefix + key::views, "0", "-1"}, look);
}

void RedisOperations::drop(QByteArray view, Callback<Done> callback)
{
    d->run(d->drop, {d->engine, std::move(view)}, std::move(callback), [](const Reply &reply) {
        const bool isCount = reply[2].kind() == Reply::Kind::Integer;
        return isCount ? Result<Done>(Done{}) : Result<Done>(viewError(reply[2].view()));
    });
}

void RedisOperations::viewStates(QByteArray id, qint64 offset, int limit, Callback<ViewStates> callback)
{
    d->run(d->viewStates, {std::move(id), number(offset), number(limit)}, std::move(callback), [](const Reply &reply) {
        ViewStates states;
        states.looked = reply[2].integer();
        for (qsizetype i = 0; i < reply[3].size(); ++i)
            states.counts.byState[size_t(i) + 1] = reply[3][i].integer();
        states.counts.trash = reply[4].integer();
        states.counts.gone = reply[5].integer();
        return states;
    });
}

void RedisOperations::save(OperationSave save, Callback<Done> callback)
{
    d->run(d->save,
        {d->engine, save.id, bulkActionWords[int(save.action)], save.view, number(save.jobs), fraction(save.rate),
            packed({save.owner, save.selection, save.fields}), save.undoes, save.owner.match.isEmpty() ? "0" : "1"},
        std::move(callback), doneOf);
}

void RedisOperations::change(OperationChange change, Callback<Done> callback)
{
    static constexpr const char *verbs[] = {"start", "pause", "resume", "stop"};
    d->run(d->change, {d->engine, change.id, verbs[int(change.verb)], change.by, change.reason}, std::move(callback), doneOf);
}

void RedisOperations::get(QByteArray id, Callback<BulkOperation> callback)
{
    d->run(d->operations, {std::move(id)}, std::move(callback), [](const Reply &reply) {
        return reply[2].size() == 0 ? Result<BulkOperation>(operationError("NOT_FOUND")) : operationOf(reply[2][0]);
    });
}

void RedisOperations::list(Callback<OperationList> callback)
{
    d->run(d->operations, {QByteArray()}, std::move(callback), [](const Reply &reply) -> Result<OperationList> {
        OperationList list;
        for (qsizetype i = 0; i < reply[2].size(); ++i) {
            Result<BulkOperation> operation = operationOf(reply[2][i]);
            if (operation.ok())
                list.operations.append(std::move(*operation));
            else
                qWarning("operations: %s", operation.error().message().constData()); // it ends by itself, a day after its last step
        }
        return list;
    });
}

void RedisOperations::skipped(QByteArray id, qint64 offset, int limit, Callback<SkippedPage> callback)
{
    const auto make = [](const Reply &reply) -> Result<SkippedPage> {
        if (reply[2].integer() == 0)
            return operationError("NOT_FOUND");
        SkippedPage page;
        page.total = reply[3].integer();
        for (qsizetype i = 0; i < reply[4].size(); ++i) {
            const QByteArray entry = reply[4][i].bytes();
            if (const auto job = JobId::fromBytes(entry.left(JobId::size)))
                page.skipped.append({*job, reasonText(entry.mid(JobId::size))});
        }
        return page;
    };
    d->run(d->skipped, {std::move(id), number(offset), number(limit)}, std::move(callback), make);
}

void RedisOperations::free(Callback<QList<QByteArray>> callback)
{
    d->run(d->free, {}, std::move(callback), [](const Reply &reply) {
        QList<QByteArray> ids;
        for (qsizetype i = 0; i < reply[2].size(); ++i)
            ids.append(reply[2][i].bytes());
        return ids;
    });
}

void RedisOperations::operate(OperateItem item, Callback<Operated> callback)
{
    QList<QByteArray> arguments{d->engine, item.id, item.position ? number(*item.position) : QByteArray()};
    arguments += item.outcomes;
    d->run(d->operate, std::move(arguments), std::move(callback), operatedOf);
}

} // namespace junban::redis
