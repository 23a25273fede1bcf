#include "tests/bench/servers/server.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <arpa/inet.h>

// gearmand, in its binary protocol: http://gearman.org/protocol/. Its jobs are background jobs, and are only in memory.
namespace bench {

namespace {

enum Packet : uint32_t {
    CanDo = 1, PreSleep = 4, Noop = 6, JobCreated = 8, GrabJob = 9, NoJob = 10, JobAssign = 11, WorkComplete = 13, SubmitJobBackground = 18,
};

std::string packet(Packet type, std::string_view data = {})
{
    const uint32_t head[] = {htonl(type), htonl(uint32_t(data.size()))};
    std::string bytes("\0REQ", 4);
    bytes.append(reinterpret_cast<const char *>(head), sizeof head).append(data);
    return bytes;
}

class Packets : public Stream
{
public:
    Packets(Loop &loop, const Options &options)
        : Stream(loop, options.ports.front())
    {
    }

protected:
    virtual void answered(uint32_t type, std::string_view data) = 0;
    [[noreturn]] static void unexpected(uint32_t type, std::string_view data)
    {
        std::fprintf(stderr, "bench: gearmand answers %u: %.*s\n", type, int(data.size()), data.data());
        std::exit(1);
    }

private:
    void arrived() override
    {
        size_t at = 0;
        while (m_in.size() >= at + 12) {
            uint32_t head[2];
            std::memcpy(head, m_in.data() + at + 4, sizeof head);
            const uint32_t size = ntohl(head[1]);
            if (m_in.size() < at + 12 + size)
                break;
            const std::string data = m_in.substr(at + 12, size);
            at += 12 + size;
            answered(ntohl(head[0]), data);
        }
        m_in.erase(0, at);
    }
};

class GearmanPusher : public Pusher, Packets
{
public:
    using Packets::Packets;

    void push(int count, double sent_s, std::function<void()> pushed) override
    {
        std::string data("bench\0\0", 7); // the function, no unique id
        data += sent_s > 0 ? std::to_string(sent_s) : std::string(argument_bytes, 'x');
        const std::string one = packet(SubmitJobBackground, data);
        std::string all;
        for (int i = 0; i < count; ++i)
            all += one;
        m_open = count;
        m_pushed = std::move(pushed);
        write(all);
    }

private:
    void answered(uint32_t type, std::string_view data) override
    {
        if (type != JobCreated)
            unexpected(type, data);
        if (--m_open == 0)
            std::exchange(m_pushed, nullptr)();
    }

    int m_open = 0;
    std::function<void()> m_pushed;
};

// A worker that finds no job sleeps until it is woken, as its protocol has it.
class GearmanWorker : public Worker, Packets
{
public:
    GearmanWorker(Loop &loop, const Options &options)
        : Packets(loop, options)
    {
        write(packet(CanDo, "bench"));
    }

    void turn(std::vector<Taken> finished, int limit, Next next) override
    {
        std::string all;
        for (const Taken &job : finished)
            all += packet(WorkComplete, job.id + std::string(1, '\0'));
        if (limit == 0) { // reports are not answered
            write(all);
            next({});
            return;
        }
        m_limit = limit;
        m_next = std::move(next);
        grab(std::move(all));
    }

private:
    void grab(std::string before)
    {
        for (int i = 0; i < m_limit; ++i)
            before += packet(GrabJob);
        m_open = m_limit;
        write(before);
    }

    void answered(uint32_t type, std::string_view data) override
    {
        if (type == Noop) {
            if (std::exchange(m_sleeping, false))
                grab({});
            return;
        }
        if (type == JobAssign) {
            const size_t argument = data.rfind('\0') + 1;
            m_taken.push_back({std::string(data.substr(0, data.find('\0'))), {}, std::atof(std::string(data.substr(argument)).c_str())});
        } else if (type != NoJob) {
            unexpected(type, data);
        }
        if (--m_open > 0)
            return;
        if (!m_taken.empty()) {
            std::exchange(m_next, nullptr)(std::exchange(m_taken, {}));
        } else {
            m_sleeping = true;
            write(packet(PreSleep));
        }
    }

    int m_limit = 0;
    int m_open = 0;
    bool m_sleeping = false;
    std::vector<Taken> m_taken;
    Next m_next;
};

} // namespace

std::unique_ptr<Server> gearmanServer(const Options &options)
{
    return std::make_unique<ServerOf<GearmanPusher, GearmanWorker>>(options);
}

} // namespace bench
