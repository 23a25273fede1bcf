#include "core/access/auditfile.h"

#include "core/base/reasons/access.h"
#include "core/msgpack/msgpackwriter.h"

#include <QFile>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace junban {

namespace {

constexpr qint64 tail_bytes = 256 * 1024; // more than the longest line
constexpr mode_t ownMode = 0600;
constexpr mode_t others = 0077;

Error refused(Error error)
{
    error.field = "audit-file";
    return error;
}

Error unwritable(const QByteArray &path)
{
    return reasons::auditFileUnwritable(path, std::strerror(errno));
}

// A file descriptor that is closed with it.
class Descriptor
{
public:
    Descriptor() = default;
    explicit Descriptor(int number) : m_number(number) {}
    ~Descriptor() { reset(); }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    void reset(int number = -1)
    {
        if (m_number >= 0)
            ::close(m_number);
        m_number = number;
    }
    int number() const { return m_number; }
    bool isOpen() const { return m_number >= 0; }

private:
    int m_number = -1;
};

int openFile(const QByteArray &path)
{
    return ::open(path.constData(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, ownMode);
}

bool writeAll(int descriptor, QByteArrayView bytes)
{
    while (!bytes.isEmpty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), size_t(bytes.size()));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        bytes = bytes.sliced(count);
    }
    return true;
}

AuditEntry ownEntry(qint64 at_ms, const char *action, const char *what, qint64 count)
{
    AuditEntry entry{at_ms, "master"};
    entry.action = action;
    entry.after = MsgpackWriter().map(1).text(what).integer(count).take();
    return entry;
}

} // namespace

struct AuditFile::Files {
    QByteArray path;
    Descriptor file, chain;

    QByteArray chainPath() const { return path + ".chain"; }
    qint64 size() const
    {
        struct stat state = {};
        return ::fstat(file.number(), &state) == 0 ? qint64(state.st_size) : -1;
    }
    // Whether the path still leads to the open file; it does not when the file was moved away.
    bool isThere() const
    {
        struct stat there = {}, here = {};
        return ::stat(path.constData(), &there) == 0 && ::fstat(file.number(), &here) == 0 && there.st_dev == here.st_dev
            && there.st_ino == here.st_ino;
    }
    QByteArray tail() const
    {
        const qint64 bytes = std::max<qint64>(0, std::min(size(), tail_bytes));
        QByteArray read(bytes, Qt::Uninitialized);
        const ssize_t count = ::pread(file.number(), read.data(), size_t(bytes), size() - bytes);
        read.truncate(std::max<ssize_t>(0, count));
        return read;
    }
    std::optional<ChainEnd> kept() const
    {
        char text[200];
        const ssize_t count = ::pread(chain.number(), text, sizeof text, 0);
        const QList<QByteArray> words = QByteArray(text, std::max<ssize_t>(0, count)).trimmed().split(' ');
        bool ok = false;
        const ChainEnd end{words.value(0).toLongLong(&ok), words.value(1)};
        return ok && end.number >= 0 && end.hash.size() == ChainEnd().hash.size() ? std::optional(end) : std::nullopt;
    }
    bool keep(const ChainEnd &end) const
    {
        const QByteArray text = QByteArray::number(end.number).rightJustified(20, '0') + ' ' + end.hash + '\n';
        return ::pwrite(chain.number(), text.constData(), size_t(text.size()), 0) == text.size();
    }
};

AuditFile::AuditFile(std::unique_ptr<Files> files)
    : m_files(std::move(files))
{
}

AuditFile::~AuditFile()
{
    sync();
}

Result<std::shared_ptr<AuditFile>> AuditFile::open(const QString &path, qint64 now_ms)
{
    auto files = std::make_unique<Files>();
    files->path = QFile::encodeName(path);
    files->chain.reset(::open(files->chainPath().constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, ownMode));
    if (!files->chain.isOpen())
        return refused(unwritable(path.toUtf8()));
    if (::flock(files->chain.number(), LOCK_EX | LOCK_NB) != 0)
        return refused(reasons::auditFileTaken(path.toUtf8()));
    files->file.reset(openFile(files->path));
    if (!files->file.isOpen())
        return refused(unwritable(path.toUtf8()));
    struct stat state = {};
    if (::fstat(files->file.number(), &state) != 0 || !S_ISREG(state.st_mode))
        return refused(reasons::auditFileNoFile(path.toUtf8()));
    if ((state.st_mode & others) != 0)
        return refused(reasons::auditFileOpenToOthers(path.toUtf8()));
    std::shared_ptr<AuditFile> file(new AuditFile(std::move(files)));
    if (!file->takeUp(path, now_ms))
        return refused(reasons::auditFileNoAudit(path.toUtf8()));
    return file;
}

