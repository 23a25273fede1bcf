#pragma once

#include "core/cel/program.h"

#include <QByteArray>
#include <QList>

namespace junban::cel {

// A set of job names: single ones and all that begin with a prefix. The empty prefix is every name.
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

    // "never", "names", "prefixes" (with or without single names) or "any": what operators are shown.
    const char *word() const;

    NameSet united(const NameSet &other) const;
    NameSet intersected(const NameSet &other) const;
    friend bool operator==(const NameSet &, const NameSet &) = default;

private:
    // Sorts, drops what is covered, and gives up telling names apart beyond limits::matcher_names_max.
    void tidy();

    QList<QByteArray> m_names;
    QList<QByteArray> m_prefixes;
};

// The names a job can have for which the program is true, whatever else the job is: too many at times, never too few. `nameSlot` is the
// slot of the variable that holds the name.
NameSet matchableNames(const Program &program, qint32 nameSlot);

} // namespace junban::cel
