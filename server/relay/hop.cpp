#include "server/relay/hop.h"

#include <QList>
#include <algorithm>
#include <array>

namespace junban::relay {

namespace {

constexpr QByteArrayView hopField = "junban-hop";
constexpr QByteArrayView user = "user:";

constexpr auto isHop = [](const QPair<QByteArray, QByteArray> &field) { return field.first == hopField; };

// What concerns one connection only (RFC 9110 §7.6.1), and what is written anew.
bool endsHere(const QByteArray &name)
{
    static constexpr std::array<QByteArrayView, 9> names{"connection", "keep-alive", "proxy-connection", "te", "transfer-encoding",
        "upgrade", "content-length", "expect", hopField};
    return std::any_of(names.begin(), names.end(), [&name](QByteArrayView each) { return name == each; });
}

QByteArray textOf(const http::Peer &peer)
{
    return peer.user ? user.toByteArray() + QByteArray::number(*peer.user) : peer.address.toString().toLatin1();
}

http::Peer peerOf(const QByteArray &text)
{
    if (!text.startsWith(user))
        return {QHostAddress(QString::fromLatin1(text)), {}};
    bool ok = false;
    const quint32 id = text.mid(user.size()).toUInt(&ok);
    return ok ? http::Peer{{}, id} : http::Peer{};
}

// In a time that does not tell how much of it is right.
bool areSame(const QByteArray &a, const QByteArray &b)
{
    if (a.size() != b.size())
        return false;
    int difference = 0;
    for (qsizetype i = 0; i < a.size(); ++i)
        difference |= a[i] ^ b[i];
    return difference == 0;
}

} // namespace

void judge(http::Request &request, const QByteArray &secret)
{
    const auto field = std::find_if(request.fields.begin(), request.fields.end(), isHop);
    if (field == request.fields.end())
        return;
    const QList<QByteArray> words = field->second.split(' ');
    request.fields.removeIf(isHop);
    request.hop = !secret.isEmpty() && words.size() == 4 && areSame(words[0], secret) ? http::Hop::Vouched : http::Hop::Foreign;
    if (request.hop != http::Hop::Vouched)
        return;
    request.peer = peerOf(words[1]);
    request.id = QByteArray::fromHex(words[2]);
    request.isRepeated = words[3] == "1";
}

QByteArray passedOn(const http::Request &request, const QByteArray &secret, const QByteArray &id, bool isRepeated)
{
    QByteArray out = request.method + ' ' + request.path + (request.query.isEmpty() ? "" : '?' + request.query) + " HTTP/1.1\r\n";
    for (const auto &[name, value] : request.fields) {
        if (!endsHere(name))
            out += name + ": " + value + "\r\n";
    }
    if (!request.body.isEmpty() || (request.method != "GET" && request.method != "HEAD"))
        out += "content-length: " + QByteArray::number(request.body.size()) + "\r\n";
    out += hopField.toByteArray() + ": " + secret + ' ' + textOf(request.peer) + ' ' + id.toHex() + (isRepeated ? " 1" : " 0");
    return out + "\r\n\r\n" + request.body;
}

} // namespace junban::relay
