#include "core/redis/doctor.h"

#include "core/base/clock.h"
#include "core/base/reasons/doctor.h"
#include "core/limits.h"
#include "core/lua/schema.h"
#include "core/redis/keys.h"
#include "core/redis/permissions.h"
#include "core/redis/redismatchers.h"
#include "core/redis/redisschedules.h"
#include "core/redis/replication.h"
#include "core/redis/trouble.h"

#include <QHash>
#include <algorithm>
#include <memory>

namespace junban::redis {

namespace {

constexpr int pings = 3;
constexpr int oldestRedis = 7;               // has function libraries
constexpr qint64 slow_ms = 20;               // for the fastest of a few PINGs
constexpr double memoryNear = 0.8;
constexpr qint64 pubsubBytes_min = 1024 * 1024;
constexpr const char *settings[] = {"maxmemory-policy", "appendonly", "appendfsync", "save", "min-replicas-to-write",
    "client-output-buffer-limit"};

// Sends all questions at once, and judges the answers when the last one has come.
class Examination : public std::enable_shared_from_this<Examination>
{
public:
    Examination(Link &link, const QByteArray &namespaceName, DurabilityLevel asked, Callback<Findings> callback)
        : m_link(link)
        , m_prefix(keyPrefix(namespaceName))
        , m_asked(asked)
        , m_callback(std::move(callback))
    {
    }

    void start()
    {
        const auto self = shared_from_this();
        m_link.command({"ROLE"}, [self](const Result<Reply> &role) {
            if (role.ok())
                self->m_role = (*role)[0].bytes();
        });
        m_link.command({"HGET", m_prefix + key::meta, field_of::meta::layout}, [self](const Result<Reply> &layout) {
            if (layout.ok())
                self->m_layout = layout->bytes();
        });
        for (const char *setting : settings) {
            m_link.command({"CONFIG", "GET", setting}, [self, setting](const Result<Reply> &reply) {
                if (reply.ok() && reply->size() >= 2)
                    self->m_settings[setting] = (*reply)[1].bytes();
            });
        }
        m_link.command({"COMMAND", "INFO", "WAITAOF"}, [self](const Result<Reply> &reply) {
            self->m_waitaof = !reply.ok() || (*reply)[0].size() > 0;
        });
        const auto ask = [&](Need need, QByteArray Examination::*denied) {
            const QList<QByteArray> words{"EVAL", permissionsScript().text(), "1", m_prefix};
            m_link.command(words + permissionsAsked(need), [self, denied](const Result<Reply> &reply) {
                if (reply.ok())
                    (*self).*denied = notPermitted(*reply);
                else if (isNotPermitted(reply.error()))
                    (*self).*denied = reply.error().message();
            });
        };
        ask(Need::Must, &Examination::m_denied);
        ask(Need::Better, &Examination::m_deniedBetter);
        m_link.command({"INFO"}, [self](const Result<Reply> &info) {
            if (!info.ok() && info.error().code != ErrorCode::Internal && !isNotPermitted(info.error())) {
                self->m_callback(info.error());
                return;
            }
            if (info.ok())
                self->readInfo(info->bytes());
            self->askSuccessors();
        });
    }

private:
    void add(Severity severity, const char *word, Reason reason) { m_findings.findings.append({severity, word, std::move(reason)}); }

    void readInfo(const QByteArray &text)
    {
        m_replication = ReplicationState::fromInfo(text);
        for (const QByteArray &line : text.split('\n')) {
            const qsizetype colon = line.indexOf(':');
            if (colon > 0)
                m_info[line.first(colon)] = line.mid(colon + 1).trimmed();
        }
    }

    void askSuccessors()
    {
        m_link.askSuccessors([self = shared_from_this()](const Result<Successors> &successors) {
            if (successors.ok())
                self->m_successors = *successors;
            self->ping(pings);
        });
    }

    void ping(int left)
    {
        const qint64 since_ms = Clock::monotonic_ms();
        m_link.command({"PING"}, [self = shared_from_this(), since_ms, left](const Result<Reply> &reply) {
            if (reply.ok())
                self->m_latency_ms = std::min(self->m_latency_ms, Clock::monotonic_ms() - since_ms);
            if (left > 1) {
                self->ping(left - 1);
                return;
            }
            self->judgePermissions();
            self->judgeServer();
            self->judgeSettings();
            self->judgeReplicas();
            self->judgeState();
            self->m_callback(std::move(self->m_findings));
        });
    }

