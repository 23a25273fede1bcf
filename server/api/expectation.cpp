#include "server/api/expectation.h"

#include "core/base/reasons/api.h"

namespace junban::api {

std::optional<Expected> expectedOf(const Call &call)
{
    const QByteArray match = call.exchange().request().field("if-match");
    const QByteArray noneMatch = call.exchange().request().field("if-none-match");
    if (match.isEmpty() && noneMatch.isEmpty())
        return Expected{};
    if (match.isEmpty() && noneMatch == "*")
        return Expected{Expected::What::Missing};
    bool ok = false;
    const qint64 revision = match.size() > 2 && match.startsWith('"') && match.endsWith('"')
        ? match.sliced(1, match.size() - 2).toLongLong(&ok) : 0;
    if (ok && revision > 0 && noneMatch.isEmpty())
        return Expected{Expected::What::Revision, revision};
    call.fail(ofField(reasons::expectationInvalid(), "if-match"));
    return {};
}

std::optional<Expected> revisionOf(const Call &call)
{
    const std::optional<Expected> expected = expectedOf(call);
    if (!expected || expected->what != Expected::What::Any)
        return expected;
    call.problem(reasons::revisionRequired());
    return {};
}

QList<QPair<QByteArray, QByteArray>> etagOf(qint64 revision)
{
    return {{"ETag", '"' + QByteArray::number(revision) + '"'}};
}

} // namespace junban::api
