#include "app/ctl/session.h"

#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/problem.h"

#include <cstdio>

namespace junban::app {

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

QByteArray Session::masterText() const
{
    return m_client ? forTerminal(m_client->url().toDisplayString(QUrl::RemoveUserInfo).toUtf8()) : QByteArray();
}

void Session::note(const QByteArray &text)
{
    std::fprintf(stderr, "junbanctl: %s\n", text.constData());
}

void Session::fail(const Error &error)
{
    if (error.code == ErrorCode::Unreachable)
        note("No master answers at " + masterText() + ": " + forTerminal(error.message()));
    else
        note(forTerminal(error.message()));
    hint(error);
    end(1);
}

void Session::failWith(const QByteArray &text)
{
    note(text);
    hint({ErrorCode::InvalidField, {}, {}, 0});
    end(1);
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
    m_exitCode = 1;
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
    end(m_exitCode);
}

int Session::wait()
{
    return m_ended ? m_exitCode : QCoreApplication::exec();
}

} // namespace junban::app
