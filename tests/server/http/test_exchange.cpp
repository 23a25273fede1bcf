#include "server/http/exchange.h"
#include "server/http/exchangestate.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban::http;

// What an Exchange promises, with a sink of the test's own in place of a connection.
class TestExchange : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anAnswerGoesToTheSinkOnce();
    void aDroppedExchangeIsTold();
    void aCopyKeepsTheExchange();
    void whenTheClientIsGoneTheHandlerIsToldOnce();
    void aLaterHandlerReplacesTheEarlier();
    void aDetachedExchangeTellsNobody();
    void aHandlerThatHoldsItsExchangeDoesNotKeepItForEver();
    void aHandlerMayDropTheLastCopy();
    void theFirstFieldOfANameIsGiven();
};

namespace {

struct Sink final : AnswerSink {
    bool answer(quint64 sequence, Response response) override
    {
        answers.append({sequence, std::move(response.body)});
        return takes;
    }
    void dropped(quint64 sequence) override { drops.append(sequence); }

    bool takes = true;
    QList<QPair<quint64, QByteArray>> answers;
    QList<quint64> drops;
};

} // namespace

void TestExchange::anAnswerGoesToTheSinkOnce()
{
    Sink sink;
    {
        const Exchange exchange(std::make_shared<ExchangeState>(Request(), &sink, 7));
        QVERIFY(exchange.alive());
        QVERIFY(exchange.reply({200, {}, "body"}));
        QVERIFY(!exchange.alive());
    }
    QCOMPARE(sink.answers, (QList<QPair<quint64, QByteArray>>{{7, "body"}}));
    QVERIFY(sink.drops.isEmpty());
    sink.takes = false;
    QVERIFY(!Exchange(std::make_shared<ExchangeState>(Request(), &sink, 8)).reply({}));
}

void TestExchange::aDroppedExchangeIsTold()
{
    Sink sink;
    std::make_shared<ExchangeState>(Request(), &sink, 7).reset();
    QCOMPARE(sink.drops, QList<quint64>{7});
}

void TestExchange::aCopyKeepsTheExchange()
{
    Sink sink;
    {
        QList<Exchange> kept;
        {
            const Exchange exchange(std::make_shared<ExchangeState>(Request(), &sink, 7));
            kept.append(exchange);
        }
        QVERIFY(sink.drops.isEmpty());
        QVERIFY(kept[0].reply({}));
    }
    QVERIFY(sink.drops.isEmpty());
}

void TestExchange::whenTheClientIsGoneTheHandlerIsToldOnce()
{
    Sink sink;
    const auto state = std::make_shared<ExchangeState>(Request(), &sink, 7);
    const Exchange exchange(state);
    int told = 0;
    exchange.onGone([&] { ++told; });
    state->gone();
    state->gone();
    QCOMPARE(told, 1);
    QVERIFY(!exchange.alive());
    exchange.onGone([&] { ++told; });
    state->gone();
    QCOMPARE(told, 1);
    QVERIFY(!exchange.reply({}));
    QVERIFY(sink.answers.isEmpty());
}

void TestExchange::aLaterHandlerReplacesTheEarlier()
{
    Sink sink;
    const auto state = std::make_shared<ExchangeState>(Request(), &sink, 7);
    const Exchange exchange(state);
    QByteArray told;
    exchange.onGone([&] { told += 'a'; });
    exchange.onGone([&] { told += 'b'; });
    state->gone();
    QCOMPARE(told, "b");
}

void TestExchange::aDetachedExchangeTellsNobody()
{
    Sink sink;
    int told = 0;
    {
        const auto state = std::make_shared<ExchangeState>(Request(), &sink, 7);
        const Exchange exchange(state);
        exchange.onGone([&] { ++told; });
        state->detach();
        QVERIFY(!exchange.alive());
        QVERIFY(!exchange.reply({}));
    }
    QCOMPARE(told, 0);
    QVERIFY(sink.answers.isEmpty() && sink.drops.isEmpty());
}

void TestExchange::aHandlerThatHoldsItsExchangeDoesNotKeepItForEver()
{
    Sink sink;
    for (const int end : {0, 1, 2}) {
        std::weak_ptr<ExchangeState> watch;
        {
            auto state = std::make_shared<ExchangeState>(Request(), &sink, 7);
            watch = state;
            const Exchange exchange(state);
            exchange.onGone([exchange] { Q_UNUSED(exchange) });
            if (end == 0)
                exchange.reply({});
            else if (end == 1)
                state->gone();
            else
                state->detach();
        }
        QVERIFY2(watch.expired(), QByteArray::number(end));
    }
}

void TestExchange::aHandlerMayDropTheLastCopy()
{
    Sink sink;
    QList<Exchange> kept = {Exchange(std::make_shared<ExchangeState>(Request(), &sink, 7))};
    ExchangeState *state = nullptr;
    {
        auto shared = std::make_shared<ExchangeState>(Request(), &sink, 8);
        state = shared.get();
        kept = {Exchange(std::move(shared))};
    }
    kept[0].onGone([&] { kept.clear(); });
    state->gone();
    QVERIFY(kept.isEmpty());
    QCOMPARE(sink.drops, QList<quint64>{7});
}

void TestExchange::theFirstFieldOfANameIsGiven()
{
    Request request;
    request.fields = {{"a", "1"}, {"b", "2"}, {"a", "3"}};
    QCOMPARE(request.field("a"), "1");
    QCOMPARE(request.field("b"), "2");
    QVERIFY(request.field("c").isEmpty());
}

JUNBAN_TEST(TestExchange)
#include "test_exchange.moc"
