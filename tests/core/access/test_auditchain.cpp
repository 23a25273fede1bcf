#include "core/access/auditfile.h"
#include "core/msgpack/json.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>

using namespace junban;

// The lines of an audit file: what was done to them is found; and the file over crashes, rotations and several masters.
class TestAuditChain : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        m_path = m_directory->filePath(QStringLiteral("audit"));
    }

    // --- The chain
    void aChainThatNobodyTouchedIsWhole()
    {
        ChainEnd end;
        ChainCheck check;
        QList<QByteArray> lines;
        for (int i = 0; i < 5; ++i) {
            lines.append(chainLine(entry(i), end));
            check.take(QByteArrayView(lines.last()).chopped(1));
        }
        QCOMPARE(check.count(), 0);
        QCOMPARE(check.end(), end);
        QCOMPARE(check.first(), 1);
        QCOMPARE(readChainLine(QByteArrayView(lines[2]).chopped(1))->number, 3);
        const Result<QByteArray> read = json::toMsgpack(QByteArrayView(lines[2]).chopped(1)); // a line is JSON
        QVERIFY(read.ok());
        QVERIFY(lines[2].contains("\"target\":\"t2\""));
    }
    void everyByteThatIsChangedIsFoundWithItsLine()
    {
        QList<QByteArray> lines = chain(3);
        for (qsizetype at = 0; at < lines[1].size(); ++at) {
            QList<QByteArray> changed = lines;
            changed[1][at] = changed[1][at] == '0' ? '1' : '0';
            const QList<QByteArray> faults = faultsOf(changed);
            const bool found = !faults.isEmpty() && (faults.first().startsWith("2 ") || faults.first().startsWith("3 "));
            QVERIFY2(found, lines[1].first(at).constData());
        }
    }
    void aLineThatWasRemovedIsMissed()
    {
        QList<QByteArray> lines = chain(5);
        lines.remove(1, 2);
        QCOMPARE(faultsOf(lines), QList<QByteArray>{"2 does not follow the line before it: 2 lines are missing"});
    }
    void aLineThatWasPutInIsFound()
    {
        QList<QByteArray> lines = chain(5);
        ChainEnd end{3, QByteArray(64, 'a')};
        lines.insert(3, chainLine(entry(9), end).chopped(1));
        const QList<QByteArray> faults = faultsOf(lines);
        QCOMPARE(faults.size(), 3);
        QCOMPARE(faults[0], QByteArray("4 does not follow the line before it: one of the two was changed"));
        QCOMPARE(faults[1], QByteArray("5 is out of order: its number is 4 after 4"));
    }
    void linesThatChangedPlacesAreFound()
    {
        QList<QByteArray> lines = chain(5);
        lines.swapItemsAt(2, 3);
        QCOMPARE(faultsOf(lines), (QList<QByteArray>{"3 does not follow the line before it: 1 line is missing",
                                      "4 is out of order: its number is 3 after 4"}));
    }
    void aLineThatWasMadeAnewBreaksTheNextOne()
    {
        QList<QByteArray> lines = chain(4);
        ChainEnd end{1, readChainLine(lines[0])->hash};
        lines[1] = chainLine(entry(7), end).chopped(1);
        QCOMPARE(faultsOf(lines), QList<QByteArray>{"3 does not follow the line before it: one of the two was changed"});
    }
    void aHashThatWasNotedTellsWhatIsMissingAtTheEnd()
    {
        QList<QByteArray> lines = chain(4);
        const QByteArray third = readChainLine(lines[2])->hash;
        ChainCheck whole(third), cut(third);
        for (const QByteArray &line : std::as_const(lines))
            whole.take(line);
        for (const QByteArray &line : lines.first(2))
            cut.take(line);
        QCOMPARE(whole.found(), 3);
        QCOMPARE(cut.found(), 0);
        QCOMPARE(cut.count(), 0);
    }
    void whatIsNoLineIsTold()
    {
        QList<QByteArray> lines = chain(3);
        lines[1] = "nonsense";
        QCOMPARE(faultsOf(lines), QList<QByteArray>{"2 is no line of an audit"});
        ChainCheck cut;
        cut.take(lines[0].first(20), false);
        QCOMPARE(cut.faults().first().what.text, QByteArray("line 1 is cut short: it has no line end"));
        // A text in an entry that looks like the end of a line ends none.
        ChainEnd end;
        AuditEntry sly = entry(0);
        sly.reason = "\",\"n\":9,\"previous\":\"\",\"hash\":\"\"}";
        QCOMPARE(readChainLine(QByteArrayView(chainLine(sly, end)).chopped(1))->number, 1);
    }

    // --- The file
    void aFileIsForItsOwnerAloneAndGoesOnOverRestarts()
    {
        open()->append(entry(1));
        struct stat about = {};
        for (const char *end : {"", ".chain"}) {
            QCOMPARE(::stat((m_path.toUtf8() + end).constData(), &about), 0);
            QCOMPARE(int(about.st_mode & 0777), 0600);
        }
        const auto again = open();
        again->append(entry(2));
        again->append(entry(3));
        QCOMPARE(check(), QList<QByteArray>());
        QCOMPARE(again->end().number, 3);
        QCOMPARE(::chmod(m_path.toUtf8().constData(), 0640), 0);
        m_path += QStringLiteral("2");
        QFile other(m_path);
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.close();
        QCOMPARE(::chmod(m_path.toUtf8().constData(), 0640), 0);
        QVERIFY(AuditFile::open(m_path, 1).error().message().contains("0600"));
    }
    void aSecondWriterIsRefused()
    {
        const auto first = open();
        const auto second = AuditFile::open(m_path, 1);
        QVERIFY(!second.ok());
        QCOMPARE(second.error().field, QByteArray("audit-file"));
        QVERIFY(second.error().message().contains("another master"));
    }
    void whatIsNoAuditIsLeftAlone()
    {
        write("root:x:0:0\nno end of line");
        QVERIFY(AuditFile::open(m_path, 1).error().message().contains("is no audit"));
        QCOMPARE(content(), QByteArray("root:x:0:0\nno end of line"));
    }
    void aLineThatACrashCutIsTakenOutAndSaid()
    {
        fill(3);
        const QByteArray whole = content();
        const qsizetype second = whole.indexOf('\n', whole.indexOf('\n') + 1) + 1;
        for (const qsizetype size : {second + 1, second + 40, whole.size() - 2, whole.size() - 1}) {
            write(whole.first(size));
            QVERIFY(QFile::remove(m_path + QStringLiteral(".chain")));
            QFile chain(m_path + QStringLiteral(".chain")); // as it was before the line that was cut
            QVERIFY(chain.open(QIODevice::WriteOnly));
            chain.write("2 " + readChainLine(whole.sliced(whole.indexOf('\n') + 1, second - whole.indexOf('\n') - 2))->hash);
            chain.close();
            QCOMPARE(::chmod(chain.fileName().toUtf8().constData(), 0600), 0);
            const bool isWhole = size == whole.size() - 1; // only the line end is missing
            if (!isWhole)
                QTest::ignoreMessage(QtCriticalMsg, QRegularExpression(QStringLiteral("was not written to its end")));
            open()->append(entry(4));
            QCOMPARE(check(), QList<QByteArray>());
            QCOMPARE(content().contains("cutAuditLine"), !isWhole);
            QCOMPARE(content().count('\n'), 4);
        }
    }
    void linesThatAreMissingAtTheEndAreSaid()
    {
        fill(4);
        const QByteArray whole = content();
        write(whole.first(whole.indexOf('\n') + 1));
        QTest::ignoreMessage(QtCriticalMsg, QRegularExpression(QStringLiteral("3 lines are missing at the end")));
        QCOMPARE(open()->end().number, 5);
        QCOMPARE(check(), QList<QByteArray>{"2 does not follow the line before it: 3 lines are missing"});
        QVERIFY(content().contains("\"action\":\"missedAuditLines\",\"target\":\"\",\"after\":{\"lines\":3}"));
    }
    void theChainGoesOnInANewFileWhenTheOldOneIsMovedAway()
    {
        const QString old = m_path + QStringLiteral(".1");
        const auto file = open();
        file->append(entry(1));
        QVERIFY(QFile::rename(m_path, old));
        file->append(entry(2)); // while it is open
        QCOMPARE(content().count('\n'), 1);
        ChainCheck both;
        for (const QString &path : {old, m_path})
            take(path, both);
        QCOMPARE(both.count(), 0);
        QCOMPARE(both.end(), file->end());
    }
    void theChainGoesOnAfterARotationBetweenTwoRuns()
    {
        fill(2);
        QVERIFY(QFile::remove(m_path));
        open()->append(entry(3));
        ChainCheck alone;
        take(m_path, alone);
        QCOMPARE(alone.count(), 0);
        QCOMPARE(alone.first(), 3);
    }
    void whatCannotBeWrittenIsCountedAndToldAfterwards()
    {
        const auto file = open();
        file->append(entry(1));
        const QString away = m_directory->filePath(QStringLiteral("away"));
        QVERIFY(QFile::rename(m_path, away));
        QVERIFY(QDir(m_directory->path()).mkdir(QStringLiteral("audit"))); // where a file cannot be opened
        for (int i = 0; i < 2; ++i) {
            if (i == 0)
                QTest::ignoreMessage(QtCriticalMsg, QRegularExpression(QStringLiteral("cannot be written")));
            file->append(entry(2));
        }
        QVERIFY(QDir(m_directory->path()).rmdir(QStringLiteral("audit")));
        QVERIFY(QFile::rename(away, m_path));
        file->append(entry(3));
        QCOMPARE(check(), QList<QByteArray>());
        QVERIFY(content().contains("\"action\":\"lostAuditEntries\",\"target\":\"\",\"after\":{\"entries\":2}"));
    }

