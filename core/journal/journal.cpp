#include "core/journal/journal.h"

#include "core/base/clock.h"
#include "core/base/reasons/store.h"
#include "core/journal/bounds.h"
#include "core/journal/functions.h"
#include "core/journal/place.h"
#include "core/redis/keys.h"
#include "core/redis/randomhex.h"
#include "core/redis/trouble.h"

#include <QFile>
#include <QTcpSocket>
#include <algorithm>
#include <cstdio>

namespace junban::journal {

namespace {

constexpr int tick_ms = 100;
constexpr int fullness_ms = 1'000;
constexpr int id_bytes = 16;
constexpr QByteArrayView replica = "READONLY The server is a replica."; // in the words of a write that such a server refuses

QList<QByteArray> textsOf(const redis::Reply &reply)
{
    QList<QByteArray> texts;
    for (qsizetype i = 0; i < reply.size(); ++i)
        texts.append(reply[i].bytes());
    return texts;
}

engine::Stored storedOf(const QList<QByteArray> &words, const redis::Reply &reply)
{
    engine::Stored stored{words[1], {}};
    if (reply.kind() == redis::Reply::Kind::Bulk)
        stored.fields.append({{}, reply.bytes()});
    stored.fields.reserve(reply.size() / 2);
    for (qsizetype i = 0; i + 1 < reply.size(); i += 2)
        stored.fields.append({reply[i].bytes(), reply[i + 1].bytes()});
    return stored;
}

// A function's reply: a number, or {word, time, fields of `lead`}.
Answered answerOf(const redis::Reply &reply)
{
    if (reply.kind() == redis::Reply::Kind::Integer)
        return Confirmed{reply.integer()};
    const Lead lead = Lead::of(textsOf(reply[2]));
    if (reply[0].view() == "TAKEN")
        return Taken{reply[1].integer(), lead};
    return Fenced{lead};
}

// Step 13: only an error that is none of Redis' refusals is a fault.
Answered answerOf(const Error &error)
{
    if (error.code == ErrorCode::Internal && !error.message().contains("Function not found"))
        return Fault{error.message()};
    return Refused{error.code == ErrorCode::Internal ? retryAfter(reasons::redisNotReady(error.message()), 1) : error};
}

Remembered rememberedOf(const QString &path)
{
    QFile file(path);
    if (path.isEmpty() || !file.open(QIODevice::ReadOnly))
        return {};
    const QList<QByteArray> words = file.readAll().trimmed().split(' ');
    bool ok = false;
    const qint64 n = words.value(1).toLongLong(&ok);
    return words.size() == 2 && ok ? Remembered{words[0], n} : Remembered{};
}

} // namespace

Journal::Journal(Options options, Memory &memory, QObject *parent)
    : QObject(parent)
    , m_prefix(options.prefix.isEmpty() ? redis::keyPrefix(options.namespaceName) : options.prefix)
    , m_noteFile(options.noteFile)
    , m_link(std::move(options.address))
    , m_protocol(std::move(options.mine), memory, [] { return redis::randomHex(id_bytes); }, rememberedOf(options.noteFile))
    , m_pass(
          [this] {
              m_protocol.endPass(Clock::monotonic_ms());
              flow();
          },
          NextPass::Stage::Write)
{
    m_link.setHome(m_prefix);
    connect(&m_link, &redis::Link::stateChanged, this, &Journal::linkChanged);
    m_timer.setInterval(tick_ms);
    connect(&m_timer, &QTimer::timeout, this, &Journal::tick);
}

Journal::~Journal()
{
    m_link.disconnect(this);
}

void Journal::start()
{
    m_timer.start();
    m_link.start();
}

qint64 Journal::time_ms()
{
    return m_protocol.time_ms(Clock::monotonic_ms());
}

Reading Journal::reading() const
{
    return m_protocol.reading(Clock::monotonic_ms());
}

void Journal::write(engine::Writes writes)
{
    m_protocol.write(std::move(writes));
    if (m_protocol.full())
        m_protocol.endPass(Clock::monotonic_ms());
    m_pass.ask();
}

void Journal::hold(Answer answer, Proof proof, Patience patience)
{
    m_protocol.hold(std::move(answer), proof, patience, Clock::monotonic_ms());
    m_pass.ask();
}

void Journal::setAddress(const QByteArray &address, const QByteArray &certificate)
{
    m_protocol.setAddress(address, certificate, Clock::monotonic_ms());
    m_pass.ask();
}

void Journal::leave()
{
    m_protocol.leave(Clock::monotonic_ms());
    m_pass.ask();
}

void Journal::linkChanged(redis::LinkState state)
{
    if (state == redis::LinkState::Up) {
        m_away.reset();
        m_byEval = false;
        giveFunctions();
        m_protocol.connected(Clock::monotonic_ms());
    } else if (state == redis::LinkState::Down) {
        m_protocol.broken(Clock::monotonic_ms());
    }
    flow();
}

// Sent before all that calls a function, so its reply comes first.
void Journal::giveFunctions()
{
    m_link.command({"FUNCTION", "LOAD", functions::library()}, [this](const Result<redis::Reply> &reply) {
        const bool exists = !reply.ok() && reply.error().message().contains("already exists");
        if (!reply.ok() && !exists && reply.error().code != ErrorCode::Ambiguous)
            m_byEval = true;
    });
}

void Journal::tick()
{
    m_protocol.tick(Clock::monotonic_ms());
    if (m_link.state() != redis::LinkState::Up)
        askWhyAway();
    else if (Clock::monotonic_ms() - m_fullnessAt_ms >= fullness_ms)
        askFullness();
    flow();
}

// Step 11.
void Journal::askFullness()
{
    m_fullnessAt_ms = Clock::monotonic_ms();
    m_protocol.fullnessAsked();
    m_link.command({"INFO", "memory"}, [this](const Result<redis::Reply> &reply) {
        if (!reply.ok())
            return;
        const auto number = [lines = reply->bytes().split('\n')](const QByteArray &name) {
            for (const QByteArray &line : lines) {
                if (line.startsWith(name))
                    return line.mid(name.size()).trimmed().toLongLong();
            }
            return qint64(0);
        };
        m_protocol.fullness(number("used_memory:"), number("maxmemory:"));
    });
}

// A link that is not up answers each command with the reason, and sends nothing.
void Journal::askWhyAway()
{
    m_link.command({"PING"}, [this](const Result<redis::Reply> &reply) {
        if (!reply.ok())
            m_away = reply.error();
    });
}

// Hands over what the protocol has made: requests first, then answers and events, which may make more.
void Journal::flow()
{
    if (m_flowing) {
        m_pass.ask();
        return;
    }
    m_flowing = true;
    Output output = m_protocol.out();
    for (const Request &request : output.requests)
        carry(request);
    for (const Leaving &leaving : output.answers)
        leaving.answer(leaving.fate);
    for (const Event &event : output.events)
        happened(event);
    m_flowing = false;
}

void Journal::carry(const Request &request)
{
    if (request.kind == Request::Kind::Take || request.kind == Request::Kind::Apply) {
        call(request);
        return;
    }
    if (request.kind == Request::Kind::Read) {
        m_link.command({request.words[0], m_prefix + request.words[1]}, [this, request](const Result<redis::Reply> &reply) {
            answered(request.ticket, reply.ok() ? Answered(storedOf(request.words, *reply)) : answerOf(reply.error()));
        });
        return;
    }
    // Step 1: the role is asked with each read. Who may not ask for it has to rely on the refusals of a replica.
    auto isReplica = std::make_shared<bool>(false);
    m_link.command({"ROLE"}, [isReplica](const Result<redis::Reply> &reply) {
        *isReplica = reply.ok() && (*reply)[0].view() != "master";
    });
    m_link.command(QList<QByteArray>{"HMGET", m_prefix + "lead"} + Lead::fields(),
        [this, isReplica, ticket = request.ticket](const Result<redis::Reply> &reply) {
            if (reply.ok() && !*isReplica)
                answered(ticket, LeadIs{Lead::of(textsOf(*reply))});
            else
                answered(ticket, reply.ok() ? Answered(Refused{redis::errorOf(replica)}) : answerOf(reply.error()));
        });
}

void Journal::call(const Request &request)
{
    const functions::Name name = request.kind == Request::Kind::Take ? functions::Name::Take : functions::Name::Apply;
    QList<QByteArray> words;
    words.reserve(4 + request.words.size());
    if (m_byEval)
        words << QByteArrayLiteral("EVAL") << functions::script(name);
    else
        words << QByteArrayLiteral("FCALL") << functions::called(name);
    words << QByteArrayLiteral("1") << m_prefix << request.words;
    m_link.command(std::move(words), [this, ticket = request.ticket](const Result<redis::Reply> &reply) {
        if (!reply.ok() && reply.error().message().contains("Function not found"))
            giveFunctions();
        answered(ticket, reply.ok() ? answerOf(*reply) : answerOf(reply.error()));
    });
}

// After a break the protocol ignores what comes, as it has been told.
void Journal::answered(quint64 ticket, Answered answered)
{
    m_protocol.answered(ticket, answered, Clock::monotonic_ms());
    flow();
}

void Journal::happened(const Event &event)
{
    switch (event.kind) {
    case Event::Kind::Serving: Q_EMIT servingChanged(m_protocol.serving()); break;
    case Event::Kind::Healed:
        qWarning("journal: Redis had lost %lld answered batches and has them again after %lld ms", event.batches, event.took_ms);
        Q_EMIT healed(event.batches, event.took_ms);
        break;
    case Event::Kind::Rollback:
        qCritical("journal: answered batches are gone: %lld (-1: unknown), cause %d", event.batches, int(event.why));
        Q_EMIT rollback(event.why, event.batches);
        break;
    case Event::Kind::Follows: Q_EMIT follows(); break;
    case Event::Kind::Left: Q_EMIT left(); break;
    case Event::Kind::Stopped:
        qCritical("journal: stopped: %s", event.text.constData());
        Q_EMIT stopped();
        break;
    case Event::Kind::NewerLayout: qCritical("journal: the namespace has the newer layout %lld", event.batches); break;
    case Event::Kind::Note: noteLast(event.text, event.batches); break;
    case Event::Kind::Probe: probe(event.text); break;
    }
}

// Step 2: whether anything listens there still.
void Journal::probe(const QByteArray &place)
{
    const QByteArray address = addressHere(place);
    const qsizetype colon = address.lastIndexOf(':');
    if (m_probing || colon < 0)
        return;
    m_probing = true;
    auto *socket = new QTcpSocket(this);
    const auto end = [this, socket, place](bool refuses) {
        socket->disconnect(this);
        socket->deleteLater();
        m_probing = false;
        m_protocol.probed(place, refuses, Clock::monotonic_ms());
        flow();
    };
    connect(socket, &QTcpSocket::connected, this, [end] { end(false); });
    connect(socket, &QTcpSocket::errorOccurred, this, [end](QAbstractSocket::SocketError error) {
        end(error == QAbstractSocket::ConnectionRefusedError);
    });
    socket->connectToHost(QString::fromUtf8(address.first(colon)), address.mid(colon + 1).toUShort());
}

// Step 17. It is renamed into its place, and not synced: after a crash of the machine it may be a second older, or missing.
void Journal::noteLast(const QByteArray &id, qint64 n)
{
    if (m_noteFile.isEmpty())
        return;
    const QString other = m_noteFile + QStringLiteral(".new");
    QFile file(other);
    const QByteArray line = id + ' ' + QByteArray::number(n) + '\n';
    const bool written = file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(line) == line.size();
    file.close();
    if (!written || std::rename(QFile::encodeName(other).constData(), QFile::encodeName(m_noteFile).constData()) != 0)
        qWarning("journal: %s cannot be written", qUtf8Printable(m_noteFile));
}

} // namespace junban::journal
