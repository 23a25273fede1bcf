#include "app/ctl/collect.h"

#include "app/ctl/exits.h"
#include "core/base/clock.h"
#include "core/jobs/jobfields.h"
#include "core/limits/mask.h"
#include "core/msgpack/msgpackwriter.h"

#include <QRandomGenerator>
#include <QTimer>
#include <cstdio>
#include <memory>

namespace junban::app {

namespace {

constexpr int early_ms = 500;            // an answer may come before its time, when a master stops
constexpr int consume_again_ms = 1'000;
constexpr int consume_attempts_max = 5;

std::optional<QByteArrayView> memberOf(const QByteArray &object, const char *key)
{
    const payload::Step path[] = {{QByteArrayView(key), -1}};
    return payload::find(object, path);
}

QByteArray textIn(const QByteArray &object, const char *key)
{
    const auto value = memberOf(object, key);
    const auto token = value ? payload::Reader(*value).next() : std::nullopt;
    return token && token->type == payload::Type::String ? token->bytes.toByteArray() : QByteArray();
}

// The end of a job without an outcome.
struct JobEnd {
    JobState state = JobState::Cancelled;
    QByteArray reason;
};
constexpr Field jobEndFields[] = {
    field::jobState<&JobEnd::state>("state"),
    field::text<&JobEnd::reason>("reason"),
};
constexpr TableOf<JobEnd> jobEndTable{nullptr, jobEndFields};

class Collect : public std::enable_shared_from_this<Collect>
{
public:
    Collect(Session &session, const Collection &collection)
        : m_session(session)
        , m_collection(collection)
        , m_wait_ms(collection.wait_ms)
        , m_reveal(collection.reveal)
        , m_receipt("ctl-" + QByteArray::number(QRandomGenerator::system()->generate64(), 36))
    {
    }

    void look()
    {
        const qint64 asked_ms = Clock::monotonic_ms();
        m_session.client().peekResult(m_collection.id, [self = shared_from_this(), asked_ms](const Result<ResultNow> &now) {
            self->looked(now, Clock::monotonic_ms() - asked_ms);
        }, m_reveal, m_wait_ms);
    }

private:
    bool waits() const { return m_collection.wait_ms > 0; }

    void looked(const Result<ResultNow> &now, qint64 took_ms)
    {
        if (!now.ok() && now.error().code == ErrorCode::Forbidden && m_revealsToKeep)
            take(); // values are hidden from this caller, who is handed them nevertheless
        else if (!now.ok())
            refused(now.error());
        else if (now->status == ResultStatus::Pending && m_collection.untilItEnds)
            QTimer::singleShot(took_ms + early_ms < m_wait_ms ? early_ms : 0, &m_session, [self = shared_from_this()] { self->look(); });
        else if (now->status == ResultStatus::Pending)
            notEnded(now->state);
        else if (now->status == ResultStatus::Ready && isHidden(now->outcome))
            lookBehind();
        else if (now->status == ResultStatus::Ready)
            deliver(now->outcome);
        else if (waits() && m_collection.consumes)
            take(); // another pusher of this job may have been quicker
        else
            askWhy();
    }

    // The same text may stand in a result that hides nothing; then it is just asked for twice.
    bool isHidden(const QByteArray &outcome) const
    {
        return m_collection.consumes && m_reveal == client::Reveal::No && outcome.contains(mask_text);
    }

    void lookBehind()
    {
        m_reveal = client::Reveal::Yes;
        m_revealsToKeep = true;
        m_wait_ms = 0;
        look();
    }

    // Without having seen it.
    void take()
    {
        m_isConsumed = true;
        m_session.client().result(m_collection.id, {0, m_receipt, waits()}, [self = shared_from_this()](const Result<ResultNow> &now) {
            if (!now.ok())
                self->refused(now.error());
            else if (now->status == ResultStatus::Ready)
                self->deliver(now->outcome);
            else
                self->askWhy();
        });
    }

    void refused(const Error &error)
    {
        if (error.code == ErrorCode::NotFound) {
            end(exits::of(exits::unknown));
            return;
        }
        if (m_collection.untilItEnds)
            m_session.note("the job " + m_collection.id.text() + " is pushed; 'junbanctl result' collects its result");
        m_session.fail(error);
    }

