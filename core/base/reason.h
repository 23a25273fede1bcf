#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>
#include <concepts>
#include <variant>
#include <vector>

namespace junban {

struct ReasonValue;

// Why something is refused, or what is to be known of it: a stable name, the values that its sentence has, and that sentence in English.
// The catalogue (core/base/reasons/*.yaml) has all of them; a function of the namespace `reasons` makes each (core/base/reasons/THEME.h,
// which the build makes of THEME.yaml).
struct Reason {
    QByteArray name = {};
    std::vector<ReasonValue> values; // no initializer: clang would need the complete ReasonValue for it
    QByteArray text = {};

    Reason() = default;
    Reason(QByteArray reason, std::vector<ReasonValue> content, QByteArray sentence);

    bool isEmpty() const { return text.isEmpty(); }
    friend bool operator==(const Reason &a, const Reason &b);
};

// A value as it is on the wire: a text (also a time in ISO 8601), a number, a list of texts, or one other reason.
struct ReasonValue {
    using Content = std::variant<QByteArray, qint64, double, QByteArrayList, Reason>;
    QByteArray name;
    Content content;
    friend bool operator==(const ReasonValue &, const ReasonValue &) = default;
};

// A number of a reason: whole numbers stay whole.
class ReasonNumber
{
public:
    template<std::integral T>
        requires(!std::same_as<T, bool> && !std::same_as<T, char>)
    ReasonNumber(T number) : m_content(qint64(number)) {}
    ReasonNumber(double number);
    const ReasonValue::Content &content() const { return m_content; }
    bool isVast() const; // larger than anything that a reader would count

private:
    ReasonValue::Content m_content;
};

} // namespace junban
