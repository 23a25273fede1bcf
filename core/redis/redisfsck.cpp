#include "core/redis/redisfsck.h"

#include "core/base/reasons/fsck.h"
#include "core/base/reasons/store.h"
#include "core/jobs/jobid.h"
#include "core/limits.h"
#include "core/lua/schema.h"
#include "core/redis/damagedkeys.h"
#include "core/redis/fsckreasons.h"
#include "core/redis/keys.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace junban::redis {

namespace {

// The indexes that every namespace has, in the order in which they are checked: places before the indexes that refer to them.
constexpr const char *indexes[] = {key::name_numbers, key::scheduled, key::depends, key::running, key::awaiting, key::succeeded,
    key::failed, key::cancelled, key::expiring, key::window_ends, key::windows_wanted, key::freeing, key::purge, key::results,
    key::idempotency, key::failure_groups, key::stats, key::groups, key::tracked, key::trash, key::schedules, key::schedule_ids,
    key::lane_epochs, key::listed_names, key::parked, key::lane_tags, key::waking, key::idle_buckets, key::ready, key::ready_in_turn,
    key::closing};
// The families of indexes with a key for each lane, bucket and so on. Only keys of these families are checked, whatever a cursor names.
constexpr const char *manyKinds[] = {key::lane, key::listed, key::kept, key::failure_jobs, key::ready_of, key::ready_in_turn_of,
    key::bucket_waiting, key::bucket_running, key::breaker_probes, key::backlog, key::constraint_buckets, key::constraint_waiting,
    key::shut, key::shut_shelves, key::may_open, key::may_open_parts};

bool hasMembers(QByteArrayView name)
{
    const auto *kind = std::find_if(
        std::begin(manyKinds), std::end(manyKinds), [name](const char *begin) { return name.startsWith(QByteArrayView(begin)); });
    return kind != std::end(manyKinds) && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == ':' || c == '|' || c == '.';
    });
}

bool isNumber(const QByteArray &text)
{
    return !text.isEmpty() && text.size() <= 20 && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A key in readable form: ids as text, and other bytes as escapes.
QByteArray shownKey(const QByteArray &name)
{
    const qsizetype colon = name.indexOf(':');
    const auto id = JobId::fromBytes(name.sliced(colon + 1));
    if (id && colon > 0)
        return name.first(colon + 1) + id->text();
    QByteArray shown;
    for (const char c : name)
        shown += c >= ' ' && c <= '~' ? QByteArray(1, c) : "\\x" + QByteArray(1, c).toHex();
    return shown;
}

} // namespace

struct RedisFsck::Tools {
    Link &link;
    QByteArray prefix;
    Script members, keys;
};

// One run: first the indexes that every namespace has, then all keys as SCAN finds them, each batch with its own indexes. The run's cursor
// has SCAN's cursor, the cursor within a set, and the sets that are still to be checked.
class RedisFsck::Pass : public std::enable_shared_from_this<Pass>
{
public:
    Pass(std::shared_ptr<Tools> tools, Repair repair, qint64 calls_max, Callback<FsckReport> callback)
        : m_tools(std::move(tools))
        , m_repair(repair == Repair::Yes ? "1" : "0")
        , m_callsLeft(calls_max)
        , m_callback(std::move(callback))
    {
        start();
    }

    bool setCursor(const QByteArray &cursor)
    {
        QList<QByteArray> words = cursor.split(' ');
        if (cursor.size() > limits::fsck_cursor_bytes_max || words.size() < 2)
            return false;
        m_scan = words.takeFirst();
        m_cursor = words.takeFirst();
        m_sets = words;
        const bool numbers = (m_scan == "done" || isNumber(m_scan)) && isNumber(m_cursor);
        return numbers && std::all_of(words.begin(), words.end(), [](const QByteArray &name) {
            return name == key::totals || hasMembers(name) || std::find(std::begin(indexes), std::end(indexes), name) != std::end(indexes);
        });
    }

    // A namespace with a newer layout has keys that this master does not know.
    void begin()
    {
        const QList<QByteArray> ask{"HGET", m_tools->prefix + key::meta, field_of::meta::layout};
        m_tools->link.command(ask, [self = shared_from_this()](const Result<Reply> &reply) {
            if (reply.ok() && reply->bytes().toLongLong() > limits::layout_version) {
                self->m_callback(reasons::namespaceNewerLayout());
                return;
            }
            self->on(reply, [](const Reply &) {});
        });
    }

    void next()
    {
        const bool mayStop = m_keys.isEmpty() && (!m_sets.isEmpty() || m_scan != "done");
        if (mayStop && m_callsLeft <= 0) {
            m_report.next = m_scan + ' ' + m_cursor;
            for (const QByteArray &name : std::as_const(m_sets))
                m_report.next += ' ' + name;
            m_callback(std::move(m_report));
            return;
        }
        --m_callsLeft;
        if (!m_keys.isEmpty()) {
            askKeys();
        } else if (!m_sets.isEmpty()) {
            askMembers();
        } else if (m_scan != "done") {
            scan();
        } else {
            m_callback(std::move(m_report));
        }
    }

private:
    void start()
    {
        m_sets.clear();
        for (const char *name : indexes)
            m_sets.append(name);
        m_keys.clear();
        m_cursor = m_scan = "0";
    }

