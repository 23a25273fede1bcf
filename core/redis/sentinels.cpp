#include "core/redis/sentinels.h"

#include "core/base/clock.h"
#include "core/base/reasons/store.h"

#include <algorithm>
#include <set>

namespace junban::redis {

namespace {

constexpr qint64 ask_ms = 1'000;         // how long the Sentinels have for their answers
constexpr qint64 grace_ms = 100;         // how long to wait for the others when a majority agrees: one may know of a later failover
constexpr qint64 pause_ms = 500;         // between two connections to a Sentinel
constexpr qsizetype seats_max = 32;

// A field of a server, which a Sentinel describes as an array: field, value, field, value, …
Reply fieldOf(const Reply &row, QByteArrayView field)
{
    for (qsizetype i = 0; i + 1 < row.size(); i += 2) {
        if (row[i].view() == field)
            return row[i + 1];
    }
    return {};
}

Endpoint endpointOf(const Reply &host, const Reply &port)
{
    return Endpoint{host.bytes(), quint16(port.integer())};
}

Endpoint endpointOf(const Reply &row)
{
    return endpointOf(fieldOf(row, "ip"), fieldOf(row, "port"));
}

Error noMajority(Error why)
{
    return retryAfter(std::move(why), 1);
}

} // namespace

// What one Sentinel knows.
struct Sentinels::Opinion {
    QByteArray sentinel;           // its id; a Sentinel with several addresses counts once
    QByteArray refusal;            // the error with which it refused a question; empty: none
    Endpoint primary;
    qint64 epoch = 0;
    qsizetype sentinels = 0;       // how many Sentinels there are, including itself
    QList<Endpoint> servers;       // the servers that it may promote, including the primary
    QList<Endpoint> never;
    QList<QPair<QByteArray, Endpoint>> colleagues;
};

// One Sentinel and the connection to it, which stays open until it breaks.
struct Sentinels::Seat {
    Seat(qsizetype n, Endpoint where) : number(n), at(std::move(where)) {}

