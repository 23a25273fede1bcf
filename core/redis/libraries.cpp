#include "core/redis/libraries.h"

#include <QPointer>
#include <QSet>

namespace junban::redis {

namespace {

constexpr int look_ms = 3'600'000;

} // namespace

Libraries::Libraries(Link &link, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock, QObject *parent)
    : QObject(parent)
    , m_link(link)
    , m_caller(link, namespaceName, clock, "libraries")
    , m_scriptClock(scriptClock)
    , m_note(makeScript("note_libraries", scriptClock))
{
    m_timer.setInterval(look_ms);
    connect(&m_timer, &QTimer::timeout, this, &Libraries::look);
    connect(&m_link, &Link::stateChanged, this, [this](LinkState state) {
        if (state == LinkState::Up)
            look();
    });
    m_timer.start();
    look();
}

void Libraries::look()
{
    if (m_looking || m_link.state() != LinkState::Up)
        return;
    m_looking = true;
    m_loaded = m_deleted = 0;
    m_link.command({"FUNCTION", "LIST", "LIBRARYNAME", "junban_*"}, [this, self = QPointer<Libraries>(this)](const Result<Reply> &known) {
        if (!self)
            return;
        if (known.ok())
            loadMissing(*known);
        else
            end();
    });
}

// `known`: {'library_name', name, …} for each library.
void Libraries::loadMissing(const Reply &known)
{
    QSet<QByteArray> there;
    for (qsizetype i = 0; i < known.size(); ++i)
        there.insert(known[i][1].bytes());
    m_used.clear();
    m_missing.clear();
    const auto libraries = allLibraries(m_scriptClock);
    for (const auto &library : libraries) {
        m_used.append(library->name);
        if (!there.contains(library->name))
            m_missing.push_back(library);
    }
    loadNext();
}

// One at a time, so that others get their turns at Redis between them.
void Libraries::loadNext()
{
    if (m_missing.empty()) {
        note();
        return;
    }
    m_link.command({"FUNCTION", "LOAD", m_missing.front()->text()}, [this, self = QPointer<Libraries>(this)](const Result<Reply> &reply) {
        if (!self)
            return;
        const bool exists = !reply.ok() && reply.error().message().contains("already exists"); // another link was quicker
        if (!reply.ok() && !exists) {
            const Error &error = reply.error();
            if (error.code != ErrorCode::StoreUnavailable && error.code != ErrorCode::Ambiguous) // the link says those
                qWarning("redis: the library %s was not loaded: %s", m_missing.front()->name.constData(), error.message().constData());
            m_missing.clear();
            end();
            return;
        }
        m_loaded += reply.ok() ? 1 : 0;
        m_missing.pop_front();
        loadNext();
    });
}

void Libraries::note()
{
    m_caller.run<QList<QByteArray>>(
        m_note, QList<QByteArray>{"0"} + m_used,
        [this](const Result<QList<QByteArray>> &unused) {
            if (unused.ok() && !unused->isEmpty())
                drop(*unused);
            else
                end();
        },
        [](const Reply &reply) {
            QList<QByteArray> unused;
            for (qsizetype i = 0; i < reply[2].size(); ++i)
                unused.append(reply[2][i].bytes());
            return unused;
        });
}

// Deletes libraries, and takes those that are gone out of the notes.
void Libraries::drop(QList<QByteArray> unused)
{
    auto gone = std::make_shared<QList<QByteArray>>();
    for (const QByteArray &name : std::as_const(unused)) {
        const bool last = name == unused.last();
        const auto deleted = [this, self = QPointer<Libraries>(this), gone, name, last](const Result<Reply> &reply) {
            if (!self)
                return;
            m_deleted += reply.ok() ? 1 : 0;
            if (reply.ok() || reply.error().code == ErrorCode::Internal) // Internal: somebody else has deleted it
                gone->append(name);
            if (last && !gone->isEmpty())
                m_caller.run<Done>(m_note, QList<QByteArray>{QByteArray::number(gone->size())} + *gone,
                    [this](const Result<Done> &) { end(); }, [](const Reply &) { return Done(); });
            else if (last)
                end();
        };
        m_link.command({"FUNCTION", "DELETE", name}, deleted);
    }
}

void Libraries::end()
{
    m_looking = false;
    Q_EMIT looked(m_loaded, m_deleted);
}

} // namespace junban::redis
