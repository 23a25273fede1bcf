#include "core/classifier.h"

#include "core/limits.h"
#include "core/matcherset.h"
#include "core/msgpackwriter.h"

#include <QCryptographicHash>
#include <algorithm>

namespace junban {

QByteArray bucketId(int constraint, const QByteArray &key)
{
    return QByteArray::number(constraint) + '.' + QCryptographicHash::hash(key, QCryptographicHash::Sha256).first(12).toHex();
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
        return a.constraint != b.constraint ? a.constraint < b.constraint : a.key < b.key;
    });
    MsgpackWriter writer;
    writer.array(3 * buckets.size());
    for (const CarriedBucket &bucket : std::as_const(buckets))
        writer.text(bucketId(bucket.constraint, bucket.key)).integer(bucket.cost).text(bucket.key);
    return writer.take();
}

} // namespace junban
