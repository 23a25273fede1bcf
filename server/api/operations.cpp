#include "core/jobs/operation.h"

#include "core/base/reasons/api.h"
#include "core/base/reasons/requests.h"
#include "core/base/reasons/store.h"
#include "server/api/auditrecord.h"
#include "server/api/export.h"
#include "server/api/handlers.h"
#include "server/api/masking.h"
#include "server/api/scoping.h"

// Frozen views, and operations on all jobs of one.
namespace junban::api {

namespace {

// Whose an operation is. A job that leaves the scope of the token until its turn comes is to be left as it is.
OperationOwner ownerOf(const Caller &caller)
{
    const bool judges = caller.isScoped() && caller.grant->scope.needsJob();
    return {tokenOf(caller), judges ? caller.grant->token.spec.match : QByteArray()};
}

// What a list that is asked for in a body shows; nothing when the request is wrong, and answered.
std::optional<Freezer::Request> freezeRequestOf(const Masker &masker, const Call &call, const Selection &selection)
{
    Freezer::Request request;
    request.selection = selection;
    request.owner = tokenOf(call.caller);
    request.filter.name = selection.name;
    request.filter.tag = selection.tag;
    request.filter.scope = scopeOf(call.caller);
    if (!mayReveal(call.caller))
        request.filter.mask = &masker;
    QList<ExpressionProblem> problems;
    if (!selection.match.isEmpty()) {
        for (const cel::Problem &problem : request.filter.setMatch(selection.match))
            problems.append({"match", problem});
    }
    if (problems.isEmpty())
        return request;
    call.reply(422, encodeProblem(problems));
    return {};
}

// A caller whose token is for some jobs only has its own views and operations, which were made of these jobs.
template<typename T>
bool isThere(const Call &call, const Result<T> &found, const QByteArray &owner)
{
    if (!found.ok())
        call.fail(found.error());
    else if (call.caller.isScoped() && owner != tokenOf(call.caller))
        call.fail(reasons::operationNotFound());
    else
        return true;
    return false;
}

// An expression may hold a value that is hidden from those who may not reveal it. Whoever wrote the expression knows it.
template<typename T>
T toldTo(const Caller &caller, T made)
{
    if (!mayReveal(caller) && made.owner != tokenOf(caller))
        made.selection.match.clear();
    return made;
}

void createView(const Parts &parts, const Call &call)
{
    const std::optional<Selection> selection = bodyOf(call, newViewTable, {}, Body::MayBeEmpty);
    if (!selection)
        return;
    withMasks(parts, call, [&parts, call, selection = *selection](const Masker &masker) {
        if (std::optional<Freezer::Request> request = freezeRequestOf(masker, call, selection))
            parts.bulk.freezer.freeze(std::move(*request), answering(call, viewTable, 201));
    });
}

void getView(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("view");
    const Result<int> offset = call.integer("offset", 0, int(limits::view_ids_max), 0);
    const Result<int> limit = call.integer("limit", 0, limits::view_page_max, limits::page_rows_default);
    if (!id || !areRead(call, offset, limit))
        return;
    withMasks(parts, call, [&parts, call, id = *id, offset = *offset, limit = *limit](const Masker &masker) {
        parts.bulk.freezer.view(id, offset, limit, scopeOf(call.caller), [call, &masker](Result<ViewPage> page) {
            if (!isThere(call, page, page.ok() ? page->view.owner : QByteArray()))
                return;
            hideEach(masker, page->jobs);
            page->view = toldTo(call.caller, std::move(page->view));
            call.reply(200, pack(viewPageTable, *page));
        });
    });
}

Result<ExportFormat> formatOf(const Call &call)
{
    static constexpr const char *words[] = {"csv", "ndjson", "msgpack"};
    const auto *word = std::find(std::begin(words), std::end(words), call.query.value("format", "ndjson"));
    if (word == std::end(words))
        return reasons::wordExpected("format", QByteArrayList(std::begin(words), std::end(words)));
    return ExportFormat(word - words);
}

void exportView(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("view");
    const Result<ExportFormat> format = formatOf(call);
    const Result<bool> mark = call.flag("bom");
    if (!id || !areRead(call, format, mark))
        return;
    if (*mark && *format != ExportFormat::Csv) {
        call.fail(reasons::fieldBelongsTo("bom", "format=csv"));
        return;
    }
    withMasks(parts, call, [&parts, call, id = *id, format = *format, mark = *mark](const Masker &masker) {
        parts.bulk.freezer.view(id, 0, 0, {}, [&parts, call, &masker, id, format, mark](const Result<ViewPage> &page) {
            if (!isThere(call, page, page.ok() ? page->view.owner : QByteArray()))
                return;
            if (page->view.building) {
                call.fail(reasons::viewIncomplete());
                return;
            }
            static constexpr const char *suffixes[] = {"csv", "ndjson", "msgpack"};
            const QByteArray name = "attachment; filename=\"view-" + id.toPercentEncoding() + '.' + suffixes[int(format)] + '"';
            http::Response response{200, ViewExport::contentType(format), {}, {{"Content-Disposition", name}}};
            const auto mayRead = [&parts, caller = call.caller] { return mayCallStill(parts.tokens, parts.sessions, caller); };
            const ViewExport::Reader reader{scopeOf(call.caller), mayRead, parts.bulk.freezer.holding(id)};
            const ExportMark begins = mark ? ExportMark::Bom : ExportMark::None;
            response.parts = std::make_shared<ViewExport>(parts.bulk.freezer, masker, reader, id, format, begins);
            call.exchange().reply(std::move(response));
        });
    });
}

// A caller whose token is for some jobs sees its own views only.
void listViews(const Parts &parts, const Call &call)
{
    parts.bulk.freezer.views(answering<ViewList>(call, viewListTable, [caller = call.caller](ViewList list) {
        list.views.removeIf([&](const View &view) { return caller.isScoped() && view.owner != tokenOf(caller); });
        for (View &view : list.views)
            view = toldTo(caller, std::move(view));
        return list;
    }));
}

void deleteView(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("view");
    if (!id || !hasNoBody(call))
        return;
    parts.bulk.freezer.view(*id, 0, 0, {}, [&parts, call, id = *id](const Result<ViewPage> &page) {
        if (!isThere(call, page, page.ok() ? page->view.owner : QByteArray()))
            return;
        const bool isOperator = hasRole(call.caller, Role::Operator) || hasRole(call.caller, Role::Admin);
        if (!isOperator && page->view.owner != tokenOf(call.caller)) {
            call.fail(reasons::viewOfAnother());
            return;
        }
        parts.bulk.freezer.drop(id, [call](const Result<Done> &done) {
            if (done.ok())
                call.replyEmpty();
            else
                call.fail(done.error());
        });
    });
}

Callback<BulkOperation> answeringOperation(const Call &call, int status)
{
    return [call, status](const Result<BulkOperation> &operation) {
        if (operation.ok())
            call.auditAfter(pack(operationTable, *operation));
        answering(call, operationTable, status)(operation);
    };
}

// Goes on when the operation is there for the caller.
void withOperation(const Parts &parts, const Call &call, const QByteArray &id, std::function<void(const BulkOperation &)> goOn)
{
    parts.bulk.operations.store().get(id, [call, goOn = std::move(goOn)](const Result<BulkOperation> &found) {
        if (isThere(call, found, found.ok() ? found->owner : QByteArray()))
            goOn(*found);
    });
}

void startOperation(const Parts &parts, const Call &call, const QByteArray &token)
{
    withOperation(parts, call, token, [&parts, call, token](const BulkOperation &) {
        call.auditTarget(token);
        parts.bulk.operations.change({token, OperationVerb::Start, call.caller.name(), call.reason}, answeringOperation(call, 202));
    });
}

void prepareOperation(const Parts &parts, const Call &call, const NewOperation &asked)
{
    // Nothing in bulk that the token may not do with one job.
    if (call.caller.isScoped() && asked.action != BulkAction::Retry && asked.action != BulkAction::Cancel) {
        call.fail(ofField(reasons::scopeOnlyRetries(), "action"));
        return;
    }
    call.leaveOutOfAudit();
    withMasks(parts, call, [&parts, call, asked](const Masker &masker) {
        const std::optional<Freezer::Request> freeze = freezeRequestOf(masker, call, asked.selection);
        if (!freeze)
            return;
        const auto prepare = [&parts, call, asked, freeze = *freeze, &masker] {
            parts.bulk.operations.prepare({asked, freeze, ownerOf(call.caller)},
                answering<OperationPreview>(call, operationPreviewTable, [&masker](OperationPreview preview) {
                    hideEach(masker, preview.samples);
                    return preview;
                }));
        };
        if (asked.view.isEmpty()) {
            prepare();
            return;
        }
        parts.bulk.freezer.view(asked.view, 0, 0, {}, [call, prepare](const Result<ViewPage> &page) {
            if (isThere(call, page, page.ok() ? page->view.owner : QByteArray()))
                prepare();
        });
    });
}

void createOperation(const Parts &parts, const Call &call)
{
    const std::optional<NewOperation> asked = bodyOf(call, newOperationTable);
    if (!asked)
        return;
    if (asked->token.isEmpty())
        prepareOperation(parts, call, *asked);
    else
        startOperation(parts, call, asked->token);
}

void listOperations(const Parts &parts, const Call &call)
{
    parts.bulk.operations.store().list(answering<OperationList>(call, operationListTable, [call](OperationList list) {
        list.operations.removeIf([&call](const BulkOperation &operation) {
            return operation.state == OperationState::Prepared || (call.caller.isScoped() && operation.owner != tokenOf(call.caller));
        });
        for (BulkOperation &operation : list.operations)
            operation = toldTo(call.caller, std::move(operation));
        return list;
    }));
}

void getOperation(const Parts &parts, const Call &call)
{
    if (const std::optional<QByteArray> id = call.pathName("operation"))
        withOperation(parts, call, *id, [call](const BulkOperation &operation) {
            answering(call, operationTable)(toldTo(call.caller, operation));
        });
}

void listSkipped(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("operation");
    const Result<int> offset = call.integer("offset", 0, limits::operation_skipped_max, 0);
    const Result<int> limit = call.integer("limit", 1, limits::view_page_max, limits::page_rows_default);
    if (!id || !areRead(call, offset, limit))
        return;
    withOperation(parts, call, *id, [&parts, call, offset = *offset, limit = *limit](const BulkOperation &operation) {
        parts.bulk.operations.store().skipped(operation.id, offset, limit, answering(call, skippedPageTable));
    });
}

void changeOperation(const Parts &parts, const Call &call, OperationVerb verb)
{
    const std::optional<QByteArray> id = call.pathName("operation");
    if (!id || !hasNoBody(call))
        return;
    withOperation(parts, call, *id, [&parts, call, verb](const BulkOperation &before) {
        call.auditBefore(pack(operationTable, before));
        parts.bulk.operations.change({before.id, verb}, answeringOperation(call, 200));
    });
}

void pauseOperation(const Parts &parts, const Call &call)
{
    changeOperation(parts, call, OperationVerb::Pause);
}

void resumeOperation(const Parts &parts, const Call &call)
{
    changeOperation(parts, call, OperationVerb::Resume);
}

void stopOperation(const Parts &parts, const Call &call)
{
    changeOperation(parts, call, OperationVerb::Stop);
}

void undoOperation(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("operation");
    if (!id || !hasNoBody(call))
        return;
    withOperation(parts, call, *id, [&parts, call](const BulkOperation &operation) {
        parts.bulk.operations.undo(
            operation.id, ownerOf(call.caller), call.caller.name(), call.reason, answeringOperation(call, 202));
    });
}

constexpr Operation operationHandlers[] = {
    {"createView", createView}, {"listViews", listViews}, {"getView", getView},
    {"exportView", exportView},
    {"deleteView", deleteView}, {"createOperation", createOperation}, {"listOperations", listOperations},
    {"getOperation", getOperation}, {"listSkipped", listSkipped}, {"pauseOperation", pauseOperation},
    {"resumeOperation", resumeOperation}, {"stopOperation", stopOperation}, {"undoOperation", undoOperation},
};

} // namespace

const std::span<const Operation> operationOperations = operationHandlers;

} // namespace junban::api
