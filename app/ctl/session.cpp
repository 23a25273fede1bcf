#include "app/ctl/session.h"

#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/problem.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace junban::app {

namespace {

// Of a pipe that another process has made not to block.
bool waitUntilWritable()
{
    pollfd standardOutput = {STDOUT_FILENO, POLLOUT, 0};
    return ::poll(&standardOutput, 1, -1) == 1 || errno == EINTR;
}

} // namespace

Problem problemOf(const Error &error)
{
    Problem problem;
    problem.code = errorWord(error.code);
    problem.reason = error.reason;
    problem.field = error.field;
    problem.retryAfter_s = error.retryAfter_s;
    return problem;
}

void Session::connectTo(client::ApiClient::Options options)
{
    m_client = std::make_unique<client::ApiClient>(std::move(options));
    connect(m_client.get(), &client::ApiClient::insecureChanged, this, [this] {
        if (m_client->isInsecure())
            std::fputs("junbanctl: warning: this master was started with --insecure: others may read and call it\n", stderr);
    });
}

void Session::keepStandardStreams()
{
    std::signal(SIGPIPE, SIG_IGN); // a reader that has gone is an error of the write
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        // The lowest free descriptor is taken, which is this one. Reading from the first and writing to the others fails.
        if (::fcntl(stream, F_GETFD) < 0)
            [[maybe_unused]] const int opened = ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

bool Session::print(const QByteArray &text)
{
    if (m_isUnwritten)
        return false;
    const char *at = text.constData();
    const char *const end = at + text.size();
    while (at < end) {
        const ssize_t written = ::write(STDOUT_FILENO, at, size_t(end - at));
        if (written >= 0)
            at += written;
        else if (errno != EINTR && !(errno == EAGAIN && waitUntilWritable()))
            return unwritten(errno);
    }
    return true;
}

bool Session::printForGood(const QByteArray &text)
{
    if (!print(text))
        return false;
    struct stat kind = {};
    const bool isFile = ::fstat(STDOUT_FILENO, &kind) == 0 && S_ISREG(kind.st_mode);
    return !isFile || ::fsync(STDOUT_FILENO) == 0 || unwritten(errno);
}

bool Session::unwritten(int error)
{
    const bool isUnread = error == EPIPE; // such as by head, which has what it wants
    m_isUnwritten = true;
    m_isUnread = m_readers && isUnread; // as whenUnread() will say, too
    if (!isUnread)
        note("standard output cannot be written: " + QByteArray(std::strerror(error)));
    return false;
}

void Session::noteLost(const QByteArray &text)
{
    constexpr qsizetype short_bytes = 200;
    const QByteArray line = text.trimmed();
    if (!m_isUnread && line.size() <= short_bytes && !line.contains('\n'))
        note("the answer was: " + line);
}

void Session::whenUnread(std::function<void()> end)
{
    // Nothing is expected but an error, which is what a pipe without readers has.
    m_readers = std::make_unique<QSocketNotifier>(STDOUT_FILENO, QSocketNotifier::Exception);
    connect(m_readers.get(), &QSocketNotifier::activated, this, [this, end = std::move(end)] {
        pollfd standardOutput = {STDOUT_FILENO, 0, 0};
        if (::poll(&standardOutput, 1, 0) == 1) {
            m_readers->setEnabled(false);
            end();
        }
    });
}

int Session::finalStatus(int exitStatus) const
{
    return m_isUnwritten && !m_isUnread && exitStatus != exits::misused ? exits::unwritten : exitStatus;
}

void Session::end(int exitStatus)
{
    // Some file systems tell of an error only now.
    if (!m_isUnwritten && !m_ended && ::close(::dup(STDOUT_FILENO)) != 0 && errno != EBADF)
        unwritten(errno);
    m_exitStatus = finalStatus(exitStatus);
    m_ended = true;
    QCoreApplication::exit(m_exitStatus);
}

QByteArray Session::masterText() const
{
    return m_client ? forTerminal(m_client->url().toDisplayString(QUrl::RemoveUserInfo).toUtf8()) : QByteArray();
}

void Session::note(const QByteArray &text)
{
    std::fprintf(stderr, "junbanctl: %s\n", text.constData());
}

void Session::tell(const QByteArray &text, const QByteArray &problem)
{
    note(text);
    if (m_json)
        print(jsonText(MsgpackWriter().map(1).text("error").raw(problem).take()) + '\n');
}

int Session::tell(const Error &error)
{
    tell(forTerminal(error.message()), pack(problemTable, problemOf(error), Written::Sparse));
    return exits::misused;
}

void Session::fail(const Error &error)
{
    const QByteArray where = error.code == ErrorCode::Unreachable ? "No master answers at " + masterText() + ": " : QByteArray();
    tell(where + forTerminal(error.message()), pack(problemTable, problemOf(error), Written::Sparse));
    hint(error);
    end(exits::refused);
}

void Session::withMasterTime(std::function<void()> goOn)
{
    if (m_json) {
        goOn();
        return;
    }
    m_client->overview([goOn = std::move(goOn)](const Result<Overview> &overview) {
        if (overview.ok())
            setNow(overview->now_ms);
        goOn();
    });
}

void Session::failWith(const QByteArray &text, const QByteArray &problem)
{
    tell(text, problem);
    hint({ErrorCode::InvalidField, {}, {}, 0});
    end(exits::refused);
}

// Where it was asked, and what can be done.
void Session::hint(const Error &error) const
{
    if (!m_client)
        return;
    const QByteArray at = "The master is " + masterText() + ".\n";
    switch (error.code) {
    case ErrorCode::Unreachable:
        std::fputs(m_client->url().scheme() == QLatin1String("https")
                ? "Name another one with --url or JUNBAN_URL, and the certificates to believe with --ca.\n"
                : "Start one with 'junband', or name another one with --url or JUNBAN_URL.\n",
            stderr);
        break;
    case ErrorCode::Unauthorized:
        std::fprintf(stderr, "%sGive a token with --token-file FILE or JUNBAN_TOKEN. An admin makes one with 'junbanctl tokens create'.\n",
            at.constData());
        break;
    case ErrorCode::Forbidden:
        std::fprintf(stderr, "%sThe token's roles are shown by 'junbanctl tokens', which an admin may call.\n", at.constData());
        break;
    default: std::fputs(at.constData(), stderr);
    }
}

void Session::told(JobId id, const FieldTable &table, const void *answer, const QByteArray &said)
{
    if (m_json) {
        MsgpackWriter fields;
        const int count = appendFields(fields, table, answer, Written::Whole);
        print(jsonText(MsgpackWriter().map(1 + count).text("id").text(id.text()).raw(fields.take()).take()) + '\n');
    } else {
        print(id.text() + ' ' + said + '\n');
    }
    oneEnded();
}

void Session::refused(JobId id, const Error &error)
{
    m_exitStatus = exits::refused;
    m_refusal = error;
    if (m_json) {
        const QByteArray problem = pack(problemTable, problemOf(error), Written::Sparse);
        print(jsonText(MsgpackWriter().map(2).text("id").text(id.text()).text("error").raw(problem).take()) + '\n');
    } else {
        print(id.text() + ' ' + forTerminal(error.message()) + '\n');
    }
    oneEnded();
}

void Session::oneEnded()
{
    if (--m_left > 0)
        return;
    if (m_refusal && m_refusal->code == ErrorCode::Unreachable)
        note("No master answers at " + masterText() + '.');
    if (m_refusal)
        hint(*m_refusal);
    end(m_exitStatus);
}

int Session::wait()
{
    return m_ended ? m_exitStatus : QCoreApplication::exec();
}

} // namespace junban::app
