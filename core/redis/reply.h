#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <memory>
#include <string>
#include <vector>

namespace junban::redis {

// One reply of Redis, or a part of one. It does not change and is cheap to copy; a part keeps the whole reply alive.
class Reply
{
public:
    enum class Kind : quint8 { Nil, Integer, Status, Error, Bulk, Array };

    // A whole reply: its parts one behind the other, the elements of an array next to each other, and the bytes of all texts together. So
    // a reply takes a few pieces of memory, however many parts it has. ReplyReader makes it.
    struct Whole {
        struct Part {
            Kind kind = Kind::Nil;
            quint32 count = 0;     // of elements, or of bytes
            qint64 value = 0;      // the integer, the place of the first element, or where the bytes begin
        };
        std::vector<Part> parts;   // the first one is the reply itself
        std::string bytes;
    };

    Reply() = default; // nil
    explicit Reply(std::shared_ptr<const Whole> whole, size_t part = 0) : m_whole(std::move(whole)), m_part(part) {}

    Kind kind() const { return m_whole ? part().kind : Kind::Nil; }
    bool isNil() const { return kind() == Kind::Nil; }
    bool isError() const { return kind() == Kind::Error; }
    // The value of an Integer, or the number that a Bulk or Status spells; else 0.
    qint64 integer() const;
    // The bytes of a Bulk, Status or Error; valid as long as this reply or a copy of it lives.
    QByteArrayView view() const;
    QByteArray bytes() const { return view().toByteArray(); }
    // The parts of an Array. An index out of range gives nil.
    qsizetype size() const { return kind() == Kind::Array ? qsizetype(part().count) : 0; }
    Reply operator[](qsizetype index) const;

private:
    const Whole::Part &part() const { return m_whole->parts[m_part]; }

    std::shared_ptr<const Whole> m_whole;
    size_t m_part = 0;
};

} // namespace junban::redis
