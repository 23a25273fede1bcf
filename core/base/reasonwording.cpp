#include "core/base/reasonwording.h"

#include "core/base/isotime.h"
#include "core/base/text.h"
#include "core/limits.h"

#include <algorithm>
#include <cmath>

namespace junban {

namespace {

constexpr qint64 kib = 1024, mib = 1024 * kib;
using Of = ReasonWording::Of;

bool isNumber(const ReasonValue::Content &content)
{
    return std::holds_alternative<qint64>(content) || std::holds_alternative<double>(content);
}

double numberIn(const ReasonValue::Content &content)
{
    if (const qint64 *whole = std::get_if<qint64>(&content))
        return double(*whole);
    const double *real = std::get_if<double>(&content);
    return real ? *real : 0;
}

QByteArray plainNumber(const ReasonValue::Content &content)
{
    if (const qint64 *whole = std::get_if<qint64>(&content))
        return QByteArray::number(*whole);
    return QByteArray::number(numberIn(content), 'g', 15);
}

// 86400 as 86,400.
QByteArray englishNumber(const ReasonValue::Content &content)
{
    QByteArray text = plainNumber(content);
    if (!std::holds_alternative<qint64>(content))
        return text;
    for (qsizetype at = text.size() - 3; at > (text.startsWith('-') ? 1 : 0); at -= 3)
        text.insert(at, ',');
    return text;
}

// The words of a language put around values.
class Wording
{
public:
    explicit Wording(const ReasonWording &language) : m_language(language) {}

    QByteArray sentence(const Reason &reason) const
    {
        const ReasonInfo *info = reasonInfo(reason.name);
        const QByteArray text = info ? m_language.sentence(Of::Reason, reason.name) : QByteArray();
        if (text.isEmpty())
            return m_language.text(reason.text);
        return filled(text, [&](QByteArrayView name) -> const ReasonValue * { return valueOf(reason, name); },
            [&](const ReasonValue &value) { return shownAs(typeOf(*info, value.name), value.content); });
    }

private:
    static ReasonType typeOf(const ReasonInfo &info, QByteArrayView name)
    {
        for (const ReasonParameter &parameter : info.parameters) {
            if (name == QByteArrayView(parameter.name))
                return parameter.type;
        }
        return ReasonType::Text;
    }

    // Replaces {name} and {name|one|many}; a name without a value stays as it is.
    static QByteArray filled(QByteArrayView text, const std::function<const ReasonValue *(QByteArrayView)> &find,
        const std::function<QByteArray(const ReasonValue &)> &show)
    {
        QByteArray out;
        for (qsizetype at = 0; at < text.size();) {
            const qsizetype end = text[at] == '{' ? text.indexOf('}', at) : -1;
            const QByteArrayView inner = end > 0 ? text.sliced(at + 1, end - at - 1) : QByteArrayView();
            const qsizetype bar = inner.indexOf('|');
            const ReasonValue *value = inner.isEmpty() ? nullptr : find(bar < 0 ? inner : inner.first(bar));
            if (!value) {
                out += text[at++];
                continue;
            }
            if (bar < 0) {
                out += show(*value);
            } else {
                const QByteArrayView forms = inner.sliced(bar + 1);
                const qsizetype split = std::max<qsizetype>(0, forms.indexOf('|'));
                out += numberIn(value->content) == 1 ? forms.first(split) : forms.sliced(split + 1);
            }
            at = end + 1;
        }
        return out;
    }

    QByteArray pattern(QByteArrayView name, const ReasonValue::Content &content, const QByteArray &shownValue) const
    {
        const ReasonValue value{"value", content};
        return filled(m_language.sentence(Of::Pattern, name), [&](QByteArrayView part) { return part == "value" ? &value : nullptr; },
            [&](const ReasonValue &) { return shownValue; });
    }

    QByteArray shownAs(ReasonType type, const ReasonValue::Content &content) const
    {
        if (const Reason *reason = std::get_if<Reason>(&content))
            return sentence(*reason);
        if (const QByteArrayList *list = std::get_if<QByteArrayList>(&content))
            return listed(*list, type);
        if (isNumber(content))
            return numbered(type, content);
        const QByteArray &text = std::get<QByteArray>(content);
        switch (type) {
        case ReasonType::Field:
            return text.isEmpty() ? m_language.sentence(Of::Pattern, "request") : pattern("field", content, m_language.text(text));
        case ReasonType::Word:
            if (const QByteArray word = m_language.sentence(Of::Word, text); !word.isEmpty())
                return word;
            break;
        case ReasonType::Time:
            if (const std::optional<qint64> time = fromIsoTime(text))
                return m_language.time(*time);
            break;
        default: break;
        }
        return m_language.text(text);
    }

