#include "core/operators/matchereditor.h"

#include "core/base/reasons/operators.h"

#include <QPointer>
#include <algorithm>
#include <utility>

namespace junban {

namespace {

const Constraint *constraintOf(const JobMatcher *matcher, const QByteArray &id)
{
    if (!matcher)
        return nullptr;
    const auto found = std::find_if(matcher->constraints.begin(), matcher->constraints.end(),
        [&](const Constraint &constraint) { return constraint.id == id; });
    return found == matcher->constraints.end() ? nullptr : &*found;
}

// Gives each changed constraint the new revision; an unchanged one keeps the revision of its last change.
void stampRevisions(JobMatcher &matcher, const JobMatcher *previous, qint64 revision)
{
    for (Constraint &constraint : matcher.constraints) {
        const Constraint *before = constraintOf(previous, constraint.id);
        constraint.revision = before ? before->revision : 0;
        if (!before || !(constraint == *before))
            constraint.revision = revision;
    }
}

// Shown as the author of changes that the master makes by itself.
constexpr char byTheMaster[] = "master";

// A constraint as it was before it got its `expires_at`; nothing when it did not exist then.
std::optional<Constraint> beforeExpiry(const MatcherStore::History &history, const QByteArray &id, qint64 now_ms)
{
    for (const JobMatcher &revision : history.revisions) {
        const Constraint *constraint = constraintOf(&revision, id);
        if (!constraint)
            return {};
        if (!constraint->expiresAt_ms || *constraint->expiresAt_ms > now_ms)
            return *constraint;
    }
    return {};
}

// An empty map removes the override.
void setOverride(Constraint &constraint, const QByteArray &key, const QByteArray &fields)
{
    const std::optional<payload::Token> head = payload::Reader(fields).next();
    const bool empty = head && head->type == payload::Type::Map && head->count == 0;
    const auto found = std::find_if(constraint.overrides.begin(), constraint.overrides.end(),
        [&](const Override &override) { return override.key == key; });
    if (empty && found != constraint.overrides.end())
        constraint.overrides.erase(found);
    else if (!empty && found != constraint.overrides.end())
        found->fields = fields;
    else if (!empty)
        constraint.overrides.append({key, fields});
}

// The path of a parameter in a request that has only the override: without the part that leads to the override.
QByteArray withinOverride(const QByteArray &field, const QByteArray &key)
{
    const QByteArray path = "overrides." + key;
    const qsizetype at = field.indexOf(path);
    return at >= 0 ? field.mid(at + path.size() + 1) : field;
}

Error tied(const SetTie &tie)
{
    if (!tie.example)
        return reasons::matchersTiedHere(tie.first, tie.second);
    const QByteArrayList fields = tie.example->fields();
    return fields.isEmpty() ? reasons::matchersTiedByJob(tie.first, tie.second, tie.example->name())
                            : reasons::matchersTiedByJobWith(tie.first, tie.second, tie.example->name(), fields);
}

} // namespace

struct MatcherEditor::Change {
    QByteArray id;
    std::optional<JobMatcher> matcher; // none: it is deleted
    Expected expected;
    QByteArray who;
    Callback<Saved> callback;
    bool byTime = false;               // a constraint that has expired must go, even if that makes a tie
    bool ofThePast = false;            // it brings back a revision, whose times may be over
    // Of the attempt under way, the rest of the members.
    std::optional<JobMatcher> previous = {};
    JobMatcher next = {};
    qint64 version = 0;
    int tries = limits::matcher_save_tries_max;
};

MatcherEditor::MatcherEditor(MatcherStore &store, ConstraintStore &constraints, Matchers &matchers, Rereader &rereader, Clock &clock,
                             QObject *parent)
    : QObject(parent)
    , m_store(store)
    , m_constraints(constraints)
    , m_matchers(matchers)
    , m_rereader(rereader)
    , m_clock(clock)
{
    m_timer.setInterval(limits::reread_ms);
    connect(&m_timer, &QTimer::timeout, this, &MatcherEditor::upkeep);
}

void MatcherEditor::start()
{
    m_timer.start();
}

void MatcherEditor::stop()
{
    m_timer.stop();
}

void MatcherEditor::save(JobMatcher matcher, Expected expected, QByteArray who, Callback<Saved> callback)
{
    for (Constraint &constraint : matcher.constraints)
        settleTimes(constraint, m_clock.now_ms());
    const QByteArray id = matcher.id;
    attempt(std::make_shared<Change>(Change{id, std::move(matcher), expected, std::move(who), std::move(callback)}));
}

void MatcherEditor::remove(QByteArray id, Expected expected, QByteArray who, Callback<JobMatcher> callback)
{
    const auto removed = [callback = std::move(callback)](const Result<Saved> &saved) {
        callback(saved.ok() ? Result<JobMatcher>(saved->matcher) : Result<JobMatcher>(saved.error()));
    };
    attempt(std::make_shared<Change>(Change{std::move(id), {}, expected, std::move(who), removed}));
}

void MatcherEditor::revert(QByteArray id, qint64 revision, Expected expected, QByteArray who, Callback<Saved> callback)
{
    m_store.history(id, [this, revision, expected, who, callback = std::move(callback), self = QPointer<MatcherEditor>(this)](
                            const Result<MatcherStore::History> &history) {
        if (!self)
            return;
        if (!history.ok()) {
            callback(history.error());
            return;
        }
        for (const JobMatcher &matcher : history->revisions) {
            if (matcher.revision == revision) {
                attempt(std::make_shared<Change>(Change{matcher.id, matcher, expected, who, callback, false, true}));
                return;
            }
        }
        callback(ofField(reasons::revisionNotFound(), "revision"));
    });
}

void MatcherEditor::overrideKey(KeyOverride change, Expected expected, QByteArray who, Callback<Saved> callback)
{
    m_matchers.refresh([this, change, expected, who, callback, self = QPointer<MatcherEditor>(this)](const Result<Done> &loaded) {
        if (!self)
            return;
        const Matchers::Place place = m_matchers.constraint(change.constraint);
        if (!loaded.ok() || !place.constraint) {
            callback(loaded.ok() ? m_matchers.noConstraint(change.constraint) : loaded.error());
            return;
        }
        JobMatcher next = *place.matcher;
        for (Constraint &constraint : next.constraints) {
            if (constraint.id == change.constraint)
                setOverride(constraint, change.key, change.fields);
        }
        const Result<JobMatcher> readable = JobMatcher::fromMsgpack(next.id, next.packed());
        if (readable.ok()) {
            save(std::move(next), expected, who, callback);
            return;
        }
        Error error = readable.error();
        error.field = withinOverride(error.field, change.key);
        callback(error);
    });
}

void MatcherEditor::history(QByteArray id, Callback<MatcherStore::History> callback)
{
    m_store.history(std::move(id), std::move(callback));
}

void MatcherEditor::attempt(const ChangePtr &change)
{
    m_matchers.refresh([this, change, self = QPointer<MatcherEditor>(this)](const Result<Done> &loaded) {
        if (!self)
            return;
        if (loaded.ok())
            check(change);
        else
            change->callback(loaded.error());
    });
}

// A constraint that the change would end at once, or a pause in it.
std::optional<Error> MatcherEditor::timeIsOver(const Change &change) const
{
    if (change.byTime || change.ofThePast)
        return {};
    for (qsizetype i = 0; i < change.next.constraints.size(); ++i) {
        const Constraint &constraint = change.next.constraints[i];
        const Constraint *before = constraintOf(change.previous ? &*change.previous : nullptr, constraint.id);
        const QByteArray field = timeThatIsOver(constraint, before, m_clock.now_ms());
        if (!field.isEmpty())
            return mustLieAhead("constraints[" + QByteArray::number(i) + "]." + field);
    }
    return {};
}

void MatcherEditor::check(const ChangePtr &change)
{
    const JobMatcher *previous = m_matchers.matcher(change->id);
    change->previous = previous ? std::optional(*previous) : std::nullopt;
    change->version = m_matchers.version();
    if (change->matcher) {
        change->next = *change->matcher;
        change->next.unreadable = {};
        giveConstraintIds(change->next, previous, [&](const QByteArray &id) { return m_matchers.isOfAnother(id, change->id); });
        if (const std::optional<Error> error = timeIsOver(*change)) {
            change->callback(*error);
            return;
        }
        // A stored matcher must be readable: one that is not would hold its jobs.
        const Result<JobMatcher> readable = JobMatcher::fromMsgpack(change->id, change->next.packed());
        if (!readable.ok()) {
            change->callback(readable.error());
            return;
        }
        const cel::Mode mode = change->byTime ? cel::Mode::Kept : cel::Mode::Checked;
        const MatcherCompilation compilation = CompiledMatcher::compile(change->next, mode);
        if (!compilation.matcher) {
            change->callback(Saved{change->next, false, {}, compilation.problems});
            return;
        }
        auto all = m_matchers.set().matchers();
        erase_if(all, [&](const auto &other) { return other->matcher().id == change->id; });
        all.append(compilation.matcher);
        const Result<std::shared_ptr<const MatcherSet>> set = MatcherSet::make(std::move(all));
        if (!set.ok()) {
            change->callback(set.error());
            return;
        }
        for (const SetTie &tie : change->byTime ? QList<SetTie>() : setTies(**set, *compilation.matcher)) {
            if (!tie.example && !tie.own)
                continue; // perhaps no job matches both
            change->callback(ofField(tied(tie), "rank"));
            return;
        }
    }
    if (change->previous && change->previous->unreadable.isEmpty()) {
        keep(change, change->previous->revision + 1);
        return;
    }
    // A matcher with this id may have been deleted before, or its record be damaged; the revisions continue from its last one.
    m_store.history(change->id, [this, change, self = QPointer<MatcherEditor>(this)](const Result<MatcherStore::History> &history) {
        if (!self)
            return;
        if (history.ok())
            keep(change, history->last + 1);
        else
            change->callback(history.error());
    });
}

void MatcherEditor::keep(const ChangePtr &change, qint64 revision)
{
    const JobMatcher *previous = change->previous ? &*change->previous : nullptr;
    MatcherStore::Save save;
    save.version = change->version;
    save.expected = change->expected;
    save.id = change->id;
    save.revision = revision;
    save.who = change->who;
    if (change->matcher) {
        stampRevisions(change->next, previous, revision);
        save.matcher = change->next;
        for (const Constraint &constraint : std::as_const(change->next.constraints))
            save.parameters.append(packForScripts(constraint, change->next.enabled, m_clock.now_ms()));
    }
    save.change = needsNewEpoch(previous, change->matcher ? &change->next : nullptr) ? EpochChange::New : EpochChange::Keep;
    const EpochChange made = save.change;
    m_store.save(std::move(save), [this, change, made, self = QPointer<MatcherEditor>(this)](const Result<MatcherStore::Saved> &saved) {
        if (!self)
            return;
        if (saved.ok())
            m_matchers.adopt(change->id, *saved);
        if (!saved.ok() || made == EpochChange::Keep) {
            kept(change, saved);
            return;
        }
        // Jobs that start from now on are charged by the new matchers. Running jobs are recharged before this is answered.
        m_matchers.refresh([this, change, saved, self](const Result<Done> &loaded) {
            if (!self)
                return;
            if (!loaded.ok()) {
                change->callback(loaded.error());
                return;
            }
            m_rereader.recharge(saved->epoch, [this, change, saved, self](const Result<Done> &charged) {
                if (!self)
                    return;
                m_rereader.hurry();
                if (charged.ok())
                    kept(change, saved);
                else
                    change->callback(charged.error());
            });
        });
    });
}

void MatcherEditor::kept(const ChangePtr &change, const Result<MatcherStore::Saved> &saved)
{
    if (saved.ok()) {
        Q_EMIT changed();
        change->callback(Saved{change->matcher ? saved->kept.matcher : *change->previous, !change->previous, change->previous});
        return;
    }
    const bool raced = saved.error().code == ErrorCode::RevisionMismatch && saved.error().field == "version";
    if (raced && --change->tries > 0)
        attempt(change);
    else
        change->callback(saved.error());
}

void MatcherEditor::upkeep()
{
    const qint64 now_ms = m_clock.now_ms();
    const std::shared_ptr<const MatcherSet> set = m_matchers.share();
    followClosed(now_ms);
    for (const auto &compiled : set->matchers()) {
        const JobMatcher &matcher = compiled->matcher();
        if (compiled->closed())
            continue;
        const auto expired = [&](const Constraint &constraint) {
            return constraint.expiresAt_ms && *constraint.expiresAt_ms <= now_ms;
        };
        if (std::any_of(matcher.constraints.begin(), matcher.constraints.end(), expired))
            expire(matcher, now_ms);
        for (const Constraint &constraint : matcher.constraints) {
            if (followsCalendar(constraint))
                giveBoundaries({&matcher, &constraint, m_matchers.constraint(constraint.id).number}, now_ms);
        }
    }
}

// Which matchers are closed depends on the machine too, and no edit tells when that changes. Then all jobs are read again, which takes the
// jobs of a closed matcher out of its limits and into its hold, or back. A master that has just begun does not know what jobs were read by.
void MatcherEditor::followClosed(qint64 now_ms)
{
    if (m_matchers.version() < 0 || m_following)
        return;
    QList<QByteArray> closed;
    for (const JobMatcher *matcher : m_matchers.closed())
        closed.append(matcher->id);
    const bool edited = m_matchers.version() != std::exchange(m_closedVersion, m_matchers.version());
    if (!closed.isEmpty() && now_ms - m_forgottenAt_ms >= limits::unreadable_again_ms) {
        m_forgottenAt_ms = now_ms;
        m_matchers.forget();
        m_matchers.refresh([](const Result<Done> &) {});
    }
    if (m_closed && *m_closed == closed)
        return;
    const auto wasClosed = [this](const QByteArray &id) { return m_closed->contains(id); };
    if (m_closed && edited && std::all_of(closed.cbegin(), closed.cend(), wasClosed)) { // mended by an edit, which began an epoch
        followed(closed);
        return;
    }
    m_following = true;
    if (m_closed || !closed.isEmpty()) {
        readAllAgain(closed);
        return;
    }
    // Whether a master before this one has left jobs under a hold.
    m_constraints.held({0}, limits::held_buckets_max, [this, closed, self = QPointer<MatcherEditor>(this)](const auto &held) {
        if (!self)
            return;
        const auto byClosed = [](const HeldBucket &bucket) { return !bucket.key.isEmpty(); };
        if (!held.ok())
            m_following = false;
        else if (std::any_of(held->buckets.cbegin(), held->buckets.cend(), byClosed))
            readAllAgain(closed);
        else
            followed(closed);
    });
}

void MatcherEditor::readAllAgain(const QList<QByteArray> &closed)
{
    m_constraints.setConstraints({}, -1, EpochChange::New, [this, closed, self = QPointer<MatcherEditor>(this)](const auto &begun) {
        if (!self)
            return;
        m_following = false;
        if (!begun.ok())
            return;
        followed(closed);
        m_matchers.refresh([this, self, epoch = *begun](const Result<Done> &loaded) {
            if (self && loaded.ok())
                m_rereader.recharge(epoch, [](const Result<Done> &) {});
            if (self)
                m_rereader.hurry();
        });
    });
}

void MatcherEditor::followed(const QList<QByteArray> &closed)
{
    m_following = false;
    m_closed = closed;
    Q_EMIT changed();
}

// Other masters may try the same at the same time; the first one succeeds.
void MatcherEditor::expire(const JobMatcher &matcher, qint64 now_ms)
{
    m_store.history(matcher.id,
        [this, matcher, now_ms, self = QPointer<MatcherEditor>(this)](const Result<MatcherStore::History> &history) {
            if (!self || !history.ok())
                return;
            JobMatcher next = matcher;
            next.constraints.clear();
            for (const Constraint &constraint : matcher.constraints) {
                if (!constraint.expiresAt_ms || *constraint.expiresAt_ms > now_ms)
                    next.constraints.append(constraint);
                else if (const std::optional<Constraint> before = beforeExpiry(*history, constraint.id, now_ms))
                    next.constraints.append(*before);
            }
            const Expected expected{Expected::What::Revision, matcher.revision};
            const auto done = [id = matcher.id](const Result<Saved> &result) {
                if (!result.ok() && result.error().code != ErrorCode::RevisionMismatch && result.error().code != ErrorCode::NotFound)
                    qWarning("matchers: the expired constraints of '%s' could not be removed: %s", id.constData(),
                        result.error().message().constData());
            };
            const bool ended = next.constraints.isEmpty() && matcher.id.startsWith(pause_id_prefix);
            const auto kept = ended ? std::nullopt : std::optional(next);
            attempt(std::make_shared<Change>(Change{matcher.id, kept, expected, byTheMaster, done, true}));
        });
}

void MatcherEditor::giveBoundaries(const Matchers::Place &place, qint64 now_ms)
{
    const QByteArray version = place.constraint->id + '@' + QByteArray::number(place.constraint->revision);
    if (m_boundariesDue_ms.value(version) > now_ms)
        return;
    const qint64 end_ms = boundariesEnd_ms(*place.constraint, now_ms);
    if (end_ms == 0)
        return;
    m_store.refresh(m_matchers.version(), {place.number, packForScripts(*place.constraint, place.matcher->enabled, now_ms)},
        [this, version, end_ms, self = QPointer<MatcherEditor>(this)](const Result<Done> &given) {
            if (self && given.ok())
                m_boundariesDue_ms.insert(version, end_ms);
            else if (self && given.error().code == ErrorCode::RevisionMismatch)
                m_matchers.refresh([](const Result<Done> &) {});
        });
}

} // namespace junban
