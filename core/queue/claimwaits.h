#pragma once

#include "core/store/store.h"

#include <QHash>
#include <functional>
#include <map>
#include <set>

namespace junban {

// The claims that wait for a job, in the order in which they came. Knows no store and no clock: the queue asks it who should look
// again when a name has jobs. A claim that is asking right now is *out*; it stays here, but is not woken a second time.
class ClaimWaits
{
public:
    using Id = quint64;

    struct Wait {
        Id id = 0;
        ClaimRequest request;
        qint64 deadline_ms = 0;              // on Clock::monotonic_ms
        std::function<void(Result<Claimed>)> answer;
    };

    // A new wait is out: it asks at once. It stays when it comes back() with nothing.
    void add(Wait wait);
    bool contains(Id id) const { return m_waits.count(id) > 0; }
    // Takes a wait out of here, to answer it.
    Wait take(Id id);
    // Of a wait that is here.
    const ClaimRequest &request(Id id) const { return m_waits.find(id)->second.wait.request; }
    qint64 deadline_ms(Id id) const { return m_waits.find(id)->second.wait.deadline_ms; }
    bool isOut(Id id) const;

    // Up to `jobs` waits that accept `name`, oldest first; they are out from now on.
    QList<Id> wake(const QByteArray &name, qint64 jobs);
    // The oldest wait of each distinct set of names: enough to find any job that nobody was told of. They are out from now on.
    QList<Id> wakeOneOfEach();
    // After `id` found jobs, another wait with the same names may find more: the oldest, out from now on; 0 when there is none.
    Id wakeNextLike(const ClaimRequest &request);
    // The wait found nothing and stays.
    void back(Id id);

    // Waits whose time is up, oldest deadline first; some may be out.
    QList<Id> overdue(qint64 now_ms) const;
    // When the next wait's time is up; 0 when none waits.
    qint64 nextDeadline_ms() const { return m_deadlines.empty() ? 0 : m_deadlines.begin()->first; }
    QList<Id> all() const;
    // How many there are for each name that is asked for; "": all names.
    QHash<QByteArray, qint64> countsByName() const;

private:
    struct Entry {
        Wait wait;
        QByteArray key;                      // the names it asks for, sorted and joined
        std::multimap<qint64, Id>::iterator deadline;
    };
    // The waits with the same set of names.
    struct Group {
        std::set<Id> in;                     // those that are not out; ids grow with time, so the oldest comes first
        int size = 0;                        // with those that are out
    };

    static QByteArray keyOf(const ClaimRequest &request);
    static QList<QByteArray> namesOf(const ClaimRequest &request);
    Id wakeOldest(Group &group);

    std::map<Id, Entry> m_waits;
    QHash<QByteArray, Group> m_groups;
    QHash<QByteArray, QList<QByteArray>> m_keysOfName; // name → the groups that accept it; "" → the group of all names
    std::multimap<qint64, Id> m_deadlines;
};

} // namespace junban
