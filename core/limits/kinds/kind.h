#pragma once

#include "core/msgpack/fieldtable.h"

#include <QByteArray>
#include <QList>
#include <functional>

// What a kind of constraint is made of (docs/constraints.md); kinds.h has all of them.
namespace junban {

// A number, or an expression of the matcher language that gives one for each job.
struct Amount {
    qint64 number = 1;
    QByteArray expression = {}; // empty: the number counts
    friend bool operator==(const Amount &, const Amount &) = default;
};

namespace codecs {
extern const Codec number;           // double; whole numbers are written as integers
extern const Codec milliseconds;     // double in seconds; for scripts only
extern const Codec amount;           // Amount; `Field::max` bounds its number
extern const Codec line;             // QByteArray: UTF-8 without control characters, or empty
extern const Codec lines;            // the same, with line ends allowed
extern const Codec zone;             // QByteArray: a zone of the IANA database
} // namespace codecs

// Reads a list of texts that `valid` knows, and refuses the list as a whole with `wrong`.
bool readTexts(Decoder &in, const PackedValue &value, QList<QByteArray> &texts, int count_max, bool (*valid)(QByteArrayView),
    Error (*wrong)(QByteArrayView field));
// Calls `take(key, value)` for each entry of a map whose keys are texts of 1 to 200 bytes.
bool readKeyed(Decoder &in, const PackedValue &value, int count_max, const std::function<bool(QByteArrayView, const PackedValue &)> &take);
// Whether a list or a map is within its bound; makes an error when it is not.
bool fewEnough(Decoder &in, const PackedValue &value, int count_max);

// How many of the next openings and closings the scripts get of a constraint that follows a calendar. They get more when half are left.
inline constexpr int boundaries_given = 64;

// One kind. It is the static member `kind` of the struct of its parameters; its functions get a pointer to such a struct.
struct Kind {
    enum class By : quint8 { Never, Maybe, Needed };

    const char *word;                // "rate"
    FieldTable table;                // parameters as the API has them
    FieldTable script;               // as core/lua/kinds reads them; written only
    By by = By::Maybe;               // whether it has buckets by key; Never: it has no buckets
    int gate = 0;                    // its place among the gates of an explanation, from 1; 0: it never holds a ready job
    bool brief = false;              // it opens and closes with single starts and ends of jobs
    bool ranked = false;             // of several that match a job, only the one with the highest rank counts
    const Field *amount = nullptr;   // what a job is charged, or its key's weight; one of `table`
    void (*normalize)(void *parameters) = nullptr; // after reading
    // For kinds that can follow a calendar: whether these parameters do, and the next moments at which they open or close.
    bool (*followsCalendar)(const void *parameters) = nullptr;
    QList<qint64> (*boundaries)(const void *parameters, qint64 now_ms) = nullptr;
    QByteArray (*zone)(const void *parameters) = nullptr;
    // How much a bucket takes at once, where that is a number.
    std::optional<qint64> (*limit)(const void *parameters, const QByteArray &key) = nullptr;
};

namespace field {
template<auto member>
constexpr Field number(QByteArrayView name, double min, double max)
{
    return between<member, codecs::number>(name, min, max);
}
template<auto member>
constexpr Field amount(QByteArrayView name, qint64 max)
{
    return between<member, codecs::amount>(name, 1, double(max)).rare();
}
template<auto member>
constexpr Field zone(QByteArrayView name)
{
    return of<member, codecs::zone>(name);
}
// Seconds that a script gets as milliseconds.
template<auto member>
constexpr Field milliseconds(QByteArrayView name)
{
    return of<member, codecs::milliseconds>(name);
}
} // namespace field

} // namespace junban
