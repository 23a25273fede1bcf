#include "core/access/auditentry.h"
#include "core/limits.h"
#include "core/msgpack/json.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;

// What an entry of the audit keeps, and what it does not.
class TestAuditEntry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void argumentsAndResultsAreTakenOutAtAnyDepth()
    {
        const QByteArray kept = without("{\"name\":\"n\",\"argument\":{\"secret\":1},"
                                        "\"then\":[{\"argument\":[1],\"name\":\"m\",\"then\":[{\"argument\":2,\"tags\":[\"a\"]}]}],"
                                        "\"result\":{\"$map\":[[1,2]]},\"error\":7,\"callback\":{\"argument\":null,\"name\":\"c\"}}");
        QCOMPARE(kept, QByteArray("{\"name\":\"n\",\"then\":[{\"name\":\"m\",\"then\":[{\"tags\":[\"a\"]}]}],"
                                  "\"callback\":{\"name\":\"c\"}}"));
        QCOMPARE(without("[1,\"argument\"]"), QByteArray("[1,\"argument\"]"));
    }
    void onlyWhatChangedIsKeptOfBoth()
    {
        const AuditEntry fit = fitted("{\"limit\":2,\"mode\":\"hold\",\"by\":[\"a\"],\"gone\":1}",
            "{\"by\":[\"a\"],\"limit\":8,\"mode\":\"hold\",\"new\":true}");
        QCOMPARE(json::fromMsgpack(fit.before), QByteArray("{\"limit\":2,\"gone\":1}"));
        QCOMPARE(json::fromMsgpack(fit.after), QByteArray("{\"limit\":8,\"new\":true}"));
        QCOMPARE(json::fromMsgpack(fitted("", "{\"limit\":8}").after), QByteArray("{\"limit\":8}"));
        QVERIFY(fitted("", "{\"limit\":8}").before.isEmpty());
    }
    void aTokenIsCoveredWhereverItStands()
    {
        const QByteArray token = makeTokenText();
        AuditEntry entry{1, "ada", "note " + token};
        entry.target = token;
        entry.reason = "because " + token + " is lost; jt_short is none";
        entry.after = *json::toMsgpack("{\"title\":\"x " + token + "\",\"a\":[\"" + token + "\"]}");
        const AuditEntry fit = fitForAudit(entry);
        const QByteArray line = json::fromMsgpack(pack(auditEntryTable, fit));
        QVERIFY(!line.contains(token.sliced(3)));
        QVERIFY(line.contains("jt_short"));
        QCOMPARE(fit.target, "jt_" + QByteArray(token.size() - 3, '*'));
        QVERIFY(line.contains("\"title\":\"x jt_***"));
    }
    void everythingIsBounded()
    {
        const QByteArray longText(limits::audit_text_bytes_max + 100, 'x');
        AuditEntry entry{1, longText, longText, longText, {}, longText, longText, longText};
        entry.before = *json::toMsgpack("{\"title\":\"" + QByteArray(limits::audit_value_bytes_max, 'y') + "\"}");
        const qsizetype size = entry.before.size();
        const AuditEntry fit = fitForAudit(entry);
        for (const QByteArray &text : {fit.actor, fit.note, fit.address, fit.action, fit.target, fit.reason})
            QCOMPARE(text.size(), limits::audit_text_bytes_max);
        QCOMPARE(json::fromMsgpack(fit.before), "{\"truncated\":true,\"size\":" + QByteArray::number(size) + '}');
        entry.reason = "two\nlines";
        QVERIFY(!fitForAudit(entry).reason.contains('\n'));
    }

private:
    static QByteArray without(const QByteArray &json) { return json::fromMsgpack(withoutPayloads(*json::toMsgpack(json))); }
    static AuditEntry fitted(const QByteArray &before, const QByteArray &after)
    {
        AuditEntry entry{1, "ada"};
        entry.before = before.isEmpty() ? QByteArray() : *json::toMsgpack(before);
        entry.after = after.isEmpty() ? QByteArray() : *json::toMsgpack(after);
        return fitForAudit(entry);
    }
};

JUNBAN_TEST(TestAuditEntry)
#include "test_auditentry.moc"
