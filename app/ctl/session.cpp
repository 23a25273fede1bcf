#include "app/ctl/session.h"

#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/problem.h"

#include <cstdio>

namespace junban::app {

namespace {

// What is left of the problem that the master answered.
Problem problemOf(const Error &error)
{
    Problem problem;
    problem.code = errorWord(error.code);
    problem.detail = error.message;
    problem.field = error.field;
    problem.retryAfter_s = error.retryAfter_s;
    return problem;
}

} // namespace

void Session::connectTo(client::ApiClient::Options options)
{
    m_client = std::make_unique<client::ApiClient>(std::move(options));
    connect(m_client.get(), &client::ApiClient::insecureChanged, this, [this] {
        if (m_client->isInsecure())
            std::fputs("junbanctl: warning: this master was started with --insecure: others may read and call it\n", stderr);
    });
}

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
    std::fprintf(stderr, "junbanctl: %s\n", forTerminal(error.message).constData());
    end(1);
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
    m_exitCode = 1;
    if (m_json) {
        const QByteArray problem = pack(problemTable, problemOf(error), Written::Sparse);
        print(jsonText(MsgpackWriter().map(2).text("id").text(id.text()).text("error").raw(problem).take()) + '\n');
    } else {
        print(id.text() + ' ' + forTerminal(error.message) + '\n');
    }
    oneEnded();
}

void Session::oneEnded()
{
    if (--m_left == 0)
        end(m_exitCode);
}

int Session::wait()
{
    return m_ended ? m_exitCode : QCoreApplication::exec();
}

} // namespace junban::app
