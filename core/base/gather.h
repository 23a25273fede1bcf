#pragma once

#include "core/base/result.h"

#include <QList>
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace junban {

// Collects the answers to a list of items and hands them over together, in order.
template<typename Reply>
class Gather
{
public:
    using All = std::function<void(QList<Result<Reply>>)>;

    // The answers to `count` items, 1 or more.
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

// An error of the whole call rather than of one item: the request should be repeated as it was.
inline bool ofWholeCall(const Error &error)
{
    return error.code == ErrorCode::StoreUnavailable || error.code == ErrorCode::StoreFull
        || error.code == ErrorCode::StoreReadOnly;
}

// Every item failed for the reason that the call as a whole did.
template<typename Reply>
bool failedAsAWhole(const QList<Result<Reply>> &replies)
{
    return !replies.isEmpty()
        && std::all_of(replies.cbegin(), replies.cend(),
            [](const Result<Reply> &reply) { return !reply.ok() && ofWholeCall(reply.error()); });
}

template<typename Reply>
Result<QList<Result<Reply>>> wholeOrItems(QList<Result<Reply>> replies)
{
    if (failedAsAWhole(replies))
        return replies.first().error();
    return replies;
}

} // namespace junban
