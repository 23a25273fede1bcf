#pragma once

#include "core/cel/value.h"
#include "core/cel/work.h"

namespace junban::cel {

// Goes over the elements of a list, or over the keys and values of a map, which come by turns. The work is charged.
class Walk
{
public:
    Walk(const Value &container, Work &work);

    // False at the end. An element of malformed bytes is an error value, and the last.
    bool next(Value &element);
    // Passes over elements without looking into them.
    void skip(qint64 elements = 1);

private:
    Work &m_work;
    const Value *m_items = nullptr;
    payload::Reader m_reader;
    quint64 m_left = 0;
};

// Numbers are equal across their types by value; values of different types are otherwise unequal. Neither may be an error.
bool equal(const Value &a, const Value &b, Work &work);
// Whether a map's key is the one looked for: numbers must be the same exactly.
bool sameKey(const Value &a, const Value &b, Work &work);

enum class Order { Less, Equal, Greater, Unordered, Incomparable }; // Unordered: a NaN; Incomparable: no order for these types
Order compare(const Value &a, const Value &b, Work &work);

// The value of a map at `key`; an error (NoSuchKey) when there is none.
Value lookUp(const Value &map, const Value &key, Work &work);
// The same for a string key, which is compared without making a value of every key; the error is NoSuchField.
Value fieldOf(const Value &map, QByteArrayView name, Work &work);
// The element of a list at `index`; an error (IndexOutOfRange).
Value elementAt(const Value &list, qint64 index, Work &work);

} // namespace junban::cel
