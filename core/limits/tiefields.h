#pragma once

#include "core/cel/code.h"
#include "core/cel/names.h"
#include "core/limits/jobvariables.h"

#include <QByteArray>
#include <QList>
#include <deque>

namespace junban {

// What a field of a job is tried with.
struct TieChoice {
    enum class Kind : quint8 { Absent, Map, List, Value }; // Map, List: made of the fields below
    Kind kind = Kind::Value;
    QByteArray bytes = {};         // below job.argument: MessagePack; of the name and the pusher: their text
    QList<QByteArray> texts = {};  // tags
    double number = 0;             // priority, max_retry, keep_result (0, 1) and timeout (ms)
    friend bool operator==(const TieChoice &, const TieChoice &) = default;
};

// A field that expressions mention, or one above it. All below job.argument are a tree; an element of a list stands for any.
struct TieField {
    cel::JobVariable variable = cel::JobVariable::Name;
    int parent = -1;
    QByteArray key;                // its name in its parent, or
    int at = -1;                   // its index, when the parent is a list
    QList<int> children;
    QList<cel::Value> constants;   // what it is compared with: views of the programs
    QList<qint64> sizes;           // what its size is compared with
    bool open = false;             // is used where no constant suggests a value
    QList<TieChoice> choices;
};

// The fields of jobs that expressions mention, and which values are worth trying: the constants beside them and their neighbours.
// What it does not understand (computed keys, the keys of maps in macros) has no values. The programs must outlive it.
class TieFields
{
public:
    TieFields();
    void read(const cel::Code &code);
    // The fields below a node that is in no macro.
    QList<int> mentioned(const cel::Code &code, qint32 node);
    // After all was read: fills in the choices; of names only those in `names`.
    void choose(const cel::NameSet &names);

    // The first ones are the variables of a job, as cel::JobVariable counts them.
    const QList<TieField> &fields() const { return m_fields; }

private:
    // What is compared with each other: one operand of the && and || of an expression.
    struct Atom {
        QList<int> fields;
        QList<int> sized;          // by their size
        QList<cel::Value> constants;
    };
    void relate(const cel::Code &code, qint32 index);
    void gather(const cel::Code &code, qint32 index, Atom &atom, bool sized);
    void assign(const Atom &atom);
    int fieldAt(const cel::Code &code, qint32 index);
    int below(int parent, const QByteArray &key, int at);
    void addConstant(const cel::Value &value, Atom &atom);

    void chooseName(const cel::NameSet &names);
    void chooseArgument(int index);
    void chooseNumber(cel::JobVariable variable, double factor, double min, double max, double usual);
    void chooseTags();

    QList<TieField> m_fields;
    QList<QList<int>> m_links;     // fields compared with one another only
    QList<qint32> m_ranges;        // of the macros around, by slot
    std::deque<QByteArray> m_texts; // that constants view
    int m_visits = 0;
};

} // namespace junban
