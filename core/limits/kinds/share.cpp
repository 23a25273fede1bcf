#include "core/limits/kinds/kinds.h"

#include "core/base/reasons/matchers.h"
#include "core/limits/kinds/storedwords.h"
#include "core/msgpack/msgpackwriter.h"

#include <cmath>

namespace junban {

namespace {

using Shares = QList<std::pair<QByteArray, ShareOf>>;

const ShareParameters &shareOf(const void *object)
{
    return *static_cast<const ShareParameters *>(object);
}

bool checkShareOf(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &)
{
    const ShareOf &share = *static_cast<const ShareOf *>(object);
    if (share.percent && (share.min || share.max))
        return in.fail({&value.path, "percent", -1}, reasons::sharePercentOrBounds);
    return !share.min || !share.max || *share.min <= *share.max
        || in.fail({&value.path, "min", -1}, reasons::shareMinAboveMax);
}

constexpr Field shareOfFields[] = {
    field::integer<&ShareOf::min>("min", 0, limits::constraint_limit_max).rare(),
    field::integer<&ShareOf::max>("max", 0, limits::constraint_limit_max).rare(),
    field::number<&ShareOf::percent>("percent", 0, 100).rare(),
};
constexpr TableOf<ShareOf> shareOfTable{"ShareOf", shareOfFields, checkShareOf};
constexpr Field shareOfScript[] = {
    field::integer<&ShareOf::min>(stored::least).rare(),
    field::integer<&ShareOf::max>(stored::most).rare(),
    field::of<&ShareOf::percent, codecs::number>(stored::percent).rare(),
};
constexpr TableOf<ShareOf> shareOfScriptTable{nullptr, shareOfScript};

bool readShares(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    auto &shares = *static_cast<Shares *>(member);
    shares.clear();
    return readKeyed(in, value, limits::share_keys_max, [&](QByteArrayView key, const PackedValue &entry) {
        ShareOf share;
        if (!readFields(in, entry, *field.table, &share))
            return false;
        shares.append({key.toByteArray(), share});
        return true;
    });
}
void writeShares(MsgpackWriter &out, const void *member, const Field &field, Written written)
{
    const auto &shares = *static_cast<const Shares *>(member);
    out.map(shares.size());
    for (const auto &[key, share] : shares)
        writeFields(out.text(key), *field.table, &share, written);
}
constexpr Codec sharesCodec{readShares, writeShares, codecs::same<Shares>, "object"};

bool checkShare(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &)
{
    const ShareParameters &share = shareOf(object);
    qint64 promised = 0;
    for (const auto &[key, of] : share.shares)
        promised += of.percent ? qint64(std::floor(double(share.capacity) * *of.percent / 100)) : of.min.value_or(0);
    return promised <= share.capacity || in.fail({&value.path, "shares", -1}, reasons::sharesAboveCapacity);
}

constexpr Field shareFields[] = {
    field::integer<&ShareParameters::capacity>("capacity", 0, limits::constraint_limit_max).needed(),
    field::boolean<&ShareParameters::borrow>("borrow"),
    field::of<&ShareParameters::shares, sharesCodec>("shares").describedBy(shareOfTable),
    field::object<&ShareParameters::otherwise>("default", shareOfTable).rare(),
};
constexpr Field shareScript[] = {
    field::integer<&ShareParameters::capacity>(stored::capacity),
    field::of<&ShareParameters::shares, sharesCodec>(stored::shares).describedBy(shareOfScriptTable),
    field::object<&ShareParameters::otherwise>(stored::otherwise, shareOfScriptTable),
    field::boolean<&ShareParameters::borrow>(stored::borrow),
};

std::optional<qint64> shareLimit(const void *object, const QByteArray &key)
{
    const ShareParameters &share = shareOf(object);
    ShareOf own = share.otherwise;
    for (const auto &[name, of] : share.shares) {
        if (name == key)
            own = of;
    }
    if (own.max)
        return own.max;
    if (share.borrow)
        return share.capacity;
    if (own.percent)
        return qint64(double(share.capacity) * *own.percent / 100);
    return own.min.value_or(share.capacity);
}

} // namespace

constinit const Kind ShareParameters::kind{
    .word = "share",
    .table = TableOf<ShareParameters>{nullptr, shareFields, checkShare},
    .script = TableOf<ShareParameters>{nullptr, shareScript},
    .by = Kind::By::Needed,
    .gate = 6,
    .brief = true,
    .limit = shareLimit,
};

} // namespace junban
