#pragma once

#include "client/calls.h"
#include "core/jobs/operation.h"

namespace junban::client {

// Frozen views of jobs, and operations on all of one.
class OperationCalls : Calls
{
public:
    using Calls::Calls;

    CallId createView(const Selection &selection, Takes<View> auto callback)
    {
        return post(QStringLiteral("/v1/views"), pack(newViewTable, selection, Written::Sparse), viewTable, std::move(callback));
    }
    CallId view(const QByteArray &id, qint64 offset, int limit, Takes<ViewPage> auto callback)
    {
        return get(namedPath("/v1/views/", id), rowsFrom(offset, limit), viewPageTable, std::move(callback));
    }
    // What `operation` would do; it changes nothing.
    CallId prepareOperation(NewOperation operation, Takes<OperationPreview> auto callback)
    {
        operation.dryRun = true;
        const QByteArray body = pack(newOperationTable, operation, Written::Sparse);
        constexpr auto wait_ms = qint64(limits::operation_prepare_s_max * 1000);
        return m_link.call<OperationPreview>({Method::Post, collection(), {}, body, wait_ms}, operationPreviewTable, std::move(callback));
    }
    CallId startOperation(const QByteArray &token, Takes<BulkOperation> auto callback)
    {
        NewOperation prepared;
        prepared.token = token;
        return post(collection(), pack(newOperationTable, prepared, Written::Sparse), operationTable, std::move(callback));
    }
    CallId operations(Takes<OperationList> auto callback) { return get(collection(), operationListTable, std::move(callback)); }
    CallId operation(const QByteArray &id, Takes<BulkOperation> auto callback)
    {
        return get(path(id), operationTable, std::move(callback));
    }
    CallId skipped(const QByteArray &id, qint64 offset, int limit, Takes<SkippedPage> auto callback)
    {
        return get(path(id, "/skipped"), rowsFrom(offset, limit), skippedPageTable, std::move(callback));
    }
    CallId pauseOperation(const QByteArray &id, Takes<BulkOperation> auto callback) { return change(id, "/pause", std::move(callback)); }
    CallId resumeOperation(const QByteArray &id, Takes<BulkOperation> auto callback) { return change(id, "/resume", std::move(callback)); }
    CallId stopOperation(const QByteArray &id, Takes<BulkOperation> auto callback) { return change(id, "/stop", std::move(callback)); }
    CallId undoOperation(const QByteArray &id, Takes<BulkOperation> auto callback) { return change(id, "/undo", std::move(callback)); }

private:
    static QString collection() { return QStringLiteral("/v1/operations"); }
    static QString path(const QByteArray &id, const char *verb = "") { return namedPath("/v1/operations/", id, verb); }
    static Query rowsFrom(qint64 offset, int limit)
    {
        return {{QStringLiteral("offset"), QByteArray::number(offset)}, {QStringLiteral("limit"), QByteArray::number(limit)}};
    }
    CallId change(const QByteArray &id, const char *verb, Takes<BulkOperation> auto callback)
    {
        return post(path(id, verb), nothing(), operationTable, std::move(callback));
    }
};

} // namespace junban::client
