#include "tests/bench/servers/server.h"

#include <cstdio>
#include <cstdlib>
#include <set>
#include <utility>

#include <amqp.h>
#include <amqp_tcp_socket.h>

// RabbitMQ by its C library: a durable queue, persistent messages, publisher confirms and acknowledgements by hand.
namespace bench {

namespace {

constexpr amqp_channel_t channel = 1;
const amqp_bytes_t queue = amqp_cstring_bytes("bench");

void check(bool good, const char *what)
{
    if (good)
        return;
    std::fprintf(stderr, "bench: RabbitMQ: %s\n", what);
    std::exit(1);
}

class Link : public Watched
{
public:
    Link(Loop &loop, const Options &options)
        : m_connection(amqp_new_connection())
    {
        check(amqp_socket_open(amqp_tcp_socket_new(m_connection), "127.0.0.1", options.ports.front()) == AMQP_STATUS_OK, "connect");
        const auto in = amqp_login(m_connection, "/", 0, AMQP_DEFAULT_FRAME_SIZE, 0, AMQP_SASL_METHOD_PLAIN, "guest", "guest");
        check(in.reply_type == AMQP_RESPONSE_NORMAL, "login");
        amqp_channel_open(m_connection, channel);
        amqp_table_entry_t kind{};
        kind.key = amqp_cstring_bytes("x-queue-type");
        kind.value.kind = AMQP_FIELD_KIND_UTF8;
        kind.value.value.bytes = amqp_cstring_bytes(options.quorum ? "quorum" : "classic");
        amqp_queue_declare(m_connection, channel, queue, 0, 1, 0, 0, amqp_table_t{1, &kind});
        check(amqp_get_rpc_reply(m_connection).reply_type == AMQP_RESPONSE_NORMAL, "declare the queue");
        loop.watch(amqp_get_sockfd(m_connection), this);
    }
    ~Link() override { amqp_destroy_connection(m_connection); }

protected:
    amqp_connection_state_t m_connection;
};

class RabbitPusher : public Pusher, Link
{
public:
    RabbitPusher(Loop &loop, const Options &options)
        : Link(loop, options)
    {
        amqp_confirm_select(m_connection, channel);
        check(amqp_get_rpc_reply(m_connection).reply_type == AMQP_RESPONSE_NORMAL, "confirm.select");
    }

    void push(int count, double sent_s, std::function<void()> pushed) override
    {
        const std::string argument = sent_s > 0 ? std::to_string(sent_s) : std::string(argument_bytes, 'x');
        amqp_basic_properties_t properties{};
        properties._flags = AMQP_BASIC_DELIVERY_MODE_FLAG;
        properties.delivery_mode = 2; // persistent
        const amqp_bytes_t body{argument.size(), const_cast<char *>(argument.data())};
        m_pushed = std::move(pushed);
        for (int i = 0; i < count; ++i) {
            m_open.insert(++m_last);
            const int status = amqp_basic_publish(m_connection, channel, amqp_empty_bytes, queue, 0, 0, &properties, body);
            check(status == AMQP_STATUS_OK, "publish");
        }
    }

private:
    void readable() override
    {
        for (;;) {
            amqp_frame_t frame{};
            timeval none{0, 0};
            const int status = amqp_simple_wait_frame_noblock(m_connection, &frame, &none);
            if (status == AMQP_STATUS_TIMEOUT)
                break;
            check(status == AMQP_STATUS_OK, "read");
            if (frame.frame_type != AMQP_FRAME_METHOD)
                continue;
            check(frame.payload.method.id == AMQP_BASIC_ACK_METHOD, "a push was not confirmed");
            const auto *confirm = static_cast<const amqp_basic_ack_t *>(frame.payload.method.decoded);
            // Confirms come in any order, and some for all messages up to theirs.
            if (confirm->multiple)
                m_open.erase(m_open.begin(), m_open.upper_bound(confirm->delivery_tag));
            else
                m_open.erase(confirm->delivery_tag);
        }
        amqp_maybe_release_buffers(m_connection);
        if (m_pushed && m_open.empty())
            std::exchange(m_pushed, nullptr)();
    }

    uint64_t m_last = 0;      // the tag of the last message
    std::set<uint64_t> m_open; // those that are not confirmed
    std::function<void()> m_pushed;
};

// The server sends ahead as many as `limit` says (prefetch).
class RabbitWorker : public Worker, Link
{
public:
    RabbitWorker(Loop &loop, const Options &options)
        : Link(loop, options)
        , m_loop(loop)
    {
    }

    void turn(std::vector<Taken> finished, int limit, Next next) override
    {
        if (!m_consuming) {
            m_consuming = true;
            amqp_basic_qos(m_connection, channel, 0, uint16_t(limit), 0);
            amqp_basic_consume(m_connection, channel, queue, amqp_empty_bytes, 0, 0, 0, amqp_empty_table);
            check(amqp_get_rpc_reply(m_connection).reply_type == AMQP_RESPONSE_NORMAL, "consume");
        }
        if (!finished.empty()) {
            const uint64_t last = std::strtoull(finished.back().id.c_str(), nullptr, 10); // and all before it
            check(amqp_basic_ack(m_connection, channel, last, 1) == AMQP_STATUS_OK, "ack");
        }
        m_next = std::move(next);
        m_loop.at(now_s(), [this] { readable(); }); // what came while the jobs before were done
    }

private:
    void readable() override
    {
        for (;;) {
            amqp_envelope_t envelope{};
            timeval none{0, 0};
            amqp_maybe_release_buffers(m_connection);
            const amqp_rpc_reply_t reply = amqp_consume_message(m_connection, &envelope, &none, 0);
            if (reply.reply_type != AMQP_RESPONSE_NORMAL) {
                check(reply.library_error == AMQP_STATUS_TIMEOUT, "consume");
                break;
            }
            const std::string body(static_cast<const char *>(envelope.message.body.bytes), envelope.message.body.len);
            m_taken.push_back({std::to_string(envelope.delivery_tag), {}, std::atof(body.c_str())});
            amqp_destroy_envelope(&envelope);
        }
        if (m_next && !m_taken.empty())
            std::exchange(m_next, nullptr)(std::exchange(m_taken, {}));
    }

    Loop &m_loop;
    bool m_consuming = false;
    std::vector<Taken> m_taken;
    Next m_next;
};

} // namespace

std::unique_ptr<Server> rabbitmqServer(const Options &options)
{
    return std::make_unique<ServerOf<RabbitPusher, RabbitWorker, true>>(options);
}

} // namespace bench