    QByteArray numbered(ReasonType type, const ReasonValue::Content &content) const
    {
        const qint64 *whole = std::get_if<qint64>(&content);
        switch (type) {
        case ReasonType::Digits: return plainNumber(content);
        case ReasonType::Seconds: return pattern("seconds", content, m_language.number(content));
        case ReasonType::Bytes:
            if (whole && *whole >= mib && *whole % mib == 0)
                return pattern("mib", *whole / mib, m_language.number(*whole / mib));
            if (whole && *whole >= kib && *whole % kib == 0)
                return pattern("kib", *whole / kib, m_language.number(*whole / kib));
            return pattern("bytes", content, m_language.number(content));
        default: return m_language.number(content);
        }
    }

    QByteArray listed(const QByteArrayList &list, ReasonType type) const
    {
        const bool choice = type == ReasonType::Choice;
        QByteArray out;
        for (qsizetype i = 0; i < list.size(); ++i) {
            if (i > 0)
                out += m_language.sentence(Of::Pattern, i + 1 < list.size() ? "comma" : choice ? "or" : "and");
            const QByteArray item = m_language.text(list[i]);
            out += choice ? pattern("choice", list[i], item) : item;
        }
        return out;
    }

    const ReasonWording &m_language;
};

const ReasonWording &english()
{
    static const ReasonWording wording{
        englishSentence,
        [](QByteArrayView text) { return text.toByteArray(); },
        englishNumber,
        isoTime,
    };
    return wording;
}

} // namespace

Reason::Reason(QByteArray reason, std::vector<ReasonValue> content, QByteArray sentence)
    : name(std::move(reason)), values(std::move(content)), text(std::move(sentence))
{
}

bool operator==(const Reason &a, const Reason &b)
{
    return a.name == b.name && a.values == b.values && a.text == b.text;
}

ReasonNumber::ReasonNumber(double number) : m_content(number)
{
    static constexpr double whole_max = 9'007'199'254'740'992; // 2^53
    if (std::abs(number) <= whole_max && std::trunc(number) == number)
        m_content = qint64(number);
}

bool ReasonNumber::isVast() const
{
    static constexpr double vast = 1e15;
    return numberIn(m_content) >= vast;
}

const ReasonInfo *reasonInfo(QByteArrayView name)
{
    const std::span<const ReasonInfo> all = reasonCatalogue();
    const auto found = std::lower_bound(
        all.begin(), all.end(), name, [](const ReasonInfo &info, QByteArrayView wanted) { return QByteArrayView(info.name) < wanted; });
    return found != all.end() && name == QByteArrayView(found->name) ? &*found : nullptr;
}

const ReasonValue *valueOf(const Reason &reason, QByteArrayView parameter)
{
    const auto found = std::find_if(
        reason.values.begin(), reason.values.end(), [&](const ReasonValue &value) { return QByteArrayView(value.name) == parameter; });
    return found == reason.values.end() ? nullptr : &*found;
}

QByteArray worded(const Reason &reason, const ReasonWording &wording)
{
    return Wording(wording).sentence(reason);
}

namespace reasons {

Reason made(const ReasonInfo &info, std::vector<ReasonValue> values)
{
    Reason reason(info.name, std::move(values), {});
    reason.text = worded(reason, english());
    return reason;
}

ReasonValue textValue(const ReasonParameter &parameter, QByteArrayView text)
{
    const bool wide = parameter.type == ReasonType::Text || parameter.type == ReasonType::Foreign;
    return {parameter.name, shown(text, wide ? limits::reason_text_bytes_max : limits::shown_bytes_max)};
}

ReasonValue timeValue(const ReasonParameter &parameter, qint64 time_ms)
{
    return {parameter.name, isoTime(time_ms)};
}

ReasonValue listValue(const ReasonParameter &parameter, const QByteArrayList &list)
{
    QByteArrayList texts;
    for (const QByteArray &text : list)
        texts.append(shown(text, limits::shown_bytes_max));
    return {parameter.name, texts};
}

} // namespace reasons

} // namespace junban
