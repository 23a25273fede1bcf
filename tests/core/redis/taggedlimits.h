#pragma once

#include "core/limits/classifier.h"
#include "core/msgpack/msgpackwriter.h"

#include <QCoreApplication>

namespace junban::test {

// A job carries what its tags say: "<constraint>:<key>".
class Tags : public Classifier
{
public:
    qint64 epoch() const override { return m_epoch; }
    QList<CarriedBucket> buckets(const JobSpec &spec) const override
    {
        QList<CarriedBucket> carried;
        for (const QByteArray &tag : blind ? QList<QByteArray>() : spec.tags)
            carried.append({tag.first(1).toInt(), tag.sliced(2), 1});
        return carried;
    }
    void reload(Callback<Done> callback) override
    {
        m_epoch = inForce;
        QMetaObject::invokeMethod(qApp, [callback] { callback(Done{}); }, Qt::QueuedConnection);
    }
    void forget()
    {
        m_epoch = 0;
        blind = false;
    }
    bool blind = false;
    qint64 inForce = 0;

private:
    qint64 m_epoch = 0;
};

inline QByteArray concurrency(int limit)
{
    MsgpackWriter writer;
    return writer.map(3).text("k").text("concurrency").text("m").text("enforce").text("l").integer(limit).take();
}

inline QByteArray sliding()
{
    MsgpackWriter writer;
    writer.map(6).text("k").text("rate").text("m").text("enforce").text("l").integer(1).text("p").integer(60'000);
    return writer.text("b").integer(1).text("a").text("sliding").take();
}

inline QByteArray share()
{
    MsgpackWriter writer;
    writer.map(5).text("k").text("share").text("m").text("enforce").text("cap").integer(10).text("bo").boolean(true);
    return writer.text("df").map(1).text("mn").integer(2).take();
}

inline QByteArray backlog()
{
    MsgpackWriter writer;
    return writer.map(4).text("k").text("backlog").text("m").text("enforce").text("mr").integer(100).text("ov").text("reject").take();
}

inline QByteArray fair()
{
    MsgpackWriter writer;
    return writer.map(2).text("k").text("fair").text("m").text("enforce").take();
}

inline QByteArray breaker()
{
    MsgpackWriter writer;
    writer.map(9).text("k").text("breaker").text("m").text("enforce").text("w").integer(60'000).text("ms").integer(2);
    writer.text("fr").real(0.5).text("of").integer(1000).text("fa").integer(2).text("mo").integer(4000).text("pr").integer(1);
    return writer.take();
}

// Open for a while, then closed for ever; what runs is told to stop.
inline QByteArray window()
{
    MsgpackWriter writer;
    writer.map(4).text("k").text("window").text("m").text("enforce").text("oc").boolean(true);
    return writer.text("bd").array(2).integer(1'749'999'999'000).integer(1'750'000'050'000).take();
}

} // namespace junban::test
