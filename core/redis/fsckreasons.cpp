#include "core/redis/fsckreasons.h"

#include "core/base/reasonwording.h"

#include <optional>

namespace junban::redis {

namespace {

constexpr QByteArrayView family = "fsck_";

// The texts that stand in the places of the template's values, in their order; nothing when the sentence is another one.
std::optional<QByteArrayList> valuesIn(QByteArrayView sentence, QByteArrayView pattern)
{
    QByteArrayList found;
    for (qsizetype open = pattern.indexOf('{'); open >= 0; open = pattern.indexOf('{')) {
        const qsizetype close = pattern.indexOf('}');
        const QByteArrayView before = pattern.first(open);
        pattern = pattern.sliced(close + 1);
        const qsizetype next = pattern.indexOf('{');
        const QByteArrayView after = next < 0 ? pattern : pattern.first(next);
        if (!sentence.startsWith(before))
            return {};
        sentence = sentence.sliced(before.size());
        const qsizetype end = after.isEmpty() ? sentence.size() : sentence.indexOf(after);
        if (end <= 0)
            return {};
        found.append(sentence.first(end).toByteArray());
        sentence = sentence.sliced(end);
    }
    return sentence == pattern ? std::optional(found) : std::nullopt;
}

} // namespace

Reason fsckReason(QByteArrayView sentence)
{
    for (const ReasonInfo &info : reasonCatalogue()) {
        if (info.code || !QByteArrayView(info.name).startsWith(family))
            continue;
        const std::optional<QByteArrayList> texts = valuesIn(sentence, info.text);
        if (!texts)
            continue;
        std::vector<ReasonValue> values;
        for (qsizetype i = 0; i < texts->size(); ++i) {
            const ReasonParameter &parameter = info.parameters[size_t(i)];
            if (parameter.type == ReasonType::Name)
                values.push_back(reasons::textValue(parameter, texts->at(i)));
            else
                values.push_back({parameter.name, qint64(texts->at(i).toDouble())});
        }
        return reasons::made(info, std::move(values));
    }
    return Reason{QByteArray(), {}, sentence.toByteArray()};
}

} // namespace junban::redis
