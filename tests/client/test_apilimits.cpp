#include "client/apiclient.h"
#include "core/base/isotime.h"
#include "core/msgpack/json.h"
#include "core/msgpack/msgpackwriter.h"
#include "tests/support/await.h"
#include "tests/support/scriptedmaster.h"
#include "tests/support/sentence.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::client;
using junban::test::await;
using junban::test::ScriptedMaster;

namespace {

const JobId anId = *JobId::fromText("0193f2a1-7c00-7abc-8def-0123456789ab");

QByteArray packed(const QByteArray &json)
{
    return *json::toMsgpack(json);
}

} // namespace

// What the client asks of matchers and constraints, and what it makes of the answers.
class TestApiLimits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_master = std::make_unique<ScriptedMaster>();
        QVERIFY(m_master->listen());
        m_client = std::make_unique<ApiClient>(ApiClient::Options{.url = m_master->url(), .token = "secret", .deadline_ms = 5'000});
    }

    void aPreviewIsReadWhole()
    {
        answerWith(200, R"({"names": {"class": "prefixes", "names": ["a"], "prefixes": ["b."]},
            "states": [{"state": "running", "matched": 1, "scanned": 2, "total": 3, "complete": false}],
            "samples": [{"id": "0193f2a1-7c00-7abc-8def-0123456789ab", "name": "a", "state": "failed"}],
            "newly_matched": [{"id": "0193f2a1-7c00-7abc-8def-0123456789ab", "name": "b", "state": "ready"}], "no_longer_matched": [],
            "newly_matched_count": 11, "no_longer_matched_count": 12,
            "keys": [{"kind": "rate", "distinct": 2, "top": [{"key": "7", "jobs": 5}]}],
            "faults": [{"cause": "wrong_type", "jobs": 4, "sample": "0193f2a1-7c00-7abc-8def-0123456789ab"}],
            "overlaps": [{"matcher": "other", "jobs": 6}],
            "replay": {"starts": 9, "delayed": 8, "mean_delay": 1.5, "max_delay": 2.5, "complete": false},
            "arrivals": {"per_second": 0.25, "growth": 0.125}, "drain": {"before": 3.5, "after": 4.5}, "later": "and unknown"})");
        const auto answer = await<Checked<MatcherPreview>>([&](auto callback) { m_client->previewMatcher({}, callback); });
        QVERIFY(answer.ok() && answer->value);
        const MatcherPreview &preview = *answer->value;
        QCOMPARE(preview.names.word, QByteArray("prefixes"));
        QCOMPARE(preview.names.prefixes, QList<QByteArray>{"b."});
        const PreviewCount &count = preview.states.first();
        QVERIFY(count.state == JobState::Running && !count.complete);
        QCOMPARE((QList<qint64>{count.matched, count.scanned, count.total}), (QList<qint64>{1, 2, 3}));
        QVERIFY(preview.samples.first().id == anId && preview.samples.first().state == JobState::Failed);
        QCOMPARE(preview.newlyMatched.first().name, QByteArray("b"));
        QVERIFY(preview.newlyMatchedCount == 11 && preview.noLongerMatchedCount == 12);
        QVERIFY(preview.keys.first().kind == "rate" && preview.keys.first().distinct == 2);
        QVERIFY(preview.keys.first().top.first().what == "7" && preview.keys.first().top.first().jobs == 5);
        QVERIFY(preview.faults.first().what == "wrong_type" && preview.faults.first().jobs == 4 && preview.faults.first().sample == anId);
        QVERIFY(preview.overlaps.first().what == "other" && preview.overlaps.first().jobs == 6);
        QVERIFY(preview.replay.starts == 9 && preview.replay.delayed == 8 && !preview.replay.complete);
        QVERIFY(preview.replay.meanDelay_s == 1.5 && preview.replay.maxDelay_s == 2.5);
        QVERIFY(preview.arrivals.perSecond == 0.25 && preview.arrivals.growth == 0.125);
        QVERIFY(preview.drain && preview.drain->before_s == 3.5 && preview.drain->after_s == 4.5);
        QVERIFY(!preview.test);
    }

    void whatIsWrongWithExpressionsIsAnAnswer()
    {
        const QByteArray problem = R"({"type": "about:blank", "title": "T", "status": 422, "code": "invalid_expression", "detail": "d")";
        answerWith(422, problem + R"(, "field": "expression", "errors": [
            {"field": "constraints[0].cost", "line": 2, "column": 3, "length": 4, "message": "No."}]})");
        const auto preview = [&] { return await<Checked<MatcherPreview>>([&](auto callback) { m_client->previewMatcher({}, callback); }); };
        const auto wrong = preview();
        QVERIFY(wrong.ok() && !wrong->value);
        QCOMPARE(wrong->problems.size(), 1);
        QCOMPARE(wrong->problems.first().field, QByteArray("constraints[0].cost"));
        QCOMPARE(wrong->problems.first().problem, (cel::Problem{2, 3, 0, 4, sentence("No.")}));
        answerWith(422, problem + '}'); // of something else than an expression
        QCOMPARE(preview().error().message(), QByteArray("d"));
    }

    void anExpressionIsTriedOnAJobThatIsThere()
    {
        answerWith(200, R"({"names": {"class": "any"}, "states": [], "samples": [], "newly_matched": [], "no_longer_matched": [],
            "newly_matched_count": 0, "no_longer_matched_count": 0, "keys": [], "faults": [], "overlaps": [],
            "test": {"matches": false, "fault": "There is no field.", "complete": false, "terms": [
                {"line": 2, "column": 3, "length": 4, "text": "a", "result": true, "reads": []},
                {"line": 2, "column": 9, "length": 4, "text": "b", "result": "There is no field.", "reads":
                    [{"text": "job.argument.b", "type": "int", "value": "7", "expected": "string"}]}]}})");
        PreviewQuery query{{}, "true", {}, {}, TestedJob{anId, {}}};
        const auto answer = await<Checked<MatcherPreview>>([&](auto callback) { m_client->previewMatcher(query, callback); });
        QVERIFY(answer.ok() && answer->value && answer->value->test);
        const TestedTerms &tried = *answer->value->test;
        QVERIFY(!tried.matches && !tried.complete);
        QCOMPARE(tried.fault.text, QByteArray("There is no field."));
        QCOMPARE(tried.terms.size(), 2);
        QVERIFY(tried.terms[0].holds && tried.terms[0].place.message().isEmpty());
        QVERIFY(!tried.terms[1].holds);
        QCOMPARE(tried.terms[1].place.message(), tried.fault.text);
        QCOMPARE(tried.terms[1].place.column, 9);
        QCOMPARE(tried.terms[1].reads.first().expected, QByteArray("string"));
        QCOMPARE(json::fromMsgpack(sent("test")), "{\"job\":\"" + anId.text() + "\"}");
    }

    void anExpressionIsTriedOnAJobThatCouldBePushed()
    {
        answerWith(404, R"({"type": "about:blank", "title": "T", "status": 404, "code": "not_found", "detail": "d", "field": "test.job"})");
        PreviewQuery query{{}, "true", {}, {}, TestedJob{}};
        query.test->spec.name = "mail";
        query.test->spec.argument = packed("[18446744073709551615]");
        query.test->spec.tags = {"hot"};
        const auto answer = await<Checked<MatcherPreview>>([&](auto callback) { m_client->previewMatcher(query, callback); });
        QCOMPARE(answer.error().field, QByteArray("test.job"));
        QCOMPARE(sent("test"), packed(R"({"name": "mail", "argument": [18446744073709551615], "tags": ["hot"]})"));
    }

    void aKeyIsOverriddenByItsNameInThePath()
    {
        answerWith(200, R"({"id": "m", "title": "t", "expression": "true", "note": "", "enabled": true, "rank": 0, "exempts": [],
            "constraints": [], "revision": 8, "edited_at": "2026-01-01T00:00:00.000Z", "edited_by": "ann", "names": {"class": "any"}})");
        const QByteArray fields = packed(R"({"limit": 3})");
        const auto answer = await<SavedMatcher>(
            [&](auto callback) { m_client->overrideBucket("m.rate1", "[\"a/b\",7]", fields, 7, callback); });
        QVERIFY(answer.ok());
        QCOMPARE(answer->matcher.revision, 8);
        const ScriptedMaster::Request &request = m_master->requests().first();
        QCOMPARE(request.method, QByteArray("PUT"));
        QCOMPARE(request.path, QByteArray("/v1/constraints/m.rate1/buckets/%5B%22a%2Fb%22%2C7%5D"));
        QCOMPARE(request.fields.value("if-match"), QByteArray("\"7\""));
        QCOMPARE(request.body, fields);
    }

    void aBreakerIsTrippedAndReset()
    {
        answerWith(200, R"({"buckets": 2, "opens_at": "2026-01-01T00:00:00.500Z"})");
        const auto change = [&](const BreakerQuery &query) {
            return await<BreakerChanged>([&](auto callback) { m_client->changeBreaker("m.breaker1", query, callback); });
        };
        const auto tripped = change({BreakerVerb::Trip, "", 1'500});
        QVERIFY(tripped.ok());
        QCOMPARE(tripped->buckets, 2);
        QCOMPARE(tripped->opensAt_ms, *fromIsoTime("2026-01-01T00:00:00.500Z"));
        QVERIFY(change({BreakerVerb::Reset, {}, 1'500}).ok());
        QCOMPARE(m_master->requests()[0].path, QByteArray("/v1/constraints/m.breaker1/trip"));
        QCOMPARE(m_master->requests()[0].body, packed(R"({"key": "", "open_for": 1.5})")); // the empty text is a key too
        QCOMPARE(m_master->requests()[1].path, QByteArray("/v1/constraints/m.breaker1/reset"));
        QCOMPARE(m_master->requests()[1].body, packed("{}"));
    }

private:
    void answerWith(int status, const QByteArray &json)
    {
        const ScriptedMaster::Answer answer{status, packed(json)};
        m_master->setHandler([answer](const ScriptedMaster::Request &) { return answer; });
    }
    // A field of the first request's body.
    QByteArray sent(const char *name) const
    {
        const payload::Step step{.key = name};
        const auto found = payload::find(m_master->requests().first().body, std::span(&step, 1));
        return found ? found->toByteArray() : QByteArray();
    }

    std::unique_ptr<ScriptedMaster> m_master;
    std::unique_ptr<ApiClient> m_client;
};

JUNBAN_TEST(TestApiLimits)
#include "test_apilimits.moc"