    // After a script has failed: damaged keys are the violations that are told then, alone while they are not repaired.
    void lookAtKeys(const Error &error)
    {
        const Repair repair = m_repair == "1" ? Repair::Yes : Repair::No;
        const auto use = [self = shared_from_this(), error, repair](const QList<DamagedKey> &damaged) {
            for (const DamagedKey &each : damaged)
                self->add({"I17", shownKey(each.key), each.damage, repair == Repair::Yes});
            if (damaged.isEmpty()) {
                self->m_callback(error);
            } else if (repair == Repair::Yes) {
                self->start();
                self->next();
            } else {
                self->m_callback(std::move(self->m_report));
            }
        };
        findDamagedKeys(m_tools->link, m_tools->prefix, repair, use);
    }

    void add(const Violation &violation)
    {
        ++m_report.found;
        m_report.repaired += violation.repaired ? 1 : 0;
        if (m_report.violations.size() < limits::fsck_violations_max)
            m_report.violations.append(violation);
    }

    template<typename Use>
    void on(const Result<Reply> &reply, Use use)
    {
        if (!reply.ok()) {
            if (reply.error().code == ErrorCode::Internal && !std::exchange(m_keysKnown, true))
                lookAtKeys(reply.error());
            else
                m_callback(reply.error());
            return;
        }
        use(*reply);
        next();
    }

    void askMembers()
    {
        m_tools->link.run(m_tools->members, {m_tools->prefix}, {"fsck", m_repair, m_sets.first(), m_cursor},
            [self = shared_from_this()](const Result<Reply> &reply) {
                self->on(reply, [&self](const Reply &told) {
                    self->take(told);
                    self->m_cursor = told[4].bytes();
                    if (self->m_cursor == "0")
                        self->m_sets.removeFirst(); // 0 is the first cursor of a set, and says also that the set is done
                });
            });
    }

    void askKeys()
    {
        QList<QByteArray> arguments{"fsck", m_repair};
        while (!m_keys.isEmpty() && arguments.size() < 2 + limits::script_items_max) {
            if (hasMembers(m_keys.last()))
                m_sets.append(m_keys.last());
            arguments.append(m_keys.takeLast());
        }
        m_tools->link.run(m_tools->keys, {m_tools->prefix}, std::move(arguments), [self = shared_from_this()](const Result<Reply> &reply) {
            self->on(reply, [&self](const Reply &told) { self->take(told); });
        });
    }

    void scan()
    {
        const QList<QByteArray> words{"SCAN", m_scan, "MATCH", m_tools->prefix + '*', "COUNT", "500"};
        m_tools->link.command(words, [self = shared_from_this()](const Result<Reply> &reply) {
            self->on(reply, [&self](const Reply &told) {
                self->m_scan = told[0].bytes() == "0" ? QByteArray("done") : told[0].bytes();
                if (self->m_scan == "done")
                    self->m_sets.append(key::totals);
                for (qsizetype i = 0; i < told[1].size(); ++i)
                    self->m_keys.append(told[1][i].bytes().sliced(self->m_tools->prefix.size()));
            });
        });
    }

    void take(const Reply &told)
    {
        m_report.checked += told[2].integer();
        const Reply breaches = told[3];
        for (qsizetype i = 0; i < breaches.size(); ++i) {
            const Reply row = breaches[i];
            add({row[0].bytes(), shownKey(row[1].bytes()), fsckReason(row[2].view()), row[3].integer() != 0});
        }
    }

    const std::shared_ptr<Tools> m_tools;
    const QByteArray m_repair;
    bool m_keysKnown = false;
    qint64 m_callsLeft;
    const Callback<FsckReport> m_callback;
    FsckReport m_report;
    QList<QByteArray> m_sets, m_keys;
    QByteArray m_cursor = "0", m_scan = "0";
};

RedisFsck::RedisFsck(Link &link, const QByteArray &namespaceName, ScriptClock scriptClock)
    : m_tools(std::make_shared<Tools>(
        Tools{link, keyPrefix(namespaceName), makeScript("fsck_members", scriptClock), makeScript("fsck_keys", scriptClock)}))
{
}

RedisFsck::~RedisFsck() = default;

void RedisFsck::look(Repair repair, QByteArray cursor, Callback<FsckReport> callback)
{
    const auto pass = std::make_shared<Pass>(m_tools, repair, limits::fsck_calls_max, callback);
    if (!cursor.isEmpty() && !pass->setCursor(cursor)) {
        const Error error = reasons::fsckCursorUnknown("cursor");
        QMetaObject::invokeMethod(&m_tools->link, [callback, error] { callback(error); }, Qt::QueuedConnection);
        return;
    }
    pass->begin();
}

void RedisFsck::run(Repair repair, Callback<FsckReport> callback)
{
    std::make_shared<Pass>(m_tools, repair, std::numeric_limits<qint64>::max(), std::move(callback))->begin();
}

} // namespace junban::redis
