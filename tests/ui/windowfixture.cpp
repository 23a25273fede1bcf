#include "tests/ui/windowfixture.h"

#include "core/base/clock.h"
#include "core/base/isotime.h"
#include "core/jobs/operation.h"
#include "core/msgpack/msgpackwriter.h"
#include "tests/ui/packed.h"

#include <QSettings>
#include <QUrl>
#include <QUrlQuery>

namespace junban::test {

namespace {

// A search whose parameters are in its body, as the GET with the same parameters in its query.
ScriptedMaster::Request asGet(ScriptedMaster::Request request)
{
    const bool search = request.path.endsWith("/search");
    if (request.method != "POST" || (!search && request.path != "/v1/jobs/counts"))
        return request;
    request.method = "GET";
    if (search)
        request.path.chop(qstrlen("/search"));
    QUrlQuery query;
    payload::Reader reader(request.body);
    const auto head = reader.next();
    for (quint32 pair = 0; head && pair < head->count; ++pair) {
        const auto key = reader.next(), value = reader.next();
        if (!key || !value)
            break;
        const QString text = value->type == payload::Type::String ? QString::fromUtf8(value->bytes)
            : value->type == payload::Type::Boolean               ? QString::fromLatin1(value->boolean ? "true" : "false")
                                                                  : QString::number(value->integer);
        query.addQueryItem(QString::fromUtf8(key->bytes), QString::fromLatin1(QUrl::toPercentEncoding(text, "=().:/_-")));
    }
    request.query = query.query(QUrl::FullyEncoded).toLatin1();
    return request;
}

} // namespace

WindowFixture::WindowFixture(const char *language)
    : m_master([this](const ScriptedMaster::Request &request) { return answer(request); })
    , m_language(language)
{
}

WindowFixture::~WindowFixture()
{
    m_console.reset();
    m_client.reset();
}

void WindowFixture::open()
{
    const QString path = m_directory.filePath(QStringLiteral("console.ini"));
    {
        QSettings settings(path, QSettings::IniFormat);
        settings.setValue(QStringLiteral("display/language"), QString::fromLatin1(m_language));
        settings.setValue(QStringLiteral("display/appearance"), QStringLiteral("light"));
        settings.setValue(QStringLiteral("display/times"), QStringLiteral("utc"));
    }
    client::ApiClient::Options options;
    options.url = m_master.port() != 0 ? m_master.url() : QUrl(QStringLiteral("http://127.0.0.1:9"));
    options.deadline_ms = deadline_ms;
    m_console.reset(); // the one before, which uses the client before
    m_client = std::make_unique<client::ApiClient>(options);
    m_console = std::make_unique<ui::Console>(*m_client, ui::UiOptions{place, {}, {}}, path);
    m_console->show();
}

bool WindowFixture::openLive()
{
    if (m_master.port() == 0 && !serve())
        return false;
    open();
    return QTest::qWaitFor([this] { return window().feed().health().state == ui::Health::State::Live; });
}

int WindowFixture::requestsTo(const QByteArray &path, const QByteArray &query) const
{
    int count = 0;
    for (const ScriptedMaster::Request &sent : m_master.requests()) {
        const ScriptedMaster::Request request = asGet(sent);
        count += request.path == path && (query.isEmpty() || request.query.contains(query));
    }
    return count;
}

Job WindowFixture::job(int number, JobState state)
{
    Job job;
    QByteArray bytes(16, '\0');
    bytes[0] = 1;
    bytes[14] = char(number >> 8);
    bytes[15] = char(number);
    job.id = *JobId::fromBytes(bytes);
    job.spec.name = "job." + QByteArray::number(number);
    job.spec.argument = MsgpackWriter().map(1).text("number").integer(number).take();
    job.state = state;
    job.createdAt_ms = Clock::machine_ms() - 60'000;
    return job;
}

QByteArray WindowFixture::problem(int status, const char *code, const char *detail)
{
    MsgpackWriter writer;
    writer.map(5).text("type").text("about:blank").text("title").text("T").text("status").integer(status);
    return writer.text("code").text(code).text("detail").text(detail).take();
}

QByteArray WindowFixture::encodeJob(const Job &job) const
{
    QList<QPair<QByteArray, QByteArray>> pairs;
    const auto text = [&](const char *key, const QByteArray &value) { pairs.append({key, MsgpackWriter().text(value).take()}); };
    const auto integer = [&](const char *key, qint64 value) { pairs.append({key, MsgpackWriter().integer(value).take()}); };
    const auto time = [&](const char *key, qint64 at_ms) {
        if (at_ms > 0)
            text(key, isoTime(at_ms));
    };
    text("id", job.id.text());
    text("name", job.spec.name);
    text("state", stateWord(job.state));
    pairs.append({"argument", job.spec.argument});
    integer("argument_bytes", job.spec.argument.size());
    integer("attempt", job.attempt);
    integer("max_retry", job.spec.maxRetry);
    time("created_at", job.createdAt_ms);
    time("started_at", job.startedAt_ms);
    time("finished_at", job.finishedAt_ms);
    if (job.masked)
        pairs.append({"masked", MsgpackWriter().boolean(true).take()});
    if (!job.message.isEmpty())
        text("message", job.message);
    if (!job.reason.isEmpty())
        text("reason", job.reason);
    if (!job.worker.isEmpty())
        text("worker", job.worker);
    if (const JobHold &hold = job.heldBy; !hold.kind.isEmpty()) {
        MsgpackWriter writer;
        writer.map(4).text("title").text(hold.title).text("kind").text(hold.kind).text("key").text(hold.key);
        pairs.append({"held_by", writer.text("opens_at").text(isoTime(hold.opensAt_ms)).take()});
    }
    if (job.tracked)
        pairs.append({"tracked", MsgpackWriter().boolean(true).take()});
    time("deleted_at", job.deletedAt_ms);
    pairs.append({"result_kept", MsgpackWriter().boolean(job.resultKept).take()});
    MsgpackWriter attempts;
    attempts.array(job.attempts.size());
    for (const Attempt &attempt : job.attempts) {
        attempts.map(5).text("attempt").integer(attempt.number).text("worker").text(attempt.worker);
        attempts.text("started_at").text(isoTime(attempt.startedAt_ms)).text("ended_at").text(isoTime(attempt.endedAt_ms));
        attempts.text("ended").text(attempt.ended);
    }
    pairs.append({"attempts", attempts.take()});
    MsgpackWriter writer;
    writer.map(pairs.size());
    for (const auto &[key, value] : pairs)
        writer.text(key).raw(value);
    return writer.take();
}

QByteArray WindowFixture::encodeList(const ScriptedMaster::Request &request) const
{
    const QUrlQuery query(QString::fromLatin1(request.query));
    const auto said = [&](const char *key) {
        return query.queryItemValue(QLatin1String(key), QUrl::FullyDecoded).toUtf8();
    };
    const std::optional<JobState> state = stateFromWord(said("state"));
    QByteArrayList found;
    qint64 total = 0;
    for (const Job &job : jobs) {
        if ((state && job.state != *state) || (said("tracked") == "true" && !job.tracked)
            || (said("trash") == "true") != (job.deletedAt_ms > 0))
            continue;
        ++total;
        if ((said("name").isEmpty() || job.spec.name == said("name")) && found.size() < said("limit").toInt())
            found.append(encodeJob(job));
    }
    MsgpackWriter writer;
    writer.map(next.isEmpty() ? 2 : 3).text("jobs").array(found.size());
    for (const QByteArray &job : std::as_const(found))
        writer.raw(job);
    if (!next.isEmpty())
        writer.text("next").text(next);
    writer.text("coverage").map(3).text("scanned").integer(total).text("total").integer(total).text("complete").boolean(true);
    return writer.take();
}

QByteArray WindowFixture::encodeOverview() const
{
    const char *const words[] = {"scheduled", "depends", "ready", "running", "awaiting", "succeeded", "failed", "cancelled"};
    MsgpackWriter writer;
    writer.map((rollbackAt_ms > 0 ? 7 : 6) + overviewMore.size()).text("now").text(isoTime(Clock::machine_ms()));
    writer.text("states").map(std::size(words));
    for (const char *word : words) {
        const auto count = std::count_if(jobs.begin(), jobs.end(), [&](const Job &job) { return job.state == *stateFromWord(word); });
        writer.text(word).integer(count);
    }
    writer.text("results_kept").integer(3).text("totals").map(1).text("enqueued").integer(enqueuedTotal);
    writer.text("rates").map(1).text("enqueued").real(12.5).text("version").text("0.1.0");
    if (rollbackAt_ms > 0)
        writer.text("rollback").map(2).text("seen_at").text(isoTime(rollbackAt_ms)).text("transactions_lost").integer(41);
    for (const auto &[name, value] : overviewMore)
        writer.text(name).raw(value);
    return writer.take();
}

std::optional<ScriptedMaster::Answer> WindowFixture::answerBulk(const ScriptedMaster::Request &request)
{
    using Answer = ScriptedMaster::Answer;
    if (request.path == "/v1/operations" && request.method == "POST" && request.body.contains("dry_run")) {
        bulkBodies.append(request.body);
        for (const char *word : bulkActionWords) {
            if (request.body.contains(QByteArray("action") + char(0xa0 + qstrlen(word)) + word))
                m_bulkAction = word;
        }
        m_bulkState.clear();
        const QByteArray all = QByteArray::number(bulkJobs + bulkLeft), left = QByteArray::number(bulkLeft);
        return Answer{200, packed("{'token':'op-1','action':'" + m_bulkAction + "','view':'view-1','complete':true,'jobs':"
            + QByteArray::number(bulkJobs) + ",'counts':{'failed':" + QByteArray::number(bulkJobs) + ",'running':" + left
            + "},'excluded':{'running':" + left + "},'samples':[],'limits':[]}")};
    }
    if (request.path == "/v1/operations" && request.method == "POST") {
        bulkStarts.append(request.body);
        m_bulkDone = 0;
        m_bulkState = "running";
    } else if (request.path == "/v1/operations/op-1/stop") {
        m_bulkState = "stopped";
    } else if (request.method == "GET" && !request.path.endsWith("/skipped") && m_bulkState == "running") {
        m_bulkDone = std::min(bulkJobs, m_bulkDone + bulkStep);
        m_bulkState = m_bulkDone == bulkJobs ? "done" : "running";
    } else if (request.path == "/v1/operations" && m_bulkState.isEmpty()) {
        return Answer{200, packed("{'operations':[]}")};
    } else if (request.path.endsWith("/skipped")) {
        return Answer{200, packed("{'skipped':[],'total':0}")};
    }
    const QByteArray all = QByteArray::number(bulkJobs + bulkLeft), done = QByteArray::number(m_bulkDone);
    const QByteArray operation = "{'operation':'op-1','action':'" + m_bulkAction + "','state':'" + m_bulkState + "','view':'view-1'"
        + ",'count':" + all + ",'position':" + done + ",'jobs':" + QByteArray::number(bulkJobs) + ",'done':" + done
        + ",'skipped':0,'skipped_by':[],'by':'ken','reason':'the vendor is back','started_at':'" + isoTime(Clock::machine_ms()) + "'"
        + (m_bulkState == "running" ? QByteArray() : ",'ended_at':'" + isoTime(Clock::machine_ms()) + "'") + ",'undoable':"
        + (m_bulkState == "done" && m_bulkAction == "retry" ? "true" : "false") + '}';
    if (request.path == "/v1/operations" && request.method == "GET")
        return Answer{200, packed("{'operations':[" + operation + "]}")};
    return Answer{200, packed(operation)};
}

std::optional<ScriptedMaster::Answer> WindowFixture::answer(const ScriptedMaster::Request &sent)
{
    const ScriptedMaster::Request request = asGet(sent);
    std::optional<ScriptedMaster::Answer> made = guard ? guard(request) : std::nullopt;
    if (!made)
        made = given(request);
    if (made)
        made->fields += fields;
    return made;
}

std::optional<ScriptedMaster::Answer> WindowFixture::given(const ScriptedMaster::Request &request)
{
    using Answer = ScriptedMaster::Answer;
    if (voice == Voice::Silent)
        return {};
    if (answers.contains(request.path))
        return answers.value(request.path)(request);
    if (instead.contains(request.path))
        return instead.value(request.path);
    if (request.path.startsWith("/v1/operations")) {
        if (const auto bulk = answerBulk(request))
            return bulk;
    }
    if (request.path == "/v1/overview")
        return Answer{200, encodeOverview()};
    if (request.path == "/v1/jobs" && request.method == "POST")
        return Answer{201, MsgpackWriter().map(2).text("id").text(enqueued.text()).text("state").text("ready").take()};
    if (request.path == "/v1/jobs")
        return Answer{200, encodeList(request)};
    if (request.path == "/v1/names") {
        MsgpackWriter writer;
        writer.map(1).text("names").array(1).map(3).text("name").text("job.1").text("ready").integer(7);
        return Answer{200, writer.text("totals").map(1).text("enqueued").integer(9).take()};
    }
    if (request.path == "/readyz")
        return Answer{200, "ready", "text/plain"};
    if (request.path.endsWith("/tracked"))
        return Answer{200, MsgpackWriter().map(1).text("done").boolean(true).take()};
    if (request.path.endsWith("/retry") || request.path.endsWith("/restore") || request.method == "DELETE")
        return Answer{200, MsgpackWriter().map(1).text("state").text("ready").take()};
    if (request.path.endsWith("/cancel"))
        return Answer{200, MsgpackWriter().map(1).text("state").text("cancelled").take()};
    if (request.path.endsWith("/result"))
        return Answer{200, outcome.isEmpty() ? QByteArray("\xc0") : outcome};
    for (const Job &job : std::as_const(jobs)) {
        if (request.path == "/v1/jobs/" + job.id.text())
            return Answer{200, encodeJob(job)};
    }
    return Answer{404, problem(404, "not_found", "There is no such job.")};
}

} // namespace junban::test
