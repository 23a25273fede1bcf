#include "core/redis/doctor.h"

#include "core/limits.h"
#include "core/redis/keys.h"

#include <memory>

namespace junban::redis {

namespace {

// A few questions, in order; each answer adds its findings.
class Examination : public std::enable_shared_from_this<Examination>
{
public:
    Examination(Link &link, const QByteArray &namespaceName, Callback<QList<Finding>> callback)
        : m_link(link)
        , m_meta(keyPrefix(namespaceName) + "meta")
        , m_callback(std::move(callback))
    {
    }

    void start()
    {
        m_link.command({"ROLE"}, [self = shared_from_this()](const Result<Reply> &role) {
            if (!role.ok() && role.error().code != ErrorCode::Internal) {
                self->m_callback(role.error());
                return;
            }
            if (role.ok() && (*role)[0].view() == "slave")
                self->add(Severity::Refused, "replica", "This Redis is a replica; jobs must go to the primary.");
            self->askLayout();
        });
    }

private:
    void add(Severity severity, const char *word, QByteArray message) { m_findings.append({severity, word, std::move(message)}); }

    // The value of a setting, or nothing when this user may not ask.
    void ask(const char *setting, std::function<void(std::optional<QByteArray>)> then)
    {
        m_link.command({"CONFIG", "GET", setting}, [self = shared_from_this(), then = std::move(then)](const Result<Reply> &reply) {
            if (reply.ok() && reply->size() >= 2)
                then((*reply)[1].bytes());
            else
                then({});
        });
    }
    void askLayout()
    {
        m_link.command({"HGET", m_meta, "layout"}, [self = shared_from_this()](const Result<Reply> &layout) {
            if (layout.ok() && layout->integer() > limits::layout_version)
                self->add(Severity::Refused, "newer_layout", "A newer Junban keeps this namespace (layout " + layout->bytes()
                        + "); this one knows layout " + QByteArray::number(limits::layout_version) + '.');
            self->askPolicy();
        });
    }
    void askPolicy()
    {
        ask("maxmemory-policy", [this](const std::optional<QByteArray> &policy) {
            if (!policy)
                add(Severity::Warning, "config_hidden", "CONFIG GET is not permitted: eviction and durability cannot be checked.");
            else if (*policy != "noeviction")
                add(Severity::Refused, "evicting", "maxmemory-policy is " + *policy + "; it must be noeviction, or jobs vanish.");
            askDurability();
        });
    }
    void askDurability()
    {
        ask("appendonly", [this](const std::optional<QByteArray> &appendOnly) {
            if (appendOnly == "no")
                add(Severity::RefusedUnlessForced, "not_durable", "appendonly is no: a crash of Redis loses acknowledged jobs.");
            ask("maxmemory", [this](const std::optional<QByteArray> &memory) {
                if (memory == "0")
                    add(Severity::Warning, "no_maxmemory", "maxmemory is not set: Redis may grow until the machine has no memory left.");
                m_callback(std::move(m_findings));
            });
        });
    }

    Link &m_link;
    QByteArray m_meta;
    Callback<QList<Finding>> m_callback;
    QList<Finding> m_findings;
};

} // namespace

void examine(Link &link, const QByteArray &namespaceName, Callback<QList<Finding>> callback)
{
    std::make_shared<Examination>(link, namespaceName, std::move(callback))->start();
}

} // namespace junban::redis
