#include "core/msgpack/fieldtable.h"

#include "core/base/isotime.h"
#include "core/base/reasons/client.h"
#include "core/base/reasons/requests.h"
#include "core/msgpack/msgpackwriter.h"

#include <cmath>

namespace junban {

namespace {

// A field found by its name, the object that has it, and its index among all fields of the map.
struct FoundField {
    const Field *field = nullptr;
    void *object = nullptr;
    int index = 0;
};

bool findField(const FieldTable &table, QByteArrayView name, void *object, FoundField &found)
{
    for (const Field &field : table.fields) {
        if (!field.codec) {
            if (findField(*field.table, name, object ? field.memberOf(object) : nullptr, found))
                return true;
            continue;
        }
        if (field.name == name) {
            found.field = &field;
            found.object = object;
            return true;
        }
        ++found.index;
    }
    return false;
}

// The first field that is needed and was not given.
const Field *missingField(const FieldTable &table, quint64 seen, int &index)
{
    for (const Field &field : table.fields) {
        if (!field.codec) {
            if (const Field *missing = missingField(*field.table, seen, index))
                return missing;
        } else if (const bool there = (seen >> index++) & 1; !there && field.presence == Field::Presence::Needed) {
            return &field;
        }
    }
    return nullptr;
}

// Reads the fields that a map has; `seen` gets a bit for each.
bool readGiven(Decoder &in, const PackedValue &value, const FieldTable &table, void *object, quint64 &seen)
{
    return in.map(value, [&](QByteArrayView key, const PackedValue &field) {
        FoundField found;
        if (!findField(table, key, object, found))
            return false;
        if (!found.field->codec->read(in, field, found.field->memberOf(found.object), *found.field))
            return found.field->presence == Field::Presence::Needed && in.lenient() && in.useless(field.path);
        seen |= quint64(1) << found.index;
        return true;
    });
}

const void *memberOf(const Field &field, const void *object)
{
    return field.memberOf(const_cast<void *>(object));
}

bool isWritten(const Field &field, const void *object, const void *defaults, Written written)
{
    if (field.applies)
        return field.applies(object);
    if (field.presence == Field::Presence::Needed || (field.presence == Field::Presence::Always && written == Written::Whole))
        return true;
    return !field.codec->same(memberOf(field, object), memberOf(field, defaults), field);
}

// Calls `take(field, object)` for each field that is to be written.
template<typename Take>
void eachWritten(const FieldTable &table, const void *object, const void *defaults, Written written, Take take)
{
    for (const Field &field : table.fields) {
        if (!field.codec)
            eachWritten(*field.table, memberOf(field, object), memberOf(field, defaults), written, take);
        else if (isWritten(field, object, defaults, written))
            take(field, object);
    }
}

bool readReal(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    return in.real(value, *static_cast<double *>(member), field.min, field.max);
}
void writeReal(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.real(*static_cast<const double *>(member));
}
bool readDuration(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    return in.duration(value, *static_cast<qint64 *>(member), field.min, field.max);
}
// Whole seconds are written as integers.
void writeDuration(MsgpackWriter &out, const void *member, const Field &, Written)
{
    const qint64 value_ms = *static_cast<const qint64 *>(member);
    if (value_ms % 1000 == 0)
        out.integer(value_ms / 1000);
    else
        out.real(double(value_ms) / 1000);
}
bool readBoolean(Decoder &in, const PackedValue &value, void *member, const Field &)
{
    return in.boolean(value, *static_cast<bool *>(member));
}
void writeBoolean(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.boolean(*static_cast<const bool *>(member));
}
qsizetype bytesOf(const Field &field)
{
    return std::isfinite(field.max) ? qsizetype(field.max) : std::numeric_limits<qsizetype>::max();
}
bool readName(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    return in.lenient() ? in.text(value, *static_cast<QByteArray *>(member), 0)
                        : in.name(value, *static_cast<QByteArray *>(member), bytesOf(field));
}
bool readCaption(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    return in.lenient() ? in.text(value, *static_cast<QByteArray *>(member), 0)
                        : in.caption(value, *static_cast<QByteArray *>(member), bytesOf(field));
}
bool readText(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    return in.text(value, *static_cast<QByteArray *>(member), bytesOf(field));
}
// Readers refuse a whole answer for one text that is no UTF-8. Every text was UTF-8 when a master took it, but bytes in Redis can be
// damaged.
void writeText(MsgpackWriter &out, const void *member, const Field &, Written)
{
    const QByteArray &text = *static_cast<const QByteArray *>(member);
    out.text(QByteArrayView(text).isValidUtf8() ? text : QString::fromUtf8(text).toUtf8());
}
bool readAny(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    return in.any(value, *static_cast<QByteArray *>(member), bytesOf(field));
}
void writeAny(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.raw(*static_cast<const QByteArray *>(member));
}
bool readTime(Decoder &in, const PackedValue &value, void *member, const Field &)
{
    return in.isoTime(value, *static_cast<qint64 *>(member));
}
void writeTime(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.text(isoTime(*static_cast<const qint64 *>(member)));
}
bool readObject(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    return readFields(in, value, *field.table, member);
}
void writeObject(MsgpackWriter &out, const void *member, const Field &field, Written written)
{
    writeFields(out, *field.table, member, written);
}
bool sameObject(const void *a, const void *b, const Field &field)
{
    return sameFields(*field.table, a, b);
}

} // namespace

namespace codecs {

constinit const Codec real{readReal, writeReal, same<double>, "number"};
constinit const Codec duration{readDuration, writeDuration, same<qint64>, "duration"};
constinit const Codec boolean{readBoolean, writeBoolean, same<bool>, "boolean"};
constinit const Codec name{readName, writeText, same<QByteArray>, "name"};
constinit const Codec caption{readCaption, writeText, same<QByteArray>, "name"};
constinit const Codec text{readText, writeText, same<QByteArray>, "text"};
constinit const Codec any{readAny, writeAny, same<QByteArray>, "any"};
constinit const Codec time{readTime, writeTime, same<qint64>, "time"};
constinit const Codec object{readObject, writeObject, sameObject, "object"};

qint64 wholeBound(double bound)
{
    return qint64(std::clamp(bound, -9e15, 9e15));
}
void writeWhole(MsgpackWriter &out, qint64 value)
{
    out.integer(value);
}
void writeWord(MsgpackWriter &out, const Field &field, size_t index)
{
    out.text(field.words[index]);
}
void writeArrayHead(MsgpackWriter &out, qsizetype elements)
{
    out.array(elements);
}

bool readWord(Decoder &in, const PackedValue &value, const Field &field, int &index)
{
    const size_t count = field.words.size();
    for (size_t i = 0; i < count && value.head.type == payload::Type::String; ++i) {
        if (value.head.bytes == QByteArrayView(field.words[i])) {
            index = int(i);
            return true;
        }
    }
    if (in.lenient())
        return in.useless(value.path);
    QByteArrayList words;
    for (const char *word : field.words)
        words.append(word);
    return in.fail(value.path, reasons::wordExpected, words);
}

} // namespace codecs

bool FieldsSeen::has(QByteArrayView name) const
{
    FoundField found;
    return findField(m_table, name, nullptr, found) && ((m_seen >> found.index) & 1);
}

bool readFields(Decoder &in, const PackedValue &value, const FieldTable &table, void *object)
{
    quint64 seen = 0;
    if (!readGiven(in, value, table, object, seen))
        return false;
    int index = 0;
    if (const Field *missing = missingField(table, seen, index))
        return in.missing(value.path, missing->name);
    return in.lenient() || !table.check || table.check(in, value, object, FieldsSeen(table, seen));
}

bool readChanges(Decoder &in, const PackedValue &value, const FieldTable &table, void *object)
{
    quint64 seen = 0;
    return readGiven(in, value, table, object, seen)
        && (in.lenient() || !table.check || table.check(in, value, object, FieldsSeen(table, seen)));
}

bool readField(Decoder &in, QByteArrayView name, const PackedValue &value, const FieldTable &table, void *object)
{
    FoundField found;
    return findField(table, name, object, found) && found.field->codec->read(in, value, found.field->memberOf(found.object), *found.field);
}

bool onlyOneOf(Decoder &in, const PackedValue &value, const FieldsSeen &seen, QByteArrayView one, QByteArrayView other)
{
    return !seen.has(one) || !seen.has(other)
        || in.fail({&value.path, one, -1}, reasons::fieldExcludes, other);
}

int appendFields(MsgpackWriter &out, const FieldTable &table, const void *object, Written written)
{
    int count = 0;
    eachWritten(table, object, table.defaults(), written, [&](const Field &field, const void *part) {
        out.text(field.name);
        field.codec->write(out, memberOf(field, part), field, written);
        ++count;
    });
    return count;
}

void writeFields(MsgpackWriter &out, const FieldTable &table, const void *object, Written written)
{
    qsizetype count = 0;
    eachWritten(table, object, table.defaults(), written, [&](const Field &, const void *) { ++count; });
    appendFields(out.map(count), table, object, written);
}

bool sameFields(const FieldTable &table, const void *a, const void *b)
{
    return std::all_of(table.fields.begin(), table.fields.end(), [&](const Field &field) {
        const void *one = memberOf(field, a), *other = memberOf(field, b);
        return field.codec ? field.codec->same(one, other, field) : sameFields(*field.table, one, other);
    });
}

bool fieldtable::read(Decoder &in, QByteArrayView body, const FieldTable &table, void *object)
{
    if (in.whole(body, [&](const PackedValue &root) { return readFields(in, root, table, object); }))
        return true;
    if (!in.failed())
        in.refuse(reasons::answerOfAnotherKind(table.schema ? table.schema : "map"));
    return false;
}

QByteArray fieldtable::pack(const FieldTable &table, const void *object, Written written)
{
    MsgpackWriter out;
    writeFields(out, table, object, written);
    return out.take();
}

} // namespace junban
