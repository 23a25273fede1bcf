#pragma once

#include "core/store/store.h"

#include <QHash>
#include <functional>
#include <map>
#include <set>

namespace junban {

// The claims that wait for a job, oldest first. It uses no store and no clock: when a name has jobs, the queue asks it which claims should
// ask the store again. A claim that is asking the store now is *out*: it stays in the list, but is not woken a second time. One that
// *rests* is never woken. One thread.
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

    // A new wait is out, as it asks at once. back() says that it found nothing.
    void add(Wait wait);
    bool isEmpty() const { return m_waits.empty(); }
    bool contains(Id id) const { return m_waits.count(id) > 0; }
    // Removes a wait, to answer it. Precondition: contains().
    Wait take(Id id);
    // Precondition: contains().
    const ClaimRequest &request(Id id) const { return m_waits.find(id)->second.wait.request; }
    qint64 deadline_ms(Id id) const { return m_waits.find(id)->second.wait.deadline_ms; }
    bool isOut(Id id) const;
    bool isResting(Id id) const { return m_waits.find(id)->second.rests; }

    // Up to `jobs` waits that accept `name`, oldest first. They are then out.
    QList<Id> wake(const QByteArray &name, qint64 jobs);
    // The oldest wait of each distinct set of names, which is enough to find a job whose hint was lost. They are then out.
    QList<Id> wakeOneOfEach();
    // The oldest wait with the same names, for when a claim found jobs and there may be more; 0 when there is none. It is then out.
    Id wakeNextLike(const ClaimRequest &request);
    // The wait has asked, found nothing, and waits on.
    void back(Id id);
    // The wait asks for nothing more. It is not out then.
    void rest(Id id);

    // Waits whose deadline has passed, earliest deadline first; some may be out.
    QList<Id> overdue(qint64 now_ms) const;
    // The earliest deadline; 0 when nothing waits.
    qint64 nextDeadline_ms() const { return m_deadlines.empty() ? 0 : m_deadlines.begin()->first; }
    QList<Id> all() const;
    // The number of waits for each name, without those that rest; "" stands for claims of all names.
    QHash<QByteArray, qint64> countsByName() const;

private:
    struct Entry {
        Wait wait;
        QByteArray key;                      // the names it asks for, sorted and joined
        std::multimap<qint64, Id>::iterator deadline;
        bool rests = false;
    };
    // The waits with the same set of names.
    struct Group {
        std::set<Id> in;                     // those that are not out; ids grow with time, so the oldest comes first
        int size = 0;                        // all, including those that are out and those that rest
        int resting = 0;
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
