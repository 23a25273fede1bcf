#include "core/limits/classifier.h"

#include "core/limits.h"
#include "core/limits/matcherset.h"
#include "core/msgpack/msgpackwriter.h"

#include <QCryptographicHash>
#include <algorithm>
#include <tuple>

namespace junban {

QByteArray bucketId(const CarriedBucket &bucket)
{
    const QByteArray &told = bucket.identity.isEmpty() ? bucket.key : bucket.identity;
    return QByteArray::number(bucket.constraint) + '.' + QCryptographicHash::hash(told, QCryptographicHash::Sha256).first(12).toHex();
}

ReadJob readBy(const Classifier *classifier, const JobSpec &spec)
{
    if (!classifier)
        return {{}, spec};
    JobSpec pushed = asPushed(spec);
    Reading reading = classifier->read(pushed);
    return {std::move(reading.buckets), withSet(std::move(pushed), reading.set)};
}

QByteArray packBuckets(QList<CarriedBucket> buckets)
{
    if (buckets.isEmpty())
        return {};
    if (buckets.size() > limits::job_buckets_max)
        buckets = {{0, {}, 1}};
    std::sort(buckets.begin(), buckets.end(), [](const CarriedBucket &a, const CarriedBucket &b) {
        return std::tie(a.constraint, a.key, a.identity) < std::tie(b.constraint, b.key, b.identity);
    });
    MsgpackWriter writer;
    writer.array(3 * buckets.size());
    for (const CarriedBucket &bucket : std::as_const(buckets))
        writer.text(bucketId(bucket)).integer(bucket.cost).text(bucket.key);
    return writer.take();
}

} // namespace junban
