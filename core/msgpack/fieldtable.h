#pragma once

#include "core/msgpack/decoder.h"

#include <QList>
#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>

// A value's fields, described once: reading, writing and comparing it go by its table, and tests/contract/test_fields.py compares the
// table with the schema in openapi/master.yaml. A table is data: names, bounds and functions. No code is generated.
//
//   constexpr Field backoffFields[] = {
//       field::duration<&Backoff::base_ms>("base", 0, limits::backoff_base_s_max),
//       field::real<&Backoff::factor>("factor", 1, limits::backoff_factor_max),
//   };
//   constinit const TableOf<Backoff> backoffTable{"Backoff", backoffFields};
//
// Tables are constinit or constexpr, so the order in which files are initialised does not matter.
// The defaults are those of a new value; its declaration takes them from core/limits.h.
namespace junban {

class MsgpackWriter;
struct Field;
struct FieldTable;

enum class Written {
    Whole,  // every field, except rare ones with their defaults: an answer
    Sparse, // only what differs from the default: a request
};

// How members of one C++ type are encoded. `member` points to the member itself.
struct Codec {
    bool (*read)(Decoder &in, const PackedValue &value, void *member, const Field &field);
    void (*write)(MsgpackWriter &out, const void *member, const Field &field, Written written);
    bool (*same)(const void *a, const void *b, const Field &field);
    const char *type;                // "integer", "duration", "name", …: what test_fields.py compares
    const Codec *inner = nullptr;    // of "optional" and "array"
};

struct Field {
    enum class Presence : quint8 {
        Needed,                      // must be there, in a request and in an answer
        Always,                      // may be left out of a request; always written
        Rare,                        // left out as long as it has its default
    };

    QByteArrayView name;
    const Codec *codec;              // null: the fields of `table` are in the same map
    void *(*memberOf)(void *object);
    double min = -std::numeric_limits<double>::infinity(); // of a number, in its unit on the wire
    double max = std::numeric_limits<double>::infinity();  // of a number; in bytes of a text or of any value
    int count_max = std::numeric_limits<int>::max();       // elements of a list
    const FieldTable *table = nullptr;                     // of a map, or of each element
    std::span<const char *const> words = {};
    Presence presence = Presence::Always;
    bool (*applies)(const void *object) = nullptr;         // it is written only if this says so

