// Loaded before a program (LD_PRELOAD), it shifts that program's wall clock by what the file named by SHIFTCLOCK holds: one 64-bit
// number of nanoseconds, which may change at any time. The monotonic clocks stay right, as when an operator sets a machine's clock. It
// allocates nothing, so that a program whose allocator asks for the time can be shifted, too.
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
