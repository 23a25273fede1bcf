#pragma once

#include "core/base/result.h"

#include <functional>
#include <optional>
#include <span>

namespace junban {

// What a value means, and so how it is shown; the generated table `catalogue` has it of every value.
enum class ReasonType {
    Field,   // path of a field, e.g. "jobs[3].priority"; empty: the whole request
    Name,    // a name, an id, a short text of a user
    Text,    // other text of a user
    Foreign, // a sentence of another program: of Redis, of RE2, of the operating system
    Word,    // one of the catalogue's words, e.g. day_of_month
    Number,  // shown with the separators of the language
    Digits,  // a whole number without separators: a status, a port, a version
    Seconds,
    Bytes,
    Time,
    List,    // names, all of them
    Choice,  // names, one of which is allowed
    Reason,  // another sentence
};
struct ReasonParameter {
    const char *name;
    ReasonType type;
};
struct ReasonInfo {
    const char *name;
    std::optional<ErrorCode> code; // of a refusal
    const char *word;              // its code on the wire, "not_found"
    int status;                    // and its HTTP status
    std::span<const ReasonParameter> parameters;
    const char *text;              // in English, with {parameter} and {parameter|one|many}
};
std::span<const ReasonInfo> reasonCatalogue();     // sorted by name
int httpStatus(ErrorCode code);
const ReasonInfo *reasonInfo(QByteArrayView name); // null: not known, e.g. of a newer master

// How a language words reasons. A sentence has {parameter}, or {parameter|one|many} for a word that depends on a number.
struct ReasonWording {
    enum class Of { Reason, Word, Pattern }; // of a pattern see core/base/reasons/words.yaml
    std::function<QByteArray(Of of, QByteArrayView name)> sentence; // empty when the language has none
    std::function<QByteArray(QByteArrayView text)> text;            // makes texts of others fit to be shown
    std::function<QByteArray(const ReasonValue::Content &number)> number;
    std::function<QByteArray(qint64 time_ms)> time;
};
QByteArray englishSentence(ReasonWording::Of of, QByteArrayView name);
// The sentence of a reason. One that the catalogue or the language does not know keeps its English sentence.
QByteArray worded(const Reason &reason, const ReasonWording &wording);
const ReasonValue *valueOf(const Reason &reason, QByteArrayView parameter);

namespace reasons {
// For the generated functions.
Reason made(const ReasonInfo &info, std::vector<ReasonValue> values);
ReasonValue textValue(const ReasonParameter &parameter, QByteArrayView text);
ReasonValue timeValue(const ReasonParameter &parameter, qint64 time_ms);
ReasonValue listValue(const ReasonParameter &parameter, const QByteArrayList &list);
} // namespace reasons

} // namespace junban
