#pragma once

#include "core/base/result.h"

#include <QList>
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace junban {

// Collects the answers to a list of items and hands them over together, in order. All answers must come on one thread.
template<typename Reply>
class Gather
{
public:
    using All = std::function<void(QList<Result<Reply>>)>;

    // A callback for each of `count` items (1 or more). `all` is called after the last of them, with the answers in the order of the
    // items. Each callback must be called exactly once.
    static QList<std::function<void(Result<Reply>)>> answers(qsizetype count, All all)
    {
        auto gather = std::make_shared<Gather>();
        gather->m_left = count;
        gather->m_replies.resize(size_t(count));
        gather->m_all = std::move(all);
        QList<std::function<void(Result<Reply>)>> answers;
        for (size_t i = 0; i < size_t(count); ++i) {
            answers.append([gather, i](Result<Reply> reply) {
                gather->m_replies[i] = std::move(reply);
                if (--gather->m_left == 0)
                    gather->finish();
            });
        }
        return answers;
    }

private:
    void finish()
    {
        QList<Result<Reply>> replies;
        replies.reserve(qsizetype(m_replies.size()));
        for (std::optional<Result<Reply>> &reply : m_replies)
            replies.append(std::move(*reply));
        m_all(std::move(replies));
    }

    std::vector<std::optional<Result<Reply>>> m_replies;
    qsizetype m_left = 0;
    All m_all;
};

// Whether the error concerns the whole call (Redis does not take it) and not one item: the same request should be sent again.
inline bool ofWholeCall(const Error &error)
{
    return error.code == ErrorCode::StoreUnavailable || error.code == ErrorCode::StoreFull
        || error.code == ErrorCode::StoreReadOnly;
}

// Whether the whole call failed, so that every item has an error of that kind.
template<typename Reply>
bool failedAsAWhole(const QList<Result<Reply>> &replies)
{
    return !replies.isEmpty()
        && std::all_of(replies.cbegin(), replies.cend(),
            [](const Result<Reply> &reply) { return !reply.ok() && ofWholeCall(reply.error()); });
}

// One error for the whole call if it failed as a whole; otherwise the items' own replies.
template<typename Reply>
Result<QList<Result<Reply>>> wholeOrItems(QList<Result<Reply>> replies)
{
    if (failedAsAWhole(replies))
        return replies.first().error();
    return replies;
}

} // namespace junban
