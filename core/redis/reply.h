#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <memory>

struct redisReply;

namespace junban::redis {

// One reply of Redis, or a part of one. It does not change and is cheap to copy; a part keeps the whole reply alive.
class Reply
{
public:
    enum class Kind { Nil, Integer, Status, Error, Bulk, Array };

    Reply() = default; // nil
    explicit Reply(std::shared_ptr<const redisReply> whole);

    Kind kind() const;
    bool isNil() const { return kind() == Kind::Nil; }
    bool isError() const { return kind() == Kind::Error; }
    // The value of an Integer, or the number that a Bulk or Status spells; else 0.
    qint64 integer() const;
    // The bytes of a Bulk, Status or Error; valid as long as this reply or a copy of it lives.
    QByteArrayView view() const;
    QByteArray bytes() const { return view().toByteArray(); }
    // The parts of an Array. An index out of range gives nil.
    qsizetype size() const;
    Reply operator[](qsizetype index) const;

private:
    std::shared_ptr<const redisReply> m_reply; // aliased to the part
};

} // namespace junban::redis
