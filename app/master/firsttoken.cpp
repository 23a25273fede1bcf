#include "app/master/firsttoken.h"

#include "core/access/tokenrecord.h"
#include "core/base/reasons/start.h"

#include <QCryptographicHash>
#include <QFile>
#include <QRegularExpression>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace junban::app {

namespace {

constexpr int file_bytes_max = 1'024;

Error unfit(Error error)
{
    return ofField(std::move(error), "first-token-file");
}

// Whole, or not at all: masters that start together find the same one.
int makeFile(const QByteArray &path)
{
    const QByteArray temporary = path + '.' + makeTokenId();
    const QByteArray content = makeTokenText() + '\n';
    const int file = ::open(temporary.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return errno;
    const bool written = ::write(file, content.constData(), size_t(content.size())) == content.size() && ::fsync(file) == 0;
    ::close(file);
    const bool linked = written && (::link(temporary.constData(), path.constData()) == 0 || errno == EEXIST);
    const int fault = linked ? 0 : errno;
    ::unlink(temporary.constData());
    return fault;
}

} // namespace

Result<QByteArray> firstTokenText(const QString &path)
{
    if (!QFile::exists(path)) {
        if (const int fault = makeFile(QFile::encodeName(path)); fault != 0)
            return unfit(reasons::firstTokenNotMade(path.toUtf8(), std::strerror(fault)));
    }
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return unfit(reasons::fileUnreadable("--first-token-file", path.toUtf8(), file.errorString().toUtf8()));
    const QByteArray text = file.read(file_bytes_max).trimmed();
    static const QRegularExpression token(QStringLiteral("^jt_[A-Za-z0-9_-]{43}$"));
    if (!token.match(QString::fromLatin1(text)).hasMatch())
        return unfit(reasons::firstTokenExpected(path.toUtf8()));
    return text;
}

TokenStore::Save firstToken(const Pepper &pepper, const QByteArray &text, qint64 now_ms)
{
    const QByteArray hash = pepper.hash(text);
    const QByteArray id = QCryptographicHash::hash(hash, QCryptographicHash::Sha256).toHex().first(makeTokenId().size());
    const TokenSpec spec{.note = "first", .roles = {Role::Admin}};
    return {id, packToken(pepper, {{id, spec, now_ms, openCaller}, hash}), pepper.mark()};
}

} // namespace junban::app
