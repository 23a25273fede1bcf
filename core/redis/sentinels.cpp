#include "core/redis/sentinels.h"

#include "core/base/clock.h"
#include "core/redis/trouble.h"

#include <algorithm>
#include <set>

namespace junban::redis {

namespace {

constexpr qint64 ask_ms = 1'000;         // how long the Sentinels may take
constexpr qint64 grace_ms = 100;         // once a majority agrees, how long the others are waited for: one may know of a later failover
constexpr size_t seats_max = 32;

// A Sentinel tells of each server in an array: field, value, field, value, …
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

Error noMajority(QByteArray why)
{
    return Error{ErrorCode::StoreUnavailable, std::move(why), {}, 1};
}

} // namespace

// What one Sentinel knows.
struct Sentinels::Opinion {
    QByteArray sentinel;           // its own id, by which it is counted once, whatever addresses lead to it
    Endpoint primary;
    qint64 epoch = 0;
    qsizetype sentinels = 0;       // how many there are, with itself
    QList<Endpoint> servers;       // that it may promote, the primary among them
    QList<Endpoint> never;
    QList<QPair<QByteArray, Endpoint>> colleagues;
};

// One Sentinel and the connection to it, which stays open as long as it holds.
struct Sentinels::Seat {
    Seat(qsizetype n, Endpoint where) : number(n), at(std::move(where)) {}

