// What is changed, as it is changed.
#include "app/base/signals.h"
#include "app/ctl/exits.h"
#include "app/ctl/verbs.h"
#include "core/base/clock.h"
#include "core/base/reasons/ctl.h"
#include "core/jobs/administration.h"
#include "core/limits.h"

#include <QTimer>

namespace junban::app {

namespace {

constexpr qint64 news_wait_ms = 30'000;
constexpr int ask_again_ms = 1'000;             // after an error that passes

// Asks for changes until it is stopped. A master that is away is asked again: the revision says where to go on, so nothing is left out.
class Tail : public QObject
{
public:
    Tail(Session &session, std::optional<qint64> since)
        : m_session(session)
        , m_revision(since)
    {
        connect(&m_signals, &StopSignals::asked, this, [this] { m_session.end(exits::done); });
        m_session.whenUnread([this] { m_session.end(exits::done); });
    }

    void ask()
    {
        m_session.client().changes(m_revision, news_wait_ms, client::guarded<News>(this, [this](const Result<News> &news) { came(news); }));
    }

private:
    void came(const Result<News> &news)
    {
        if (!news.ok()) {
            failed(news.error());
            return;
        }
        if (!m_begun)
            m_session.note("changes after revision " + number(news->changed.isEmpty() || !m_revision ? news->revision : *m_revision)
                + "; Ctrl+C ends this");
        else if (m_away)
            m_session.note(m_session.masterText() + " answers again");
        m_begun = true;
        m_away = false;
        m_revision = news->revision;
        if (!news->changed.isEmpty())
            m_session.show(*news, newsTable, textOf);
        if (m_session.isUnwritten())
            m_session.end(exits::done);
        else
            QTimer::singleShot(limits::changes_pause_ms, this, [this] { ask(); });
    }

    // What was wrong from the beginning is told, and ends it; and so does a token that is not valid any more.
    void failed(const Error &error)
    {
        const bool passes = error.code == ErrorCode::Unreachable || error.code == ErrorCode::StoreUnavailable
            || error.code == ErrorCode::Cancelled;
        if (!m_begun || !passes) {
            m_session.fail(error);
            return;
        }
        if (!m_away)
            m_session.note(m_session.masterText() + " does not answer: " + forTerminal(error.message()) + " It is asked again.");
        m_away = true;
        QTimer::singleShot(ask_again_ms, this, [this] { ask(); });
    }

    static QByteArray textOf(const News &news)
    {
        QByteArrayList kinds;
        for (const Topic topic : news.changed)
            kinds.append(topicWords[size_t(topic)]);
        return timeText(Clock::machine_ms()) + "  " + number(news.revision) + "  " + kinds.join(", ") + '\n';
    }

    Session &m_session;
    StopSignals m_signals;
    std::optional<qint64> m_revision;
    bool m_begun = false;
    bool m_away = false;
};

} // namespace

void changes(Session &session, Flags &flags)
{
    const auto text = flags.text("--since REVISION", "Begin with what was changed after it. Default: now.");
    bool isNumber = true;
    const qint64 since = text ? text->toLongLong(&isNumber) : 0;
    if (!isNumber || since < 0)
        flags.refuse(reasons::optionWholeFromExpected("--since", 0, *text));
    flags.note("Prints a line for each change, at most four a second: when, the revision, and what kinds of things were changed.\n"
               "It goes on when the master was away, until SIGINT (Ctrl+C), SIGTERM or the end of its reader.");
    if (!flags.ready())
        return;
    auto *tail = new Tail(session, text ? std::optional(since) : std::nullopt);
    tail->setParent(&session);
    tail->ask();
}

} // namespace junban::app