    void judgePermissions()
    {
        if (!m_denied.isEmpty())
            add(Severity::Refused, "not_permitted", reasons::doctorNotPermitted(m_denied));
        else if (!m_deniedBetter.isEmpty())
            add(Severity::Warning, "less_permitted", reasons::doctorLessPermitted(m_deniedBetter));
    }

    void judgeServer()
    {
        if (m_role == "slave")
            add(Severity::Refused, "replica", reasons::doctorReplica());
        if (m_layout.toLongLong() > limits::layout_version)
            add(Severity::Refused, "newer_layout", reasons::doctorNewerLayout(m_layout.toLongLong(), limits::layout_version));
        const QByteArray version = m_info.value("redis_version");
        if (!version.isEmpty() && version.split('.')[0].toInt() < oldestRedis)
            add(Severity::Refused, "too_old", reasons::doctorTooOld(version, oldestRedis));
    }

    void judgeSettings()
    {
        const bool hidden = m_settings.isEmpty();
        if (hidden && m_info.contains("maxmemory_policy")) { // INFO tells the two that matter most
            m_settings["maxmemory-policy"] = m_info["maxmemory_policy"];
            m_settings["appendonly"] = m_info["aof_enabled"] == "1" ? "yes" : "no";
            m_settings["save"] = "?";
        }
        if (hidden)
            add(Severity::Warning, "config_hidden",
                m_settings.isEmpty() ? reasons::doctorConfigHidden() : reasons::doctorConfigPartlyHidden());
        if (m_settings.isEmpty())
            return;
        const QByteArray policy = m_settings["maxmemory-policy"];
        if (policy != "noeviction")
            add(Severity::Refused, "evicting", reasons::doctorEvicting(policy));
        if (m_settings["appendonly"] == "no")
            add(Severity::RefusedUnlessForced, "not_durable", 
                m_settings["save"].isEmpty() ? reasons::doctorNotDurableAtAll() : reasons::doctorNotDurable());
        else if (m_settings["appendfsync"] == "no")
            add(Severity::Warning, "no_fsync", reasons::doctorNoFsync());
        const bool onDisk = m_settings["appendonly"] == "yes" && (m_settings.value("appendfsync", "always") == "always" || m_waitaof);
        if (m_asked == DurabilityLevel::Fsync && !onDisk)
            add(Severity::Warning, "fsync_impossible", reasons::doctorFsyncImpossible());
        const bool sentinels = m_successors.chooser == Successors::Chooser::Sentinels;
        if (m_settings["min-replicas-to-write"] == "0" && (sentinels || m_info.value("connected_slaves").toInt() > 0))
            add(Severity::Warning, "not_fenced", sentinels ? reasons::doctorNotFencedSentinels() : reasons::doctorNotFenced());
        const QList<QByteArray> buffers = m_settings["client-output-buffer-limit"].split(' ');
        const qint64 pubsub = buffers.value(buffers.indexOf("pubsub") + 1).toLongLong();
        if (pubsub > 0 && pubsub < pubsubBytes_min)
            add(Severity::Warning, "small_pubsub_buffer", reasons::doctorSmallPubsubBuffer(pubsub, pubsubBytes_min));
    }

    void judgeReplicas()
    {
        if (m_successors.chooser == Successors::Chooser::Sentinels && m_successors.servers.isEmpty())
            add(Severity::Warning, "no_successor", reasons::doctorNoSuccessor());
        if (!m_replication.primary)
            return; // INFO is not permitted
        QByteArrayList following, missing;
        for (auto each = m_replication.replicas.cbegin(); each != m_replication.replicas.cend(); ++each) {
            if (each->online && each->silent_s <= limits::replica_lag_s)
                following.append(each.key());
        }
        for (const Endpoint &server : m_successors.servers) {
            if (!following.contains(server.text()))
                missing.append(server.text());
        }
        if (!missing.isEmpty())
            add(Severity::Warning, "replica_missing",
                following.isEmpty() ? reasons::doctorReplicasAllMissing(missing) : reasons::doctorReplicaMissing(missing, following));
    }

