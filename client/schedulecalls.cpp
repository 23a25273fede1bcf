#include "client/schedulecalls.h"

#include "core/jobs/jobfields.h"
#include "core/msgpack/mapwriter.h"

namespace junban::client {

namespace {

template<typename Take>
void eachPair(QByteArrayView map, Take take)
{
    Decoder in(Decoder::Of::Answer);
    if (const std::optional<PackedValue> root = in.root(map))
        in.map(*root, [&](QByteArrayView key, const PackedValue &value) {
            take(key, value.raw());
            return true;
        });
}

// The fields that a form shows come from `job`, the others from `body`.
QByteArray jobLike(const JobSpec &job, QByteArrayView body)
{
    static constexpr const char *formFields[] = {"name", "argument", "priority", "max_retry", "timeout", "keep_result", "tags"};
    const auto isFormField = [](QByteArrayView key) {
        return std::any_of(std::begin(formFields), std::end(formFields), [&](const char *name) { return key == name; });
    };
    MapWriter map;
    eachPair(pack(newJobTable, job, Written::Sparse), [&](QByteArrayView key, QByteArrayView value) {
        if (isFormField(key))
            map.raw(key, value);
    });
    eachPair(body, [&](QByteArrayView key, QByteArrayView value) {
        if (!isFormField(key))
            map.raw(key, value);
    });
    return map.take();
}

} // namespace

QByteArray ScheduleCalls::saved(const ScheduleSpec &spec)
{
    ScheduleBody body{spec};
    body.spec.jobBody = jobLike(spec.job, spec.jobBody);
    return pack(newScheduleTable, body);
}

} // namespace junban::client
