// What operators are answered.
#include "client/decoding.h"

namespace junban::client {

namespace {

void readTotals(Totals &totals, const Value &value)
{
    value.eachField([&](QByteArrayView key, const Value &field) {
        const std::pair<QByteArrayView, qint64 *> all[] = {
            {"enqueued", &totals.enqueued}, {"started", &totals.started}, {"succeeded", &totals.succeeded},
            {"failed", &totals.failed}, {"failures", &totals.failures}, {"retried", &totals.retried},
            {"expired", &totals.expired}, {"cancelled", &totals.cancelled},
        };
        for (const auto &[name, total] : all) {
            if (key == name)
                *total = field.integer();
        }
    });
}

void readRates(Rates &rates, const Value &value)
{
    value.eachField([&](QByteArrayView key, const Value &field) {
        if (key == "enqueued")
            rates.enqueued = field.real();
        else if (key == "started")
            rates.started = field.real();
        else if (key == "succeeded")
            rates.succeeded = field.real();
        else if (key == "failures")
            rates.failures = field.real();
    });
}

void readRollback(Rollback &rollback, const Value &value)
{
    value.eachField([&](QByteArrayView key, const Value &field) {
        if (key == "seen_at")
            rollback.seenAt_ms = field.time_ms();
        else if (key == "transactions_lost")
            rollback.transactionsLost = field.integer();
    });
}

Result<NameRow> decodeNameRow(QByteArrayView body)
{
    NameRow row;
    Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (key == "name")
            row.name = value.text();
        else if (key == "ready")
            row.ready = value.integer();
        else if (key == "scheduled")
            row.scheduled = value.integer();
        else if (key == "running")
            row.running = value.integer();
        else if (key == "totals")
            readTotals(row.totals, value);
    });
    if (row.name.isEmpty())
        return malformed("a name is missing");
    return row;
}

} // namespace

Result<ResultNow> decodeResult(int status, QByteArrayView header, const QByteArray &body)
{
    if (status == 202) {
        Result<StateNow> state = decodeStateNow(body);
        if (!state.ok())
            return state.error();
        return ResultNow{ResultStatus::Pending, {}, state->state};
    }
    if (header == "gone" || body == payload::nil)
        return ResultNow{};
    return ResultNow{ResultStatus::Ready, body, JobState::Succeeded};
}

Result<JobPage> decodeJobPage(QByteArrayView body)
{
    Result<QList<Job>> jobs = listOf<Job>(fieldOf(body, "jobs"), decodeJob);
    if (!jobs.ok())
        return jobs.error();
    JobPage page{std::move(jobs).value(), fieldOf(body, "next").text(), {}};
    fieldOf(body, "coverage").eachField([&](QByteArrayView key, const Value &value) {
        if (key == "scanned")
            page.coverage.scanned = value.integer();
        else if (key == "total")
            page.coverage.total = value.integer();
        else if (key == "complete")
            page.coverage.complete = value.boolean();
    });
    return page;
}

Result<Overview> decodeOverview(QByteArrayView body)
{
    Overview overview;
    bool states = false;
    const bool complete = Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (key == "now") {
            overview.now_ms = value.time_ms();
        } else if (key == "states") {
            states = value.eachField([&](QByteArrayView word, const Value &count) {
                if (const std::optional<JobState> state = stateFromWord(word))
                    overview.byState[static_cast<size_t>(*state)] = count.integer();
            });
        } else if (key == "results_kept") {
            overview.resultsKept = value.integer();
        } else if (key == "totals") {
            readTotals(overview.totals, value);
        } else if (key == "rates") {
            readRates(overview.rates, value);
        } else if (key == "oldest_ready_at") {
            overview.oldestReadyAt_ms = value.time_ms();
        } else if (key == "version") {
            overview.version = value.text();
        } else if (key == "rollback") {
            readRollback(overview.rollback, value);
        }
    });
    if (!complete || !states)
        return malformed("the overview has no states");
    return overview;
}

Result<QList<Finding>> decodeFindings(QByteArrayView body)
{
    return listOf<Finding>(fieldOf(body, "findings"), [](QByteArrayView row) {
        return Result<Finding>(Finding{fieldOf(row, "severity").text(), fieldOf(row, "word").text(), fieldOf(row, "message").text()});
    });
}

Result<FsckReport> decodeFsckReport(QByteArrayView body)
{
    const auto violation = [](QByteArrayView row) {
        return Result<Violation>(Violation{
            fieldOf(row, "invariant").text(), fieldOf(row, "key").text(), fieldOf(row, "text").text(), fieldOf(row, "repaired").boolean()});
    };
    Result<QList<Violation>> violations = listOf<Violation>(fieldOf(body, "violations"), violation);
    if (!violations.ok())
        return violations.error();
    return FsckReport{fieldOf(body, "checked").integer(), fieldOf(body, "found").integer(), fieldOf(body, "repaired").integer(),
        std::move(violations).value(), fieldOf(body, "next").text()};
}

Result<NamePage> decodeNames(QByteArrayView body)
{
    Result<QList<NameRow>> names = listOf<NameRow>(fieldOf(body, "names"), decodeNameRow);
    if (!names.ok())
        return names.error();
    return NamePage{std::move(names).value(), fieldOf(body, "next").text()};
}

} // namespace junban::client
