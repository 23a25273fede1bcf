// A library for LD_PRELOAD that slows flushes to the disk down by SLOWSYNC_MS milliseconds, as on a busy disk. It does not slow down those
// of the program's first thread.
#include <cstdlib>
#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" int fdatasync(int file)
{
    const char *text = std::getenv("SLOWSYNC_MS");
    const long milliseconds = text && gettid() != getpid() ? std::atol(text) : 0;
    const timespec time{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
    nanosleep(&time, nullptr);
    return static_cast<int>(syscall(SYS_fdatasync, file));
}
