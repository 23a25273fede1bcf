#pragma once

#include "core/msgpack/payload.h"

#include <QByteArray>
#include <QByteArrayView>

namespace junban::cel {

class Work;

enum class ValueType : quint8 { Error, Null, Bool, Int, UInt, Double, String, Bytes, List, Map, Timestamp, Duration, Type };

// Why an evaluation has no value. Operators see the word (causeWord) and for how many jobs it happened.
enum class Cause : quint8 {
    UnboundVariable, UnknownFunction, NoSuchField, NoSuchKey, IndexOutOfRange, WrongType, Overflow, DivisionByZero, BadConversion,
    BadKey, DuplicateKey, BadPattern, BadTimeZone, Malformed, TooMuchWork, TooMuchMemory,
};
const char *causeWord(Cause cause);     // "no_such_field"
Reason causeReason(Cause cause);

// One value of the matcher language, or an error instead of it. It is small, cheap to copy and owns nothing: strings, lists and maps
// refer to MessagePack bytes, to a program's constants or to an evaluation's memory, and are valid as long as those. Lists and maps in
// MessagePack are read in place, and only the parts that are needed.
class Value
{
public:
    Value() : Value(ValueType::Null) {}
    static Value null() { return Value(ValueType::Null); }
    static Value boolean(bool value);
    static Value integer(qint64 value);
    static Value unsignedInteger(quint64 value);
    static Value real(double value);
    static Value string(QByteArrayView utf8);
    static Value bytes(QByteArrayView bytes);
    static Value list(const Value *elements, qsizetype count);
    static Value map(const Value *keysAndValues, qsizetype pairs); // key, value, key, value …
    static Value timestamp(qint64 seconds, qint32 nanoseconds);    // since the epoch; 0 ≤ nanoseconds < 10^9
    static Value duration(qint64 nanoseconds);
    static Value typeOf(ValueType type);
    static Value error(Cause cause, int node = -1);
    // The MessagePack value at the beginning of `msgpack`; the bytes after it are ignored.
    static Value packed(QByteArrayView msgpack);

    ValueType type() const { return m_type; }
    bool isError() const { return m_type == ValueType::Error; }
    bool isTrue() const { return m_type == ValueType::Bool && m_bool; }
    bool isFalse() const { return m_type == ValueType::Bool && !m_bool; }
    bool isNumber() const { return m_type == ValueType::Int || m_type == ValueType::UInt || m_type == ValueType::Double; }

    // Call each of these only for a value of its type.
    bool toBool() const { return m_bool; }
    qint64 toInt() const { return m_int; }
    quint64 toUInt() const { return m_uint; }
    double toDouble() const { return m_double; }
    QByteArrayView view() const { return QByteArrayView(m_data, m_size); } // String, Bytes
    qint64 seconds() const { return m_int; }                              // Timestamp
    qint32 nanoseconds() const { return qint32(m_extra); }                // Timestamp
    qint64 durationNanoseconds() const { return m_int; }                  // Duration
    ValueType denoted() const { return ValueType(m_extra); }              // Type
    Cause cause() const { return m_cause; }                               // Error
    int node() const { return qint32(m_extra); }                          // Error: where in the program
    quint32 count() const { return m_extra; }                             // List: elements; Map: pairs

    // Int, UInt or Double as the nearest double.
    double asDouble() const;

private:
    friend class Walk;
    friend Value fieldOf(const Value &map, QByteArrayView name, Work &work);
    explicit Value(ValueType type) : m_type(type) {}

    ValueType m_type;
    bool m_packed = false;     // List, Map: m_data are packed elements; otherwise m_items
    Cause m_cause = Cause::UnboundVariable;
    quint32 m_extra = 0;
    qsizetype m_size = 0;
    union {
        bool m_bool;
        qint64 m_int = 0;
        quint64 m_uint;
        double m_double;
        const char *m_data;
        const Value *m_items;
    };
};

// The words of the language: "int", "null_type", "google.protobuf.Timestamp" …
const char *typeName(ValueType type);

} // namespace junban::cel
