#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <memory>

struct redisReply;

namespace junban::redis {

// One reply of Redis, or a part of one. Cheap to copy; parts keep the whole alive. Immutable.
class Reply
{
public:
    enum class Kind { Nil, Integer, Status, Error, Bulk, Array };

    Reply() = default; // nil
    explicit Reply(std::shared_ptr<const redisReply> whole);

    Kind kind() const;
    bool isNil() const { return kind() == Kind::Nil; }
    bool isError() const { return kind() == Kind::Error; }
    // Integer: its value; Bulk and Status: the number they spell; else 0.
    qint64 integer() const;
    // Bulk, Status and Error: the bytes, alive as long as this reply or a copy of it is.
    QByteArrayView view() const;
    QByteArray bytes() const { return view().toByteArray(); }
    // Array: its parts. An index out of range gives nil.
    qsizetype size() const;
    Reply operator[](qsizetype index) const;

private:
    std::shared_ptr<const redisReply> m_reply; // aliased to the part
};

} // namespace junban::redis
