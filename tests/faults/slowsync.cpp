// Loaded before a program (LD_PRELOAD), it makes what the program's other threads flush to the disk take SLOWSYNC_MS milliseconds
// longer, as on a busy disk. What the first thread flushes takes as long as ever.
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