    void judgeState()
    {
        const double used = m_info.value("used_memory").toDouble();
        const double most = m_info.value("maxmemory").toDouble();
        if (m_info.contains("maxmemory") && most <= 0)
            add(Severity::Warning, "no_maxmemory", reasons::doctorNoMaxmemory());
        else if (most > 0 && used > memoryNear * most)
            add(Severity::Warning, "memory_near", reasons::doctorMemoryNear(qRound64(100 * used / most)));
        if (m_info.value("evicted_keys").toLongLong() > 0)
            add(Severity::Warning, "evicted", reasons::doctorEvicted(m_info.value("evicted_keys").toLongLong()));
        if (m_info.value("aof_last_write_status") == "err")
            add(Severity::Warning, "aof_fails", reasons::doctorAofFails());
        if (m_info.value("rdb_last_bgsave_status") == "err")
            add(Severity::Warning, "snapshots_fail", reasons::doctorSnapshotsFail());
        if (m_latency_ms > slow_ms)
            add(Severity::Warning, "slow", reasons::doctorSlow(m_latency_ms));
    }

    Link &m_link;
    QByteArray m_prefix;
    DurabilityLevel m_asked;
    bool m_waitaof = true; // it may be, where Redis does not permit the question
    QByteArray m_denied, m_deniedBetter; // commands that are not permitted
    Callback<Findings> m_callback;
    QByteArray m_role;
    QByteArray m_layout;
    QHash<QByteArray, QByteArray> m_settings;
    QHash<QByteArray, QByteArray> m_info;
    ReplicationState m_replication;
    Successors m_successors;
    qint64 m_latency_ms = limits::command_deadline_ms;
    Findings m_findings;
};

} // namespace

void examine(Link &link, const QByteArray &namespaceName, DurabilityLevel asked, Callback<Findings> callback)
{
    std::make_shared<Examination>(link, namespaceName, asked, std::move(callback))->start();
}

RedisDoctor::RedisDoctor(Link &link, QByteArray namespaceName, DurabilityLevel asked)
    : m_link(link)
    , m_namespace(std::move(namespaceName))
    , m_asked(asked)
{
}

namespace {

// Looks for matchers and schedules that cannot be read, and adds them to what the server's examination found.
class RecordsExamination : public std::enable_shared_from_this<RecordsExamination>
{
public:
    RecordsExamination(Link &link, const QByteArray &namespaceName, Findings findings, Callback<Findings> callback)
        : m_findings(std::move(findings))
        , m_callback(std::move(callback))
        , m_matchers(link, namespaceName, m_clock, ScriptClock::Redis)
        , m_schedules(link, namespaceName, m_clock, ScriptClock::Redis)
    {
    }

    void lookAtMatchers(const QByteArray &after = {})
    {
        m_matchers.list(after, -1, [self = shared_from_this()](const Result<MatcherStore::Page> &page) {
            for (const KeptMatcher &kept : page.ok() ? page->matchers : QList<KeptMatcher>()) {
                const JobMatcher matcher = CompiledMatcher::compileStored(kept.matcher)->matcher();
                if (!matcher.unreadable.isEmpty())
                    self->add("unreadable_matcher", reasons::doctorUnreadableMatcher(matcher.id, matcher.unreadable));
            }
            if (page.ok() && !page->end)
                self->lookAtMatchers(page->matchers.last().matcher.id);
            else
                self->lookAtSchedules();
        });
    }

private:
    void lookAtSchedules(const QByteArray &after = {})
    {
        m_schedules.list(limits::schedules_page_max, after, [self = shared_from_this()](const Result<SchedulePage> &page) {
            for (const Schedule &schedule : page.ok() ? page->schedules : QList<Schedule>()) {
                if (!schedule.unreadable.isEmpty())
                    self->add("unreadable_schedule", reasons::doctorUnreadableSchedule(schedule.id, schedule.unreadable));
            }
            if (page.ok() && !page->end && !page->schedules.isEmpty())
                self->lookAtSchedules(page->schedules.last().id);
            else
                self->m_callback(std::move(self->m_findings));
        });
    }

    void add(const char *word, Reason reason)
    {
        if (m_findings.findings.size() < limits::unreadable_shown_max)
            m_findings.findings.append({Severity::Warning, word, std::move(reason)});
    }

    Findings m_findings;
    Callback<Findings> m_callback;
    Clock m_clock;
    RedisMatchers m_matchers;
    RedisSchedules m_schedules;
};

} // namespace

void RedisDoctor::examine(Callback<Findings> callback)
{
    redis::examine(m_link, m_namespace, m_asked, [this, callback = std::move(callback)](const Result<Findings> &found) {
        if (!found.ok())
            callback(found);
        else
            std::make_shared<RecordsExamination>(m_link, m_namespace, *found, callback)->lookAtMatchers();
    });
}

} // namespace junban::redis
