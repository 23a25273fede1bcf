#include "app/ctl/session.h"

#include "app/ctl/terminal.h"

#include <cstdio>

namespace junban::app {

void Session::print(const QByteArray &text)
{
    std::fwrite(text.constData(), 1, size_t(text.size()), stdout);
    std::fflush(stdout);
}

void Session::end(int exitCode)
{
    m_exitCode = exitCode;
    m_ended = true;
    QCoreApplication::exit(exitCode);
}

void Session::fail(const Error &error)
{
    std::fprintf(stderr, "junbanctl: %s\n", refusal(error).constData());
    end(1);
}

QByteArray Session::refusal(const Error &error)
{
    return forTerminal(error.message);
}

void Session::tell(JobId id, const QByteArray &what, bool done)
{
    print(id.text() + ' ' + what + '\n');
    m_exitCode = done ? m_exitCode : 1;
    if (--m_left == 0)
        end(m_exitCode);
}

int Session::wait()
{
    return m_ended ? m_exitCode : QCoreApplication::exec();
}

} // namespace junban::app
