#pragma once

#include "core/engine/writes.h"
#include "core/jobs/recordvalues.h"

#include <array>
#include <map>

namespace junban::engine {

// For how long jobs that ended are kept: succeeded, failed and cancelled ones, in this order.
using RetentionOfStates = std::array<Kept, 3>;

// How long jobs that ended are kept, for all names and for those that have settings of their own. Redis has them in one hash.
class KeptRetention
{
public:
    // `defaults`: where nothing else is set for all names; each has its age and count.
    explicit KeptRetention(const RetentionOfStates &defaults) : m_defaults(defaults) {}

    RetentionSettings settings() const;
    // For all names; each has its age and count.
    RetentionOfStates general() const;
    // Null: the name has no settings of its own.
    const RetentionOfStates *ofName(const QByteArray &name) const;
    // Names with settings of their own, by name.
    const std::map<QByteArray, RetentionOfStates> &names() const { return m_names; }
    // An empty name: for all names. Returns false when limits::retention_names_max other names have settings.
    bool set(const QByteArray &name, const Retention &retention, Writes &writes);
    void clear(const QByteArray &name, Writes &writes);

    // For loads: a field of retentionKey. False: it cannot be read.
    bool load(const QByteArray &field, QByteArrayView packed);

    // Whether the same is set.
    friend bool operator==(const KeptRetention &a, const KeptRetention &b) { return a.m_all == b.m_all && a.m_names == b.m_names; }

private:
    RetentionOfStates m_defaults;
    RetentionOfStates m_all = {};        // what is set for all names
    std::map<QByteArray, RetentionOfStates> m_names;
};

inline constexpr char retentionKey[] = "retention"; // hash: "n" and a name → its settings; "n" alone: those for all names

} // namespace junban::engine
