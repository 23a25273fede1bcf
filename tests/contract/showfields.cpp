#include "core/access/auditentry.h"
#include "core/access/session.h"
#include "core/jobs/savedfilter.h"
#include "core/access/tokenfields.h"
#include "core/jobs/administration.h"
#include "core/jobs/jobcalls.h"
#include "core/jobs/jobfields.h"
#include "core/jobs/operation.h"
#include "core/jobs/pastfields.h"
#include "core/jobs/schedulefields.h"
#include "core/jobs/schedulepreview.h"
#include "core/jobs/worker.h"
#include "core/limits/limitanswers.h"
#include "core/limits/limitrequests.h"
#include "core/msgpack/json.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/problem.h"

#include <QSet>
#include <cmath>
#include <cstdio>

// Prints every field table as one JSON list, for test_fields.py to hold against the document.
using namespace junban;

namespace {

// Those that no other one names.
const FieldTable *const roots[] = {
    &newJobTable, &claimedJobTable, &jobTable, &progressTable, // core/jobs/jobfields.h
    &enqueuedTable, &answeredTable, &batchTable, &claimBodyTable, &claimQueryTable, &claimedTable, &messageTable, &reportTable,
    &reportWithIdTable, &outcomesTable, &finishedTable, &heartbeatItemTable, &heartbeatTable, &heartbeatsBodyTable, &releaseTable,
    &jobCountsTable, &cancelTable, &stateNowTable, &handoffTable, &messageTakenTable, &nothingTable, &jobEditTable, &jobPageTable,
    &groupBodyTable, &groupTable,
    &overviewTable, &namePageTable, &findingsTable, &newsTable, &sinceBodyTable, &fsckBodyTable, // core/jobs/administration.h
    &fsckReportTable,
    &failureGroupTable, &failureListTable, &failurePageTable, &resolveTable, &muteTable, &groupRetryTable, &groupRetriedTable,
    &keptResultTable, &resultPageTable, &resultPatchTable, &statsPageTable, &seriesTable, &retentionTable, &retentionSettingsTable,
    &newScheduleTable, &runScheduleTable, &scheduleTable, &schedulePageTable, // core/jobs/schedulefields.h
    &recurrenceTable, &schedulePreviewTable, // core/jobs/schedulepreview.h
    &matcherTable, &matcherRevertTable, &pauseTable, &resumeTable, &previewTable, // core/limits/limitrequests.h
    &breakerTable(BreakerVerb::Trip), &breakerTable(BreakerVerb::Reset),
    &answers::matcherPageTable, &answers::revisionsTable, &answers::constraintPageTable, // core/limits/limitanswers.h
    &answers::bucketPageTable, &answers::breakerChangedTable, &answers::heldTable, &answers::explanationTable, &answers::pauseListTable,
    &answers::expressionRefusalTable, &answers::matcherPreviewTable,
    &newViewTable, &viewTable, &viewListTable,
    &viewPageTable, &newOperationTable, &operationPreviewTable, &operationTable, &operationListTable,
    &skippedPageTable, // core/jobs/operation.h
    &newTokenTable, &tokenTable, &createdTokenTable, &tokenListTable, // core/access/tokenfields.h
    &signInTable, &sessionTable, // core/access/session.h
    &filterBodyTable, &filterListTable, // core/jobs/savedfilter.h
    &auditPageTable, // core/access/auditentry.h
    &newWorkerTable, &workerPageTable, // core/jobs/worker.h
};

const Codec *innermost(const Codec *codec)
{
    return codec->inner ? innermost(codec->inner) : codec;
}

bool isList(const Codec *codec)
{
    return qstrcmp(codec->type, "array") == 0 || (codec->inner && isList(codec->inner));
}

void bound(MsgpackWriter &out, const char *name, double value)
{
    if (std::isfinite(value))
        out.text(name).real(value);
    else
        out.text(name).nil();
}

void writeField(MsgpackWriter &out, const Field &field, const void *defaults)
{
    const Codec *codec = innermost(field.codec);
    const void *member = field.memberOf(const_cast<void *>(defaults));
    const bool missing = qstrcmp(field.codec->type, "optional") == 0;
    out.map(10).text("name").text(field.name).text("type").text(codec->type).text("list").boolean(isList(field.codec));
    bound(out, "min", field.min);
    bound(out, "max", field.max);
    out.text("count_max").integer(field.count_max);
    const char *const presences[] = {"needed", "always", "rare"};
    out.text("presence").text(field.applies ? "when" : presences[size_t(field.presence)]);
    out.text("words").array(qsizetype(field.words.size()));
    for (const char *word : field.words)
        out.text(word);
    out.text("table");
    field.table && field.table->schema ? out.text(field.table->schema) : out.nil();
    out.text("default");
    MsgpackWriter packed;
    if (!missing)
        field.codec->write(packed, member, field, Written::Whole);
    packed.size() > 0 ? out.raw(packed.take()) : out.nil();
}

void writeFieldsOf(MsgpackWriter &out, const FieldTable &table, const void *defaults, qsizetype &count)
{
    for (const Field &field : table.fields) {
        if (!field.codec) {
            writeFieldsOf(out, *field.table, field.memberOf(const_cast<void *>(defaults)), count);
        } else {
            writeField(out, field, defaults);
            ++count;
        }
    }
}

// A table and those it leads to, each once.
void collect(const FieldTable &table, QList<const FieldTable *> &all)
{
    if (all.contains(&table))
        return;
    all.append(&table);
    for (const Field &field : table.fields) {
        if (field.table)
            collect(*field.table, all);
    }
}

} // namespace

int main()
{
    QList<const FieldTable *> all;
    for (const FieldTable *table : roots)
        collect(*table, all);
    for (size_t kind = 0; kind < constraintKinds.size(); ++kind)
        collect(constraintTable(ConstraintKind(kind)), all);
    MsgpackWriter tables;
    qsizetype shown = 0;
    const auto show = [&](const FieldTable &table, const QByteArray &name) {
        MsgpackWriter fields;
        qsizetype count = 0;
        writeFieldsOf(fields, table, table.defaults(), count);
        tables.map(3).text("schema").text(name).text("checked").boolean(table.check).text("fields");
        tables.array(count).raw(fields.take());
        ++shown;
    };
    for (const FieldTable *table : std::as_const(all)) {
        if (table->schema && qstrcmp(table->schema, "Constraint") != 0) // without schema: a part of others
            show(*table, table->schema);
    }
    // Of one schema, which has the fields of all kinds.
    for (size_t kind = 0; kind < constraintKinds.size(); ++kind)
        show(constraintTable(ConstraintKind(kind)), QByteArray("Constraint:") + constraintKinds[kind]->word);
    std::puts(json::fromMsgpack(MsgpackWriter().array(shown).raw(tables.take()).take()).constData());
    return 0;
}
