#include "core/limits.h"
#include "core/msgpack/fieldtable.h"
#include "core/msgpack/msgpackwriter.h"
#include "tests/support/testmain.h"

#include <QRandomGenerator>
#include <QTest>

using namespace junban;

namespace {

struct Leaf {
    QByteArray name;
    QByteArray value = payload::nil;
    qint64 number = 0;
    bool operator==(const Leaf &) const = default;
};
constexpr Field leafFields[] = {
    field::name<&Leaf::name>("name", 20).needed(),
    field::any<&Leaf::value>("value", 40),
    field::integer<&Leaf::number>("number", 0, 1'000),
};
constinit const TableOf<Leaf> leafTable{nullptr, leafFields};

struct Tree {
    QList<Leaf> leaves;
    QList<Result<Leaf>> alone;
    Leaf one;
    QByteArray text;
};
constexpr Field treeFields[] = {
    field::list<&Tree::leaves>("leaves", leafTable).atMost(5),
    field::batch<&Tree::alone>("alone", leafTable).atMost(5),
    field::object<&Tree::one>("one", leafTable),
    field::text<&Tree::text>("text", 20),
};
constinit const TableOf<Tree> treeTable{nullptr, treeFields};

void putLeaf(MsgpackWriter &out, const char *name, int number)
{
    out.map(3).text("name").text(name).text("value").map(2).text("a").array(2).integer(1).nil().text("b").map(0);
    out.text("number").integer(number);
}

QByteArray goodBody()
{
    MsgpackWriter out;
    out.map(4).text("leaves").array(2);
    putLeaf(out, "first", 1);
    putLeaf(out, "second", 2);
    out.text("alone").array(3);
    putLeaf(out, "third", 3);
    putLeaf(out, "", 4); // an item that fails alone
    putLeaf(out, "fifth", 5);
    out.text("one");
    putLeaf(out, "sixth", 6);
    out.text("text").text("end");
    return out.take();
}

QByteArray shown(const Error &error)
{
    return error.field + ": " + error.message();
}

// All that was read, or the error.
QByteArray shown(bool ok, const Decoder &in, const Tree &tree)
{
    if (!ok)
        return in.failed() ? shown(in.error()) : QByteArray("nothing");
    QByteArray text = tree.text + ' ';
    const auto put = [&text](const Leaf &leaf) {
        text += '[' + leaf.name + ' ' + leaf.value.toHex() + ' ' + QByteArray::number(leaf.number) + ']';
    };
    for (const Leaf &leaf : tree.leaves)
        put(leaf);
    for (const Result<Leaf> &leaf : tree.alone) {
        if (leaf.ok())
            put(*leaf);
        else
            text += shown(leaf.error());
    }
    put(tree.one);
    return text;
}

QByteArray readInOneWalk(QByteArrayView body, Decoder::Of of)
{
    Decoder in(of);
    Tree tree;
    return shown(in.whole(body, [&](const PackedValue &root) { return readFields(in, root, treeTable, &tree); }), in, tree);
}

// The body is walked over first, so that where everything ends is known, or that it is malformed.
QByteArray readInTwoWalks(QByteArrayView body, Decoder::Of of)
{
    Decoder in(of);
    Tree tree;
    const std::optional<PackedValue> root = in.root(body);
    return shown(root && readFields(in, *root, treeTable, &tree), in, tree);
}

} // namespace

// How bodies are read by a table.
class TestDecoder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aWholeBodyIsRead()
    {
        const QByteArray value = "82a16192" "01c0" "a16280";
        const QByteArray read = readInOneWalk(goodBody(), Decoder::Of::Request);
        QVERIFY2(read.startsWith("end [first " + value + " 1][second " + value + " 2][third " + value + " 3]alone[1].name: "), read);
        QVERIFY2(read.endsWith("[fifth " + value + " 5][sixth " + value + " 6]"), read);
    }

    // Also when something else is wrong with it, before the place where it breaks off.
    void whatIsCutShortIsMalformed()
    {
        const QByteArray body = goodBody();
        for (const Decoder::Of of : {Decoder::Of::Request, Decoder::Of::Answer}) {
            const QByteArray malformed = readInOneWalk("\xc1", of);
            QVERIFY(malformed.size() > 2);
            QByteArray wrong = body;
            wrong.replace("leaves", "LEAVES");
            for (const QByteArray &each : {body, wrong}) {
                for (qsizetype size = 0; size < each.size(); ++size)
                    QCOMPARE(readInOneWalk(each.first(size), of), malformed);
                QCOMPARE(readInOneWalk(each + '\0', of), malformed);
            }
        }
    }

    void oneWalkReadsAsTwoDo()
    {
        QRandomGenerator random(QRandomGenerator::global()->generate());
        const QByteArray good = goodBody();
        for (int i = 0; i < 2'000; ++i) {
            QByteArray body = good;
            for (int changes = 1 + random.bounded(3); changes > 0; --changes)
                body[random.bounded(int(body.size()))] = char(random.bounded(256));
            for (const Decoder::Of of : {Decoder::Of::Request, Decoder::Of::Answer, Decoder::Of::Stored})
                QVERIFY2(readInOneWalk(body, of) == readInTwoWalks(body, of), body.toHex());
        }
    }

    void anAnswerMayHaveWhatNobodyReads()
    {
        MsgpackWriter out;
        out.map(6).text("new").map(1).text("x").array(2).nil().map(0);
        out.array(2).integer(1).integer(2).text("behind a key that is no text");
        out.integer(7).array(1).nil();
        out.text("leaves").array(1).map(2).text("name").text("a").text("new").array(1).map(0);
        out.text("one").map(2).text("name").text("b").text("number").map(1).text("no").text("number");
        out.text("text").text("end");
        QCOMPARE(readInOneWalk(out.take(), Decoder::Of::Answer), QByteArray("end [a c0 0][b c0 0]"));
    }

    void aValueIsBoundedByItsOwnBytes()
    {
        const auto read = [](const QByteArray &value) {
            MsgpackWriter out;
            out.map(2).text("one").map(2).text("name").text("a").text("value").raw(value).text("text").text("end");
            return readInOneWalk(out.take(), Decoder::Of::Request);
        };
        QCOMPARE(read(MsgpackWriter().text(QByteArray(38, 'x')).take()), "end [a d926" + QByteArray(38, 'x').toHex() + " 0]");
        QVERIFY(read(MsgpackWriter().text(QByteArray(39, 'x')).take()).startsWith("one.value: "));
        QByteArray deep(limits::msgpack_depth_max + 1, '\x91');
        QVERIFY(read(deep + '\xc0').startsWith("one.value: "));
    }
};

JUNBAN_TEST(TestDecoder)
#include "test_decoder.moc"
