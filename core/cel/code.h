#pragma once

#include "core/cel/value.h"

#include <QByteArray>
#include <QList>
#include <deque>
#include <memory>
#include <re2/re2.h>
#include <vector>

namespace junban::cel {

// What a node does. Its operands are the nodes Node::a, b and c; an operation with any number of them has them in Code::children.
enum class Op : quint8 {
    Constant,     // constant
    Name,         // text; only until names are resolved. `rooted`: with a leading dot
    Variable,     // slot: that of the environment
    Local,        // slot: that of a macro around it
    Unbound,      // an unknown name
    Select,       // a.text; `quoted`: the field is written in backquotes
    Has,          // has(a.text)
    HasVariable,  // has() of a variable of the environment: slot
    Index,        // a[b]
    List, Map,    // children
    Not, Negate,  // a
    And, Or,      // children
    Conditional,  // a ? b : c
    Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, In, Add, Subtract, Multiply, Divide, Remainder, // a and b
    Call,         // function, children; the receiver, if there is one, is the first child
    All, Exists, ExistsOne, // a: the list or map; slot: the macro's variable; b: the predicate
    Transform,    // the same; b: the filter or −1, c: the new element
    Filter,       // the same as All
};

enum class Function : quint8 {
    Unknown, Bool, Bytes, Contains, Double, Duration, Dyn, EndsWith, GetDate, GetDayOfMonth, GetDayOfWeek, GetDayOfYear, GetFullYear,
    GetHours, GetMilliseconds, GetMinutes, GetMonth, GetSeconds, Int, Matches, Size, StartsWith, String, Timestamp, Type, UInt,
};

struct Node {
    Op op = Op::Constant;
    Function function = Function::Unknown;
    bool receiver = false;     // Call: a.f(…)
    bool rooted = false;       // Name
    bool quoted = false;       // Select
    quint16 depth = 1;         // of the tree below
    qint32 a = -1;
    qint32 b = -1;
    qint32 c = -1;
    qint32 first = 0;          // of the children
    qint32 count = 0;
    qint32 slot = -1;
    qint32 pattern = -1;       // Call of matches(): the compiled regular expression
    qint32 offset = 0;         // in the expression, in bytes
    qint32 length = 0;         // bytes
    Value constant;
    QByteArray text;           // names
};

// A compiled expression. It does not change after it was made, so threads may share it.
struct Code {
    QByteArray text;
    std::vector<Node> nodes;
    std::vector<qint32> children;
    std::vector<std::unique_ptr<const re2::RE2>> patterns;
    std::deque<QByteArray> bytes;                // the strings and bytes that constants refer to
    std::deque<std::vector<Value>> elements;     // the elements of constant lists and maps
    qint32 root = -1;
    qint32 locals = 0;                           // how deeply macros are nested

    const Node &node(qint32 index) const { return nodes[size_t(index)]; }
    Node &node(qint32 index) { return nodes[size_t(index)]; }
    qint32 child(const Node &parent, qint32 which) const { return children[size_t(parent.first + which)]; }
    // A copy of a value whose bytes this code owns.
    Value keep(const Value &value);
};

// How a function may be called.
struct FunctionRow {
    const char *name;
    Function function;
    bool global;         // f(x)
    bool receiver;       // x.f()
    int arguments_min;   // without the receiver
    int arguments_max;
};
// Null when there is no function of this name.
const FunctionRow *functionNamed(QByteArrayView name);

// A compiled regular expression; null when the text is not one, or when it exceeds the bounds.
std::unique_ptr<const re2::RE2> compilePattern(QByteArrayView pattern, qint64 memory_bytes_max);

} // namespace junban::cel
