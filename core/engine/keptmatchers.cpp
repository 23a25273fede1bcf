#include "core/engine/keptmatchers.h"

#include "core/base/reasons/store.h"
#include "core/engine/packed.h"

#include <algorithm>

namespace junban::engine {

namespace {

constexpr quint8 matcherVersion = 1, revisionVersion = 1, countersVersion = 1;
constexpr char countersField[] = "="; // no id of a matcher
constexpr auto revisions_kept_ms = static_cast<qint64>(limits::matcher_history_s * 1000);

// Without what is kept beside it.
QByteArray withoutEdit(JobMatcher matcher)
{
    matcher.revision = 0;
    matcher.editedAt_ms = 0;
    matcher.editedBy.clear();
    return matcher.packed();
}

JobMatcher withEdit(const QByteArray &id, const QByteArray &packed, qint64 revision, qint64 editedAt_ms, const QByteArray &editedBy)
{
    JobMatcher matcher = JobMatcher::fromStore(id, packed);
    matcher.revision = revision;
    matcher.editedAt_ms = editedAt_ms;
    matcher.editedBy = editedBy;
    return matcher;
}

void writeRevision(const JobMatcher &matcher, Writes &writes)
{
    Packer packer(revisionVersion);
    packer(withoutEdit(matcher), matcher.editedAt_ms, matcher.editedBy);
    writes.setField(revisionsKey(matcher.id), QByteArray::number(matcher.revision), packer.bytes());
}

} // namespace

QByteArray revisionsKey(const QByteArray &id)
{
    return "mr:" + id;
}

Result<Done> KeptMatchers::check(const MatcherStore::Save &save) const
{
    const auto found = m_matchers.find(save.id);
    const Entry *entry = found == m_matchers.end() ? nullptr : &found->second;
    const KeptMatcher *old = entry && entry->kept ? &*entry->kept : nullptr;
    const Error changedMeanwhile = ofField(reasons::matchersChanged(), "version");
    if (save.version != m_version)
        return changedMeanwhile;
    const bool ofOne = save.expected.what == Expected::What::Revision;
    if (!old && (!save.matcher || ofOne))
        return reasons::matcherNotFound();
    if (old && ((ofOne && save.expected.revision != old->matcher.revision) || save.expected.what == Expected::What::Missing))
        return reasons::matcherChanged();
    if (save.revision != (entry ? entry->last : 0) + 1)
        return changedMeanwhile;
    if (!old && m_alive >= limits::matchers_max)
        return reasons::matchersTooMany(limits::matchers_max);
    return Done();
}

MatcherStore::Saved KeptMatchers::keep(const MatcherStore::Save &save, qint64 now_ms, Writes &writes)
{
    Entry &entry = m_matchers[save.id];
    const std::optional<KeptMatcher> old = std::exchange(entry.kept, {});
    entry.last = save.revision;
    entry.deletedAt_ms = save.matcher ? 0 : now_ms;
    m_alive += (save.matcher ? 1 : 0) - (old ? 1 : 0);
    ++m_version;
    m_epoch += save.change == EpochChange::New;
    MatcherStore::Saved saved{m_version, m_epoch, {}};
    if (save.matcher) {
        KeptMatcher kept{*save.matcher, {}};
        kept.matcher.revision = save.revision;
        kept.matcher.editedAt_ms = now_ms;
        kept.matcher.editedBy = save.who;
        for (const Constraint &constraint : std::as_const(kept.matcher.constraints)) {
            // A constraint of another kind gets new buckets, for they keep other things.
            const auto same = [&](const Constraint &before) { return before.id == constraint.id && before.kind() == constraint.kind(); };
            const bool stays = old && std::any_of(old->matcher.constraints.begin(), old->matcher.constraints.end(), same);
            kept.numbers.insert(constraint.id, stays ? old->numbers.value(constraint.id) : ++m_lastNumber);
        }
        entry.revisions[save.revision] = kept.matcher;
        writeRevision(kept.matcher, writes);
        if (qsizetype(entry.revisions.size()) > limits::matcher_revisions_max) {
            writes.removeField(revisionsKey(save.id), QByteArray::number(entry.revisions.begin()->first));
            entry.revisions.erase(entry.revisions.begin());
        }
        saved.kept = kept;
        entry.kept = std::move(kept);
    }
    write(save.id, entry, writes);
    writeCounters(writes);
    compile(save.id);
    return saved;
}

qint64 KeptMatchers::beginEpoch(Writes &writes)
{
    ++m_epoch;
    writeCounters(writes);
    return m_epoch;
}

void KeptMatchers::forgetOld(qint64 now_ms, Writes &writes)
{
    if (qint64(m_matchers.size()) == m_alive)
        return;
    for (auto next = m_matchers.begin(); next != m_matchers.end();) {
        if (next->second.kept || next->second.deletedAt_ms + revisions_kept_ms > now_ms) {
            ++next;
            continue;
        }
        writes.removeField(matchersKey, next->first);
        writes.removeKey(revisionsKey(next->first));
        next = m_matchers.erase(next);
    }
}

const KeptMatcher *KeptMatchers::find(const QByteArray &id) const
{
    const auto found = m_matchers.find(id);
    return found != m_matchers.end() && found->second.kept ? &*found->second.kept : nullptr;
}

MatcherStore::Page KeptMatchers::page(const QByteArray &after, qint64 known) const
{
    MatcherStore::Page page{m_version, m_epoch, {}, true};
    if (known == m_version)
        return page;
    for (auto next = after.isEmpty() ? m_matchers.begin() : m_matchers.upper_bound(after); next != m_matchers.end(); ++next) {
        if (!next->second.kept)
            continue;
        if (page.matchers.size() == limits::matchers_page_max) {
            page.end = false;
            break;
        }
        page.matchers.append(*next->second.kept);
    }
    return page;
}

MatcherStore::History KeptMatchers::history(const QByteArray &id) const
{
    MatcherStore::History history;
    const auto found = m_matchers.find(id);
    if (found == m_matchers.end())
        return history;
    history.last = found->second.last;
    history.deleted = !found->second.kept;
    for (const auto &[revision, matcher] : found->second.revisions)
        history.revisions.prepend(matcher);
    return history;
}

void KeptMatchers::writeCounters(Writes &writes) const
{
    Packer packer(countersVersion);
    packer(m_version, m_epoch, m_lastNumber);
    writes.setField(matchersKey, countersField, packer.bytes());
}

void KeptMatchers::write(const QByteArray &id, const Entry &entry, Writes &writes)
{
    Packer packer(matcherVersion);
    packer(entry.last, entry.deletedAt_ms, entry.kept.has_value());
    if (entry.kept) {
        const JobMatcher &matcher = entry.kept->matcher;
        packer(withoutEdit(matcher), matcher.editedAt_ms, matcher.editedBy, matcher.constraints.size());
        for (const Constraint &constraint : matcher.constraints)
            packer(constraint.id, entry.kept->numbers.value(constraint.id));
    }
    writes.setField(matchersKey, id, packer.bytes());
}

bool KeptMatchers::load(const QByteArray &field, QByteArrayView packed)
{
    Unpacker unpacker(packed);
    if (field == countersField) {
        unpacker(m_version, m_epoch, m_lastNumber);
        return unpacker.version() == countersVersion && unpacker.complete();
    }
    Entry entry;
    bool kept = false;
    unpacker(entry.last, entry.deletedAt_ms, kept);
    if (kept) {
        QByteArray matcher, editedBy;
        qint64 editedAt_ms = 0;
        qsizetype constraints = 0;
        unpacker(matcher, editedAt_ms, editedBy, constraints);
        entry.kept = KeptMatcher{withEdit(field, matcher, entry.last, editedAt_ms, editedBy), {}};
        for (; constraints > 0 && unpacker.ok(); --constraints) {
            QByteArray id;
            int number = 0;
            unpacker(id, number);
            entry.kept->numbers.insert(id, number);
        }
        ++m_alive;
    }
    m_matchers[field] = std::move(entry);
    return unpacker.version() == matcherVersion && unpacker.complete();
}

bool KeptMatchers::loadRevision(const QByteArray &id, const QByteArray &field, QByteArrayView packed)
{
    Unpacker unpacker(packed);
    QByteArray matcher, editedBy;
    qint64 editedAt_ms = 0;
    unpacker(matcher, editedAt_ms, editedBy);
    bool ok = false;
    const qint64 revision = field.toLongLong(&ok);
    m_matchers[id].revisions[revision] = withEdit(id, matcher, revision, editedAt_ms, editedBy);
    return ok && unpacker.version() == revisionVersion && unpacker.complete();
}

bool KeptMatchers::loaded()
{
    QList<std::shared_ptr<const CompiledMatcher>> compiled;
    for (const auto &[id, entry] : m_matchers) {
        if (entry.kept)
            compiled.append(CompiledMatcher::compileStored(entry.kept->matcher));
    }
    const Result<std::shared_ptr<const MatcherSet>> set = MatcherSet::make(std::move(compiled));
    if (set.ok())
        m_set = *set;
    return set.ok();
}

// Only the matcher that was saved is compiled.
bool KeptMatchers::compile(const QByteArray &id)
{
    QList<std::shared_ptr<const CompiledMatcher>> compiled = m_set->matchers();
    if (const std::shared_ptr<const CompiledMatcher> before = m_set->matcher(id))
        compiled.removeOne(before);
    if (const KeptMatcher *kept = find(id))
        compiled.append(CompiledMatcher::compileStored(kept->matcher));
    const Result<std::shared_ptr<const MatcherSet>> set = MatcherSet::make(std::move(compiled));
    if (set.ok())
        m_set = *set;
    return set.ok();
}

QList<QByteArray> KeptMatchers::ids() const
{
    QList<QByteArray> ids;
    for (const auto &[id, entry] : m_matchers)
        ids.append(id);
    return ids;
}

bool operator==(const KeptMatchers &a, const KeptMatchers &b)
{
    const auto same = [](const auto &x, const auto &y) {
        const KeptMatchers::Entry &one = x.second, &other = y.second;
        const bool kept = one.kept && other.kept ? one.kept->matcher == other.kept->matcher && one.kept->numbers == other.kept->numbers
                                                 : !one.kept && !other.kept;
        return x.first == y.first && kept && one.last == other.last && one.deletedAt_ms == other.deletedAt_ms
            && one.revisions == other.revisions;
    };
    return a.m_version == b.m_version && a.m_epoch == b.m_epoch && a.m_lastNumber == b.m_lastNumber && a.m_alive == b.m_alive
        && std::equal(a.m_matchers.begin(), a.m_matchers.end(), b.m_matchers.begin(), b.m_matchers.end(), same);
}

} // namespace junban::engine
