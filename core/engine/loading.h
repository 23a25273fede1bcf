#pragma once

#include "core/engine/engine.h"

namespace junban::engine {

struct PackedCharge;

// Makes an engine of what Redis has. The journal reads the keys that wanted() names and hands each to take(), until nothing is wanted; a
// key is at most some hundred jobs, so beats can go out between two of them. What the records do not say is derived: orders, counts.
//
//   Loading loading(settings, now_ms);
//   while (!(keys = loading.wanted()).isEmpty())
//       for (key : keys)
//           loading.take(what Redis has under it);
//   loading.finish();
class Loading
{
public:
    // `now_ms`: where engine time begins, the greater of Redis' time and that of the last batch.
    Loading(const Settings &settings, qint64 now_ms);

    // The keys to read next. All of them are to be taken before it is called again.
    QList<WantedKey> wanted() { return std::exchange(m_wanted, {}); }
    // Errors (Internal): something cannot be read, or contradicts what was read before. Then this namespace is not to be served.
    Result<Done> take(const Stored &stored);
    Result<std::unique_ptr<Engine>> finish();

private:
    // A value that stands apart, and the job or result that it belongs to.
    struct Apart {
        JobId id;
        char letter = 0;
    };
    // A key of a matcher, or of one of its constraints.
    struct OfMatcher {
        QByteArray id;
        int constraint = 0;            // 0: the key of its revisions
    };
    struct Parts {
        std::optional<QByteArray> record, state, history, outcome, result, then, marks;
    };

    Result<Done> takeSegments(const Stored &stored);
    Result<Done> takeNames(const Stored &stored);
    Result<Done> takeMessages(const Stored &stored);
    Result<Done> takeTotals(const Stored &stored);
    Result<Done> takeMatchers(const Stored &stored);
    Result<Done> takeOfMatcher(const Stored &stored, const OfMatcher &its);
    bool restoreCharges(JobEntry &job, const std::vector<PackedCharge> &charges);
    Result<Done> takeSegment(const Stored &stored, quint32 segment);
    Result<Done> takeIdempotencyKeys(const Stored &stored);
    Result<Done> takeGroups(const Stored &stored);
    Result<Done> joinGroups();
    Result<Done> takeSchedules(const Stored &stored);
    Result<Done> takeRetention(const Stored &stored);
    Result<Done> takeApart(const Stored &stored, const Apart &apart);
    Result<Done> takePlace(Slot slot, const Parts &parts);
    Result<Done> takeJob(const JobId &id, Slot slot, const Parts &parts);
    bool takeUniqueKey(JobEntry &job, const JobSpec &spec);
    Result<Done> takeResult(const JobId &id, Slot slot, const Parts &parts, bool &purged);
    void wantApart(const JobId &id, Slot slot, char letter);

    std::unique_ptr<Engine> m_engine;
    QList<WantedKey> m_wanted;
    std::map<QByteArray, Apart> m_apart;   // by key
    std::map<QByteArray, OfMatcher> m_ofMatchers; // by key
};

// The first field in which two engines differ, as a path: "jobs.0190….order_ms"; empty: they are equal. What a load does not restore is not
// compared: which segment is being filled, and what the present call has changed.
QByteArray difference(const Engine &a, const Engine &b);

} // namespace junban::engine
