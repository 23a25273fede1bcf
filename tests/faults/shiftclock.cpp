// A library for LD_PRELOAD that shifts a program's wall clock. The environment variable SHIFTCLOCK names a file with the offset, a 64-bit
// number of nanoseconds, which may change at any time. Monotonic clocks are not changed, as when an operator sets a machine's clock. It
// allocates no memory, because an allocator may ask for the time.
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

const volatile std::int64_t *offset_ns = nullptr;

__attribute__((constructor)) void open()
{
    const char *path = std::getenv("SHIFTCLOCK");
    const int file = path ? ::open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *memory = mmap(nullptr, sizeof(std::int64_t), PROT_READ, MAP_SHARED, file, 0);
    ::close(file);
    if (memory != MAP_FAILED)
        offset_ns = static_cast<const volatile std::int64_t *>(memory);
}

} // namespace

extern "C" int clock_gettime(clockid_t clock, timespec *time)
{
    const long answer = syscall(SYS_clock_gettime, clock, time);
    if (answer == 0 && offset_ns && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        const std::int64_t now_ns = time->tv_sec * 1'000'000'000 + time->tv_nsec + *offset_ns;
        time->tv_sec = now_ns / 1'000'000'000;
        time->tv_nsec = now_ns % 1'000'000'000;
    }
    return static_cast<int>(answer);
}

extern "C" int gettimeofday(timeval *time, void *) noexcept
{
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

extern "C" time_t time(time_t *seconds) noexcept
{
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds)
        *seconds = now.tv_sec;
    return now.tv_sec;
}