    qsizetype number;              // its place in m_seats
    Endpoint at;
    QByteArray sentinel;           // its id, once it is known
    Connection *connection = nullptr;
    bool silent = false;           // did not answer the last question in time: it is not waited for until it has answered one
};

struct Sentinels::Round {
    Callback<Agreement> callback;
    qint64 since_ms = 0;
    std::set<qsizetype> waiting;   // for these seats
    QList<Opinion> opinions;
    QByteArray why = "No Sentinel answers.";
    bool ended = false;
};

Sentinels::Sentinels(const Address &address, QObject *parent)
    : QObject(parent)
    , m_address(address)
{
    for (const Endpoint &endpoint : address.endpoints)
        seatAt(endpoint);
}

Sentinels::~Sentinels() = default;

Sentinels::Seat &Sentinels::seatAt(const Endpoint &at)
{
    for (const auto &seat : m_seats) {
        if (seat->at == at)
            return *seat;
    }
    m_seats.push_back(std::make_unique<Seat>(qsizetype(m_seats.size()), at));
    return *m_seats.back();
}

void Sentinels::ask(Callback<Agreement> callback)
{
    auto round = std::make_shared<Round>();
    round->callback = std::move(callback);
    round->since_ms = Clock::monotonic_ms();
    m_rounds.push_back(round);
    for (size_t i = 0; i < m_seats.size(); ++i)
        question(*m_seats[i], round);
}

void Sentinels::open(Seat &seat)
{
    seat.connection = new Connection(seat.at, m_address, this);
    connect(seat.connection, &Connection::lost, this, [this, number = seat.number] {
        m_seats[size_t(number)]->silent = true;
        std::exchange(m_seats[size_t(number)]->connection, nullptr)->deleteLater();
        for (const RoundPtr &round : std::vector(m_rounds))
            answered(round, number, noMajority("No Sentinel can be reached."));
    });
    seat.connection->open();
    if (m_address.sentinelPassword.isEmpty())
        return;
    QList<QByteArray> words{"AUTH"};
    if (!m_address.sentinelUser.isEmpty())
        words.append(m_address.sentinelUser);
    words.append(m_address.sentinelPassword);
    seat.connection->send(words, [](const Result<Reply> &) {}); // what comes next says whether it was accepted
}

// The primary is asked for before and after its epoch, so that both are of one moment. In the middle of a failover the Sentinel that leads
// it tells the new epoch beside the old primary's address in `SENTINEL MASTER`; only the first question is answered with the new one.
void Sentinels::question(Seat &seat, const RoundPtr &round)
{
    round->waiting.insert(seat.number);
    if (!seat.connection)
        open(seat);
    auto opinion = std::make_shared<Opinion>();
    const QByteArray name = m_address.sentinelName;
    Connection &to = *seat.connection;
    to.send({"SENTINEL", "MYID"}, [opinion, at = seat.at](const Result<Reply> &reply) {
        if (reply.ok())
            opinion->sentinel = reply->isError() ? at.text() : reply->bytes(); // before Redis 6.2 they do not tell
    });
    to.send({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", name}, [opinion](const Result<Reply> &reply) {
        if (reply.ok())
            opinion->primary = endpointOf((*reply)[0], (*reply)[1]);
    });
    to.send({"SENTINEL", "MASTER", name}, [opinion](const Result<Reply> &reply) {
        if (!reply.ok() || reply->isError())
            return;
        opinion->epoch = fieldOf(*reply, "config-epoch").integer();
        opinion->sentinels = 1 + fieldOf(*reply, "num-other-sentinels").integer();
        opinion->servers.append(endpointOf(*reply));
    });
    to.send({"SENTINEL", "REPLICAS", name}, [opinion](const Result<Reply> &reply) {
        for (qsizetype i = 0; reply.ok() && i < reply->size(); ++i) {
            const bool never = fieldOf((*reply)[i], "slave-priority").view() == "0";
            (never ? opinion->never : opinion->servers).append(endpointOf((*reply)[i]));
        }
    });
    to.send({"SENTINEL", "SENTINELS", name}, [opinion](const Result<Reply> &reply) {
        for (qsizetype i = 0; reply.ok() && i < reply->size(); ++i)
            opinion->colleagues.append({fieldOf((*reply)[i], "runid").bytes(), endpointOf((*reply)[i])});
    });
    to.send({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", name}, [this, round, number = seat.number, opinion](const Result<Reply> &reply) {
        if (!reply.ok())
            return; // lost() has said so
        if (reply->isError())
            answered(round, number, noMajority("A Sentinel says: " + reply->bytes()));
        else if (reply->size() != 2)
            answered(round, number, noMajority("The Sentinels know no primary called \"" + m_address.sentinelName + "\"."));
        else if (endpointOf((*reply)[0], (*reply)[1]) != opinion->primary || opinion->sentinels == 0)
            answered(round, number, noMajority("A Sentinel is just learning of another primary."));
        else
            answered(round, number, std::move(*opinion));
    });
}

void Sentinels::answered(const RoundPtr &round, qsizetype number, Result<Opinion> opinion)
{
    if (round->ended || round->waiting.erase(number) == 0)
        return;
    if (opinion.ok()) {
        Seat &seat = *m_seats[size_t(number)];
        seat.silent = false;
        seat.sentinel = opinion->sentinel;
        const bool counted = std::any_of(round->opinions.cbegin(), round->opinions.cend(),
            [&](const Opinion &one) { return one.sentinel == opinion->sentinel; });
        if (!counted)
            round->opinions.append(*opinion);
    } else {
        round->why = opinion.error().message;
    }
    judge(round);
}

// An address may name only some of the Sentinels.
void Sentinels::askColleagues(const RoundPtr &round)
{
    for (const Opinion &opinion : QList(round->opinions)) {
        for (const auto &[sentinel, at] : opinion.colleagues) {
            const bool known = std::any_of(m_seats.cbegin(), m_seats.cend(), [id = sentinel, where = at](const auto &seat) {
                return seat->at == where || (!id.isEmpty() && seat->sentinel == id);
            });
            if (!known && m_seats.size() < seats_max)
                question(seatAt(at), round);
        }
    }
}

void Sentinels::judge(const RoundPtr &round)
{
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
    qsizetype all = 0;
    const Opinion *best = nullptr;
    for (const Opinion &one : round.opinions) {
        all = std::max(all, one.sentinels);
        if (!best || one.epoch > best->epoch)
            best = &one;
    }
    const qsizetype majority = all / 2 + 1;
    const qsizetype agreed = std::count_if(round.opinions.cbegin(), round.opinions.cend(),
        [best](const Opinion &one) { return one.epoch == best->epoch && one.primary == best->primary; });
    if (round.opinions.size() < majority) {
        return noMajority(QByteArray::number(round.opinions.size()) + " of " + QByteArray::number(all) + " Sentinels answer; "
            + QByteArray::number(majority) + " must agree where the primary is.");
    }
    if (agreed < majority)
        return noMajority("The Sentinels do not agree yet where the primary is.");
    if (best->epoch < m_epoch && agreed < all)
        return noMajority("The Sentinels that answer know less than was known before.");
    Agreement agreement{best->primary, best->epoch, {}, {}};
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
    if (result.ok())
        m_epoch = result->epoch;
    round->callback(std::move(result));
}

void Sentinels::tick(qint64 now_ms)
{
    for (const auto &seat : m_seats) {
        if (seat->connection)
            seat->connection->tick(now_ms);
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