    // Shows it, and takes it away only then.
    void deliver(const QByteArray &outcome)
    {
        const bool success = textIn(outcome, "type") == "success";
        const bool whole = m_session.json() || !m_collection.consumes;
        const auto result = memberOf(outcome, "result");
        if (!whole && !success) {
            askReason(outcome);
            return;
        }
        const QByteArray text = whole ? jsonText(outcome) : result ? jsonText(*result) : QByteArray("null");
        if (!m_session.printForGood(text + '\n')) {
            m_session.note(m_isConsumed ? "the result was handed out already" : "the result is still at the master");
            m_session.end(exits::unwritten);
        } else if (success) {
            consume([this] { m_session.end(exits::done); });
        } else {
            consume([this, outcome] { askReason(outcome); });
        }
    }

    // What the job itself says of its end: an outcome knows fewer reasons.
    void askReason(const QByteArray &outcome)
    {
        m_session.client().job(m_collection.id, [self = shared_from_this(), outcome](const Result<Job> &job) {
            const QByteArray reason = job.ok() && job->state == JobState::Failed ? job->reason : textIn(outcome, "reason");
            self->failed(exits::ofJob(JobState::Failed, reason), textIn(outcome, "message"));
        });
    }

    void failed(const exits::Status &status, const QByteArray &message)
    {
        const bool isSaid = m_session.json() || !m_collection.consumes; // the outcome is printed, and consumed
        const QByteArray text = QByteArray(status.word) + ": " + linesForTerminal(message.isEmpty() ? QByteArray(status.meaning) : message);
        if (isSaid)
            m_session.end(status.status);
        else if (std::fprintf(stderr, "%s\n", text.constData()) < 0)
            m_session.end(status.status); // and its outcome stays
        else
            consume([this, &status] { m_session.end(status.status); });
    }

    void consume(std::function<void()> then, int attempt = 1)
    {
        if (!m_collection.consumes || m_isConsumed) {
            then();
            return;
        }
        m_session.client().result(m_collection.id, {0, m_receipt, waits()},
            [self = shared_from_this(), then = std::move(then), attempt](const Result<ResultNow> &now) {
            if (now.ok() || attempt == consume_attempts_max) {
                if (!now.ok())
                    self->m_session.note("the result is still at the master: " + forTerminal(now.error().message()));
                self->m_isConsumed = true;
                then();
                return;
            }
            QTimer::singleShot(consume_again_ms, &self->m_session, [self, then, attempt] { self->consume(then, attempt + 1); });
        });
    }

    // There is no outcome: the job says why.
    void askWhy()
    {
        m_session.client().job(m_collection.id, [self = shared_from_this()](const Result<Job> &job) {
            if (!job.ok())
                self->refused(job.error());
            else if (!isFinal(job->state))
                self->notEnded(job->state);
            else if (job->state == JobState::Succeeded)
                self->end(exits::of(exits::gone), payload::nil);
            else
                self->end(exits::ofJob(job->state, job->reason), pack(jobEndTable, {job->state, job->reason}));
        });
    }

    void notEnded(JobState state)
    {
        if (m_session.json())
            m_session.print(jsonText(pack(stateNowTable, {state})) + '\n');
        else
            m_session.note(QByteArray("pending: the job is ") + stateWord(state));
        m_session.end(exits::pending);
    }

    void end(const exits::Status &status, const QByteArray &answer = {})
    {
        if (m_session.json() && !answer.isEmpty())
            m_session.print(jsonText(answer) + '\n');
        m_session.note(QByteArray(status.word) + ": " + status.meaning);
        m_session.end(status.status);
    }

    Session &m_session;
    const Collection m_collection;
    qint64 m_wait_ms;
    client::Reveal m_reveal;
    bool m_revealsToKeep = false;    // it was not asked for: what is taken away is printed as it is
    bool m_isConsumed = false;
    const QByteArray m_receipt;
};

} // namespace

void collect(Session &session, const Collection &collection)
{
    std::make_shared<Collect>(session, collection)->look();
}

} // namespace junban::app
