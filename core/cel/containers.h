#pragma once

#include "core/cel/value.h"
#include "core/cel/work.h"

namespace junban::cel {

// Goes over the elements of a list, or over a map: key, value, key, value … The steps are charged to `work`.
class Walk
{
public:
    Walk(const Value &container, Work &work);

    // False at the end. An element with malformed bytes comes as an error value, and is the last one.
    bool next(Value &element);
    // Skips elements without looking into them.
    void skip(qint64 elements = 1);

private:
    Work &m_work;
    const Value *m_items = nullptr;
    payload::Reader m_reader;
    quint64 m_left = 0;
};

// Numbers are compared by value, whatever their types; other values of different types are unequal. Neither may be an error.
bool equal(const Value &a, const Value &b, Work &work);
// Whether a map's key is the one looked for. Numbers must be exactly equal, without rounding.
bool sameKey(const Value &a, const Value &b, Work &work);

enum class Order { Less, Equal, Greater, Unordered, Incomparable }; // Unordered: a NaN; Incomparable: no order for these types
Order compare(const Value &a, const Value &b, Work &work);

// The value of a map at `key`; an error (NoSuchKey) when there is none.
Value lookUp(const Value &map, const Value &key, Work &work);
// The same for a string key, without making a value of every key; the error is NoSuchField.
Value fieldOf(const Value &map, QByteArrayView name, Work &work);
// The element of a list at `index`; an error (IndexOutOfRange) when there is none.
Value elementAt(const Value &list, qint64 index, Work &work);

} // namespace junban::cel
