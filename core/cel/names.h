#pragma once

#include "core/cel/program.h"

#include <QByteArray>
#include <QList>

namespace junban::cel {

// A set of job names: single names, and all names with certain prefixes. The empty prefix means every name.
class NameSet
{
public:
    static NameSet none() { return {}; }
    static NameSet any() { return withPrefix({}); }
    static NameSet only(QByteArray name);
    static NameSet withPrefix(QByteArray prefix);

    bool contains(QByteArrayView name) const;
    bool isNone() const { return m_names.isEmpty() && m_prefixes.isEmpty(); }
    bool isAny() const { return m_prefixes.size() == 1 && m_prefixes[0].isEmpty(); }
    const QList<QByteArray> &names() const { return m_names; }       // sorted, none of them under a prefix
    const QList<QByteArray> &prefixes() const { return m_prefixes; } // sorted, none of them under another

    // "never", "names", "prefixes" (with or without single names) or "any": the word that the API and the window show.
    const char *word() const;

    NameSet united(const NameSet &other) const;
    NameSet intersected(const NameSet &other) const;
    friend bool operator==(const NameSet &, const NameSet &) = default;

private:
    // Sorts the lists and drops what a prefix covers. With more than limits::matcher_names_max entries the set becomes any().
    void tidy();

    QList<QByteArray> m_names;
    QList<QByteArray> m_prefixes;
};

// The names of all jobs for which the program can be true. The set may be too large, but never too small. `nameSlot` is the slot of the
// variable that has the job's name.
NameSet matchableNames(const Program &program, qint32 nameSlot);

} // namespace junban::cel