// Finds the end of the chain, after a crash or a rotation. False when the file is something else.
bool AuditFile::takeUp(const QString &path, qint64 now_ms)
{
    const QByteArray tail = m_files->tail();
    const qsizetype lineEnd = tail.lastIndexOf('\n');
    const std::optional<ChainEnd> kept = m_files->kept();
    QByteArrayView torn = QByteArrayView(tail).sliced(lineEnd + 1);
    const QByteArrayView lines = QByteArrayView(tail).first(lineEnd + 1);
    QByteArrayView last = lines.isEmpty() ? lines : lines.chopped(1);
    last = last.sliced(last.lastIndexOf('\n') + 1);
    const std::optional<ChainLine> whole = torn.isEmpty() ? std::nullopt : readChainLine(torn);
    if (whole && whole->whole) { // only its line end is missing
        if (!writeAll(m_files->file.number(), "\n"))
            return false;
        last = torn;
        torn = {};
    }
    const std::optional<ChainLine> line = readChainLine(last);
    const bool isOther = !last.isEmpty() && !line;
    if ((isOther || (last.isEmpty() && !torn.isEmpty() && !torn.startsWith("{\"at\":"))) && !kept)
        return false;
    if (!torn.isEmpty() && ::ftruncate(m_files->file.number(), m_files->size() - torn.size()) != 0)
        return false;
    const ChainEnd inFile = line ? ChainEnd{line->number, line->hash} : ChainEnd();
    m_end = kept && kept->number > inFile.number ? *kept : inFile;
    const qint64 missing = m_end.number - inFile.number;
    if (!torn.isEmpty()) {
        qCritical("audit: the last line of %s was not written to its end, and is cut off", qUtf8Printable(path));
        append(ownEntry(now_ms, "cutAuditLine", "bytes", torn.size()));
    }
    if (isOther || (line && missing > 0)) {
        qCritical("audit: %lld lines are missing at the end of %s, or cannot be read", static_cast<long long>(missing),
            qUtf8Printable(path));
        append(ownEntry(now_ms, "missedAuditLines", "lines", missing));
    }
    return true;
}

void AuditFile::append(const AuditEntry &entry)
{
    const QMutexLocker locker(&m_mutex);
    if (m_lost > 0 && !write(ownEntry(entry.at_ms, "lostAuditEntries", "entries", m_lost))) {
        ++m_lost;
        return;
    }
    m_lost = 0;
    if (!write(entry)) {
        ++m_lost;
        qCritical("audit: %s", unwritable(m_files->path).message().constData());
    }
}

// Nothing is left of a line that cannot be written whole.
bool AuditFile::write(const AuditEntry &entry)
{
    if (!m_files->isThere()) { // it was moved away: the chain goes on in a new one
        const int opened = openFile(m_files->path);
        if (opened < 0)
            return false;
        ::fdatasync(m_files->file.number());
        m_files->file.reset(opened);
        ::fchmod(opened, ownMode);
    }
    const qint64 size = m_files->size();
    ChainEnd end = m_end;
    if (size < 0 || !writeAll(m_files->file.number(), chainLine(entry, end))) {
        const int why = errno;
        if (size >= 0 && ::ftruncate(m_files->file.number(), size) != 0)
            qCritical("audit: %s has a line that was not written to its end", m_files->path.constData());
        errno = why;
        return false;
    }
    m_end = end;
    m_isDirty = true;
    if (!m_files->keep(m_end))
        qCritical("audit: %s", unwritable(m_files->chainPath()).message().constData());
    return true;
}

void AuditFile::sync()
{
    const QMutexLocker locker(&m_mutex);
    if (std::exchange(m_isDirty, false) && ::fdatasync(m_files->file.number()) != 0)
        qCritical("audit: %s", unwritable(m_files->path).message().constData());
}

ChainEnd AuditFile::end() const
{
    const QMutexLocker locker(&m_mutex);
    return m_end;
}

QByteArray AuditFile::summary() const
{
    const ChainEnd last = end();
    return m_files->path + " goes to line " + QByteArray::number(last.number) + ", whose hash is " + last.hash;
}

} // namespace junban