    qsizetype number;              // its place in m_seats
    Endpoint at;
    QByteArray sentinel;           // its id, once it is known
    Connection *connection = nullptr;
    bool silent = false;           // its last answer was late: it is not waited for until it answers quickly again
    int owed = 0;                  // answers that are due
    qint64 owedSince_ms = 0;       // since when the oldest of them is due
    qint64 again_ms = 0;           // no new connection before this time
};

struct Sentinels::Round {
    Callback<Agreement> callback;
    qint64 since_ms = 0;
    std::set<qsizetype> waiting;   // the seats whose answers are due
    QList<Opinion> opinions;
    Error why = reasons::sentinelsSilent();
    bool ended = false;
};

Sentinels::Sentinels(const Address &address, QObject *parent)
    : QObject(parent)
    , m_address(address)
    , m_sentinels(address.endpoints.size())
{
    for (const Endpoint &endpoint : address.endpoints.first(std::min(address.endpoints.size(), seats_max)))
        m_seats.push_back(std::make_unique<Seat>(qsizetype(m_seats.size()), endpoint));
}

Sentinels::~Sentinels() = default;

Sentinels::Seat *Sentinels::seatFor(const Endpoint &at)
{
    if (qsizetype(m_seats.size()) < seats_max) {
        m_seats.push_back(std::make_unique<Seat>(qsizetype(m_seats.size()), at));
        return m_seats.back().get();
    }
    // A Sentinel that was learnt from another one, and has gone, loses its seat.
    const auto gone = std::find_if(m_seats.begin() + std::min(m_address.endpoints.size(), seats_max), m_seats.end(),
        [](const auto &seat) { return !seat->connection && seat->silent; });
    if (gone == m_seats.end())
        return nullptr;
    **gone = Seat((*gone)->number, at);
    return gone->get();
}

void Sentinels::ask(Callback<Agreement> callback)
{
    auto round = std::make_shared<Round>();
    round->callback = std::move(callback);
    round->since_ms = Clock::monotonic_ms();
    m_rounds.push_back(round);
    for (size_t i = 0; i < m_seats.size(); ++i)
        question(*m_seats[i], round);
    if (round->waiting.empty())
        QMetaObject::invokeMethod(this, [this, round] { judge(round); }, Qt::QueuedConnection);
}

void Sentinels::open(Seat &seat)
{
    seat.connection = new Connection(seat.at, m_address, this);
    connect(seat.connection, &Connection::lost, this, [this, number = seat.number] {
        Seat &gone = *m_seats[size_t(number)];
        gone.silent = true;
        gone.owed = 0;
        gone.again_ms = Clock::monotonic_ms() + pause_ms;
        std::exchange(gone.connection, nullptr)->deleteLater();
        for (const RoundPtr &round : std::vector(m_rounds))
            answered(round, number, noMajority(reasons::sentinelsUnreachable()));
    });
    seat.connection->open();
    if (m_address.sentinelPassword.isEmpty())
        return;
    QList<QByteArray> words{"AUTH"};
    if (!m_address.sentinelUser.isEmpty())
        words.append(m_address.sentinelUser);
    words.append(m_address.sentinelPassword);
    seat.connection->send(words, [](const Result<Reply> &) {}); // the next replies say whether it was accepted
}

// Asks for the primary before and after its epoch, so that both are of the same moment. During a failover the leading Sentinel answers
// `SENTINEL MASTER` with the new epoch and the old primary's address; only `SENTINEL GET-MASTER-ADDR-BY-NAME` has the new address.
void Sentinels::question(Seat &seat, const RoundPtr &round)
{
    const qint64 now_ms = Clock::monotonic_ms();
    if (seat.connection ? seat.owed > 0 && now_ms - seat.owedSince_ms > ask_ms : now_ms < seat.again_ms)
        return; // a Sentinel that does not answer gets no further questions
    round->waiting.insert(seat.number);
    if (!seat.connection)
        open(seat);
    if (seat.owed++ == 0)
        seat.owedSince_ms = now_ms;
    const auto refused = [](Opinion &opinion, const Result<Reply> &reply) {
        if (reply.ok() && reply->isError())
            opinion.refusal = reply->bytes();
        return !reply.ok() || reply->isError();
    };
    auto opinion = std::make_shared<Opinion>();
    const QByteArray name = m_address.sentinelName;
    Connection &to = *seat.connection;
    to.send({"SENTINEL", "MYID"}, [opinion, refused](const Result<Reply> &reply) {
        if (!refused(*opinion, reply))
            opinion->sentinel = reply->bytes();
    });
    to.send({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", name}, [opinion](const Result<Reply> &reply) {
        if (reply.ok())
            opinion->primary = endpointOf((*reply)[0], (*reply)[1]);
    });
    to.send({"SENTINEL", "MASTER", name}, [opinion](const Result<Reply> &reply) {
        if (!reply.ok() || reply->isError())
            return; // that it does not know the primary is reported below
        opinion->epoch = fieldOf(*reply, "config-epoch").integer();
        opinion->sentinels = 1 + fieldOf(*reply, "num-other-sentinels").integer();
        opinion->servers.append(endpointOf(*reply));
    });
    to.send({"SENTINEL", "REPLICAS", name}, [opinion, refused](const Result<Reply> &reply) {
        for (qsizetype i = 0; !refused(*opinion, reply) && i < reply->size(); ++i) {
            const bool never = fieldOf((*reply)[i], "slave-priority").view() == "0";
            const Endpoint at = endpointOf((*reply)[i]);
            if (at.port != 0) // 0: a tool that only reads the stream
                (never ? opinion->never : opinion->servers).append(at);
        }
    });
    to.send({"SENTINEL", "SENTINELS", name}, [opinion, refused](const Result<Reply> &reply) {
        for (qsizetype i = 0; !refused(*opinion, reply) && i < reply->size(); ++i)
            opinion->colleagues.append({fieldOf((*reply)[i], "runid").bytes(), endpointOf((*reply)[i])});
    });
    to.send({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", name}, [this, round, number = seat.number, opinion](const Result<Reply> &reply) {
        if (!reply.ok())
            return; // lost() has reported it
        Seat &from = *m_seats[size_t(number)];
        from.silent = Clock::monotonic_ms() - round->since_ms > grace_ms;
        from.owedSince_ms = Clock::monotonic_ms();
        --from.owed;
        if (reply->isError())
            answered(round, number, noMajority(reasons::sentinelSays(reply->view())));
        else if (reply->size() != 2)
            answered(round, number, noMajority(reasons::sentinelsKnowNoPrimary(m_address.sentinelName)));
        else if (!opinion->refusal.isEmpty())
            answered(round, number, noMajority(reasons::sentinelSays(opinion->refusal)));
        else if (endpointOf((*reply)[0], (*reply)[1]) != opinion->primary || opinion->sentinels == 0)
            answered(round, number, noMajority(reasons::sentinelChanging()));
        else
            answered(round, number, std::move(*opinion));
    });
}

void Sentinels::answered(const RoundPtr &round, qsizetype number, Result<Opinion> opinion)
{
    if (round->ended || round->waiting.erase(number) == 0)
        return;
    if (opinion.ok()) {
        m_seats[size_t(number)]->sentinel = opinion->sentinel;
        const bool counted = std::any_of(round->opinions.cbegin(), round->opinions.cend(),
            [&](const Opinion &one) { return one.sentinel == opinion->sentinel; });
        if (!counted)
            round->opinions.append(*opinion);
    } else {
        round->why = opinion.error();
    }
    judge(round);
}

// Asks the Sentinels that the address does not name, but that others know.
void Sentinels::askColleagues(const RoundPtr &round)
{
    for (const Opinion &opinion : QList(round->opinions)) {
        for (const auto &[sentinel, at] : opinion.colleagues) {
            const bool known = std::any_of(m_seats.cbegin(), m_seats.cend(), [id = sentinel, where = at](const auto &seat) {
                return seat->at == where || (!id.isEmpty() && seat->sentinel == id);
            });
            if (Seat *seat = known ? nullptr : seatFor(at))
                question(*seat, round);
        }
    }
}

void Sentinels::judge(const RoundPtr &round)
{
    if (round->ended)
        return;
    const qint64 taken_ms = Clock::monotonic_ms() - round->since_ms;
    const auto quiet = [&] {
        return taken_ms > grace_ms || std::all_of(round->waiting.cbegin(), round->waiting.cend(),
                   [this](qsizetype number) { return m_seats[size_t(number)]->silent; });
    };
    if (quiet())
        askColleagues(round);
    if (!quiet())
        return;
    Result<Agreement> result = verdict(*round);
    if (result.ok() || taken_ms > ask_ms || round->waiting.empty())
        finish(round, std::move(result));
}

Result<Agreement> Sentinels::verdict(const Round &round) const
{
    if (round.opinions.isEmpty())
        return noMajority(round.why);
    qsizetype all = m_sentinels;
    for (const Opinion &one : round.opinions)
        all = std::max(all, one.sentinels);
    const auto voices = [&round](const Opinion &of) {
        return std::count_if(round.opinions.cbegin(), round.opinions.cend(),
            [&of](const Opinion &one) { return one.epoch == of.epoch && one.primary == of.primary; });
    };
    const auto best = std::max_element(round.opinions.cbegin(), round.opinions.cend(), [&voices](const Opinion &a, const Opinion &b) {
        return a.epoch != b.epoch ? a.epoch < b.epoch : voices(a) < voices(b);
    });
    const qsizetype majority = all / 2 + 1;
    const qsizetype agreed = voices(*best);
    if (round.opinions.size() < majority) {
        return noMajority(reasons::sentinelsTooFew(round.opinions.size(), all, majority));
    }
    if (agreed < majority)
        return noMajority(reasons::sentinelsDisagree());
    if (best->epoch < m_epoch && agreed < all)
        return noMajority(reasons::sentinelsOutdated());
    Agreement agreement{best->primary, best->epoch, 0, {}, {}};
    for (const Opinion &one : round.opinions)
        agreement.sentinels = std::max(agreement.sentinels, one.sentinels);
    for (const Opinion &one : round.opinions) {
        for (const Endpoint &server : one.servers) {
            if (server != agreement.primary && !agreement.others.contains(server))
                agreement.others.append(server);
        }
    }
    for (const Opinion &one : round.opinions) {
        for (const Endpoint &server : one.never) {
            if (server != agreement.primary && !agreement.others.contains(server))
                agreement.never.append(server);
        }
    }
    return agreement;
}

void Sentinels::finish(const RoundPtr &round, Result<Agreement> result)
{
    round->ended = true;
    std::erase(m_rounds, round);
    if (result.ok()) {
        m_epoch = result->epoch;
        m_sentinels = std::max(result->sentinels, m_address.endpoints.size());
    }
    round->callback(std::move(result));
}

void Sentinels::tick(qint64 now_ms)
{
    for (size_t i = 0; i < m_seats.size(); ++i) { // tick() may add seats
        if (m_seats[i]->connection)
            m_seats[i]->connection->tick(now_ms);
    }
    for (const RoundPtr &round : std::vector(m_rounds)) {
        if (round->ended)
            continue;
        if (now_ms - round->since_ms > grace_ms) {
            for (qsizetype number : round->waiting)
                m_seats[size_t(number)]->silent = true;
        }
        judge(round);
    }
}

} // namespace junban::redis