    constexpr Field needed() const { return with(Presence::Needed); }
    constexpr Field rare() const { return with(Presence::Rare); }
    constexpr Field onlyIf(bool (*applying)(const void *)) const
    {
        Field field = with(Presence::Rare);
        field.applies = applying;
        return field;
    }
    // Always written, but not required of an answer, because rows of lists leave it out.
    constexpr Field written() const
    {
        return onlyIf([](const void *) { return true; });
    }
    // The same field of a part of the object.
    constexpr Field in(void *(*member)(void *object)) const
    {
        Field field = *this;
        field.memberOf = member;
        return field;
    }
    constexpr Field describedBy(const FieldTable &other) const
    {
        Field field = *this;
        field.table = &other;
        return field;
    }
    constexpr Field upTo(double most) const
    {
        Field field = *this;
        field.max = most;
        return field;
    }
    constexpr Field atMost(int elements) const
    {
        Field field = *this;
        field.count_max = elements;
        return field;
    }

private:
    constexpr Field with(Presence other) const
    {
        Field field = *this;
        field.presence = other;
        return field;
    }
};

// Which fields were given; for checks.
class FieldsSeen
{
public:
    FieldsSeen(const FieldTable &table, quint64 seen) : m_table(table), m_seen(seen) {}
    bool has(QByteArrayView name) const;
    bool any() const { return m_seen != 0; }

private:
    const FieldTable &m_table;
    quint64 m_seen;
};

struct FieldTable {
    const char *schema;              // in components/schemas of openapi/master.yaml: "NewJob", "Overview.rollback"
    std::span<const Field> fields;   // at most 64 in one map (tests/contract/test_fields.py)
    const void *(*defaults)();
    // Checks that concern several fields; for requests only.
    bool (*check)(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &seen) = nullptr;
};

template<typename T>
const void *defaultOf()
{
    static const T value{};
    return &value;
}

template<typename T>
struct TableOf : FieldTable {
    using Check = bool (*)(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &seen);
    constexpr TableOf(const char *schemaName, std::span<const Field> all, Check checks = nullptr)
        : FieldTable{schemaName, all, &defaultOf<T>, checks}
    {
    }
};

// Reads a map into an object that has its defaults.
bool readFields(Decoder &in, const PackedValue &value, const FieldTable &table, void *object);
// The same into an object that has values: fields that are not given keep theirs.
bool readChanges(Decoder &in, const PackedValue &value, const FieldTable &table, void *object);
void writeFields(MsgpackWriter &out, const FieldTable &table, const void *object, Written written);
bool sameFields(const FieldTable &table, const void *a, const void *b);
// The same for a part of a larger map: appendFields() returns how many it wrote, readField() whether the field was known and could be read.
int appendFields(MsgpackWriter &out, const FieldTable &table, const void *object, Written written);
bool readField(Decoder &in, QByteArrayView name, const PackedValue &value, const FieldTable &table, void *object);
// For checks: refuses `one` when `other` was given, too.
bool onlyOneOf(Decoder &in, const PackedValue &value, const FieldsSeen &seen, QByteArrayView one, QByteArrayView other);

namespace fieldtable {
// A whole body. When this is false, the decoder has an error.
bool read(Decoder &in, QByteArrayView body, const FieldTable &table, void *object);
QByteArray pack(const FieldTable &table, const void *object, Written written);
} // namespace fieldtable

template<typename T>
Result<T> unpackAs(Decoder::Of of, const TableOf<T> &table, QByteArrayView body, T value = {})
{
    Decoder in(of);
    if (!fieldtable::read(in, body, table, &value))
        return in.error();
    return value;
}
template<typename T>
Result<T> unpackRequest(const TableOf<T> &table, QByteArrayView body, T value = {})
{
    return unpackAs(Decoder::Of::Request, table, body, std::move(value));
}
template<typename T>
Result<T> unpackAnswer(const TableOf<T> &table, QByteArrayView body)
{
    return unpackAs(Decoder::Of::Answer, table, body);
}
template<typename T>
QByteArray pack(const TableOf<T> &table, const T &value, Written written = Written::Whole)
{
    return fieldtable::pack(table, &value, written);
}

// --- Codecs. Rooms with more types have more of them (core/jobs/jobfields.h). -------------------------------------------------------

namespace codecs {

template<typename T>
bool same(const void *a, const void *b, const Field &)
{
    return *static_cast<const T *>(a) == *static_cast<const T *>(b);
}
// For the templates below, so that this header does not need the writer.
qint64 wholeBound(double bound);
void writeWhole(MsgpackWriter &out, qint64 value);
void writeWord(MsgpackWriter &out, const Field &field, size_t index);
void writeArrayHead(MsgpackWriter &out, qsizetype elements);

template<std::integral T>
bool readInteger(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    return in.integer(value, *static_cast<T *>(member), wholeBound(field.min), wholeBound(field.max));
}
template<std::integral T>
void writeInteger(MsgpackWriter &out, const void *member, const Field &, Written)
{
    writeWhole(out, qint64(*static_cast<const T *>(member)));
}
template<std::integral T>
inline constexpr Codec integer{readInteger<T>, writeInteger<T>, same<T>, "integer"};

extern const Codec real;             // double
extern const Codec duration;         // qint64 in ms; seconds on the wire
extern const Codec boolean;          // bool
extern const Codec name;             // QByteArray: UTF-8 that can be a name (core/base/text.h), not empty
extern const Codec caption;          // QByteArray: UTF-8 without control characters, not empty; for what names nothing
extern const Codec text;             // QByteArray: UTF-8
extern const Codec any;              // QByteArray: one MessagePack value, unchanged
extern const Codec time;             // qint64 in ms since the epoch, 0 when absent; ISO 8601 on the wire
extern const Codec object;           // what `Field::table` describes

// One of `Field::words`; the first is the value 0.
bool readWord(Decoder &in, const PackedValue &value, const Field &field, int &index);
template<typename Enum>
bool readEnum(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    int index = 0;
    if (!readWord(in, value, field, index))
        return false;
    *static_cast<Enum *>(member) = static_cast<Enum>(index);
    return true;
}
template<typename Enum>
void writeEnum(MsgpackWriter &out, const void *member, const Field &field, Written)
{
    writeWord(out, field, size_t(*static_cast<const Enum *>(member)));
}
template<typename Enum>
inline constexpr Codec word{readEnum<Enum>, writeEnum<Enum>, same<Enum>, "word"};

// A member that may be missing.
template<typename T, const Codec &inner>
struct Optional {
    static bool read(Decoder &in, const PackedValue &value, void *member, const Field &field)
    {
        auto &optional = *static_cast<std::optional<T> *>(member);
        if (inner.read(in, value, &optional.emplace(), field))
            return true;
        optional.reset();
        return false;
    }
    static void write(MsgpackWriter &out, const void *member, const Field &field, Written written)
    {
        inner.write(out, &**static_cast<const std::optional<T> *>(member), field, written);
    }
    static bool same(const void *a, const void *b, const Field &field)
    {
        const auto &one = *static_cast<const std::optional<T> *>(a), &other = *static_cast<const std::optional<T> *>(b);
        return one.has_value() == other.has_value() && (!one || inner.same(&*one, &*other, field));
    }
    static constexpr Codec codec{read, write, same, "optional", &inner};
};

// A list of elements that `inner` reads.
template<typename List, const Codec &inner>
struct ListOf {
    static bool read(Decoder &in, const PackedValue &value, void *member, const Field &field)
    {
        auto &list = *static_cast<List *>(member);
        list.clear();
        return in.array(value, field.count_max, [&](const PackedValue &element) {
            typename List::value_type item{};
            if (!inner.read(in, element, &item, field))
                return in.lenient() ? in.useless(element.path) : false;
            list.push_back(std::move(item));
            return true;
        });
    }
    static void write(MsgpackWriter &out, const void *member, const Field &field, Written written)
    {
        const auto &list = *static_cast<const List *>(member);
        writeArrayHead(out, qsizetype(list.size()));
        for (const auto &item : list)
            inner.write(out, &item, field, written);
    }
    static bool same(const void *a, const void *b, const Field &field)
    {
        const auto &one = *static_cast<const List *>(a), &other = *static_cast<const List *>(b);
        return std::equal(one.begin(), one.end(), other.begin(), other.end(),
            [&](const auto &x, const auto &y) { return inner.same(&x, &y, field); });
    }
    static constexpr Codec codec{read, write, same, "array", &inner};
};

// A list of maps each of which succeeds or fails on its own: a batch.
template<typename T>
struct EachAlone {
    using List = QList<Result<T>>;
    static bool read(Decoder &in, const PackedValue &value, void *member, const Field &field)
    {
        return in.array(value, field.count_max, [&](const PackedValue &element) {
            Decoder own;
            T item{};
            const bool ok = readFields(own, element, *field.table, &item);
            static_cast<List *>(member)->append(ok ? Result<T>(std::move(item)) : Result<T>(own.error()));
            return true;
        });
    }
    // Elements that failed are not written.
    static void write(MsgpackWriter &out, const void *member, const Field &field, Written written)
    {
        const List &list = *static_cast<const List *>(member);
        const auto good = [](const Result<T> &item) { return item.ok(); };
        writeArrayHead(out, std::count_if(list.begin(), list.end(), good));
        for (const Result<T> &item : list) {
            if (item.ok())
                writeFields(out, *field.table, &*item, written);
        }
    }
    static bool same(const void *, const void *, const Field &) { return false; }
    static constexpr Codec codec{read, write, same, "array", &object};
};

template<typename T>
struct Unwrapped {
    using Type = T;
    template<const Codec &inner>
    static constexpr const Codec *of = &inner;
};
template<typename T>
struct Unwrapped<std::optional<T>> {
    using Type = T;
    template<const Codec &inner>
    static constexpr const Codec *of = &Optional<T, inner>::codec;
};

} // namespace codecs

// --- Fields ---------------------------------------------------------------------------------------------------------------------------

namespace field {

template<typename M>
struct MemberOf;
template<typename C, typename T>
struct MemberOf<T C::*> {
    using Class = C;
    using Type = T;
};
template<auto member>
using TypeOf = typename MemberOf<decltype(member)>::Type;
// The type inside an optional.
template<auto member>
using ValueOf = typename codecs::Unwrapped<TypeOf<member>>::Type;

template<auto member>
void *at(void *object)
{
    return &(static_cast<typename MemberOf<decltype(member)>::Class *>(object)->*member);
}

// `codec` reads the member's type, or what is inside it when it is an optional.
template<auto member, const Codec &codec>
constexpr Field of(QByteArrayView name)
{
    return Field{name, codecs::Unwrapped<TypeOf<member>>::template of<codec>, at<member>};
}
template<auto member, const Codec &codec>
constexpr Field between(QByteArrayView name, double min, double max)
{
    Field field = of<member, codec>(name);
    field.min = min;
    field.max = max;
    return field;
}
template<auto member, const Codec &codec>
constexpr Field bounded(QByteArrayView name, double bytes_max)
{
    Field field = of<member, codec>(name);
    field.max = bytes_max;
    return field;
}

template<auto member>
constexpr Field integer(QByteArrayView name)
{
    return of<member, codecs::integer<ValueOf<member>>>(name);
}
template<auto member>
constexpr Field integer(QByteArrayView name, double min, double max = std::numeric_limits<double>::infinity())
{
    return between<member, codecs::integer<ValueOf<member>>>(name, min, max);
}
template<auto member>
constexpr Field real(QByteArrayView name)
{
    return of<member, codecs::real>(name);
}
template<auto member>
constexpr Field real(QByteArrayView name, double min, double max = std::numeric_limits<double>::infinity())
{
    return between<member, codecs::real>(name, min, max);
}
template<auto member>
constexpr Field duration(QByteArrayView name, double min_s, double max_s)
{
    return between<member, codecs::duration>(name, min_s, max_s);
}
template<auto member>
constexpr Field boolean(QByteArrayView name)
{
    return of<member, codecs::boolean>(name);
}
template<auto member>
constexpr Field name(QByteArrayView name, int bytes_max)
{
    return bounded<member, codecs::name>(name, bytes_max);
}
template<auto member>
constexpr Field caption(QByteArrayView name, int bytes_max)
{
    return bounded<member, codecs::caption>(name, bytes_max);
}
template<auto member>
constexpr Field text(QByteArrayView name, double bytes_max = std::numeric_limits<double>::infinity())
{
    return bounded<member, codecs::text>(name, bytes_max);
}
template<auto member>
constexpr Field any(QByteArrayView name, double bytes_max = std::numeric_limits<double>::infinity())
{
    return bounded<member, codecs::any>(name, bytes_max);
}
template<auto member>
constexpr Field time(QByteArrayView name)
{
    return of<member, codecs::time>(name);
}
template<auto member>
constexpr Field word(QByteArrayView name, std::span<const char *const> words)
{
    Field field = of<member, codecs::word<ValueOf<member>>>(name);
    field.words = words;
    return field;
}
template<auto member>
constexpr Field object(QByteArrayView name, const TableOf<ValueOf<member>> &table)
{
    Field field = of<member, codecs::object>(name);
    field.table = &table;
    return field;
}
template<auto member>
constexpr Field list(QByteArrayView name, const TableOf<typename TypeOf<member>::value_type> &table)
{
    return Field{.name = name, .codec = &codecs::ListOf<TypeOf<member>, codecs::object>::codec, .memberOf = at<member>, .table = &table};
}
template<auto member, typename T>
constexpr Field batch(QByteArrayView name, const TableOf<T> &table)
{
    static_assert(std::is_same_v<TypeOf<member>, QList<Result<T>>>);
    return Field{.name = name, .codec = &codecs::EachAlone<T>::codec, .memberOf = at<member>, .table = &table};
}
// Elements without fields: `codec` reads each of them.
template<auto member, const Codec &codec>
constexpr Field listOf(QByteArrayView name, double bytes_max = std::numeric_limits<double>::infinity())
{
    using List = ValueOf<member>;
    Field field = of<member, codecs::ListOf<List, codec>::codec>(name);
    field.max = bytes_max;
    return field;
}
// The fields of a part, in the same map.
template<auto member>
constexpr Field beside(const TableOf<TypeOf<member>> &table)
{
    return Field{.name = {}, .codec = nullptr, .memberOf = at<member>, .table = &table};
}
constexpr Field beside(const FieldTable &table)
{
    return Field{.name = {}, .codec = nullptr, .memberOf = [](void *object) { return object; }, .table = &table};
}

} // namespace field

} // namespace junban