private:
    static AuditEntry entry(int i)
    {
        AuditEntry made{1'000 + i, "ada"};
        made.roles = {Role::Operator};
        made.action = "retryJob";
        made.target = "t" + QByteArray::number(i);
        made.result = 200;
        return made;
    }
    // Without their line ends.
    static QList<QByteArray> chain(int count)
    {
        ChainEnd end;
        QList<QByteArray> lines;
        for (int i = 0; i < count; ++i)
            lines.append(chainLine(entry(i), end).chopped(1));
        return lines;
    }
    static QList<QByteArray> faultsOf(const ChainCheck &check)
    {
        QList<QByteArray> faults;
        for (const ChainCheck::Fault &fault : check.faults())
            faults.append(fault.what.text.mid(5)); // behind "line "
        return faults;
    }
    static QList<QByteArray> faultsOf(const QList<QByteArray> &lines)
    {
        ChainCheck check;
        for (const QByteArray &line : lines)
            check.take(line);
        return faultsOf(check);
    }
    std::shared_ptr<AuditFile> open() { return AuditFile::open(m_path, 1'000).value(); }
    void fill(int count)
    {
        const auto file = open();
        for (int i = 0; i < count; ++i)
            file->append(entry(i));
    }
    QByteArray content()
    {
        QFile file(m_path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("none");
    }
    void write(const QByteArray &text)
    {
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        QCOMPARE(::chmod(m_path.toUtf8().constData(), 0600), 0);
    }
    static void take(const QString &path, ChainCheck &check)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        while (!file.atEnd()) {
            const QByteArray line = file.readLine();
            check.take(QByteArrayView(line).chopped(1), line.endsWith('\n'));
        }
    }
    QList<QByteArray> check()
    {
        ChainCheck check;
        take(m_path, check);
        return faultsOf(check);
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    QString m_path;
};

JUNBAN_TEST(TestAuditChain)
#include "test_auditchain.moc"
