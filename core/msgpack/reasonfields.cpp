#include "core/msgpack/reasonfields.h"

#include "core/limits.h"
#include "core/msgpack/msgpackwriter.h"

namespace junban {

namespace {

using Values = std::vector<ReasonValue>;

constexpr Field nameField = field::text<&Reason::name>("reason");
constexpr Field valuesField = field::of<&Reason::values, codecs::reasonValues>("values");
constexpr Field reasonFields[] = {nameField.rare(), valuesField.rare()};
constexpr Field detailFields[] = {field::text<&Reason::text>("detail"), nameField, valuesField};
constexpr Field explainedFields[] = {detailFields[0].needed(), nameField.needed(), valuesField.needed()};
constexpr Field messageFields[] = {field::text<&Reason::text>("message"), nameField, valuesField};

bool readValue(Decoder &in, const PackedValue &value, ReasonValue::Content &content)
{
    using payload::Type;
    switch (value.head.type) {
    case Type::String: content = value.head.bytes.toByteArray(); return true;
    case Type::Int: content = value.head.integer; return true;
    case Type::Float32:
    case Type::Float64: content = value.head.real; return true;
    case Type::Array: {
        QByteArrayList list;
        in.array(value, limits::msgpack_elements_max, [&](const PackedValue &element) {
            list.append(element.head.bytes.toByteArray());
            return true;
        });
        content = list;
        return true;
    }
    case Type::Map: {
        Reason reason;
        const bool read = readFields(in, value, reasonWithDetailTable, &reason);
        content = reason;
        return read;
    }
    default: return false;
    }
}

bool readValues(Decoder &in, const PackedValue &value, void *member, const Field &)
{
    auto &values = *static_cast<Values *>(member);
    values.clear();
    return in.map(value, [&](QByteArrayView name, const PackedValue &content) {
        ReasonValue one{name.toByteArray(), {}};
        if (readValue(in, content, one.content))
            values.push_back(std::move(one));
        return true;
    });
}

void writeValues(MsgpackWriter &out, const void *member, const Field &, Written written)
{
    const auto &values = *static_cast<const Values *>(member);
    out.map(qsizetype(values.size()));
    for (const ReasonValue &value : values) {
        out.text(value.name);
        if (const QByteArray *text = std::get_if<QByteArray>(&value.content)) {
            out.text(*text);
        } else if (const qint64 *whole = std::get_if<qint64>(&value.content)) {
            out.integer(*whole);
        } else if (const double *real = std::get_if<double>(&value.content)) {
            out.real(*real);
        } else if (const QByteArrayList *list = std::get_if<QByteArrayList>(&value.content)) {
            out.array(list->size());
            for (const QByteArray &item : *list)
                out.text(item);
        } else {
            writeFields(out, reasonWithDetailTable, &std::get<Reason>(value.content), written);
        }
    }
}

} // namespace

namespace codecs {
constinit const Codec reasonValues{readValues, writeValues, same<Values>, "any"};
} // namespace codecs

constinit const TableOf<Reason> reasonTable{nullptr, reasonFields};
constinit const TableOf<Reason> reasonWithDetailTable{nullptr, detailFields};
constinit const TableOf<Reason> reasonWithMessageTable{nullptr, messageFields};
constinit const TableOf<Reason> explainedTable{"Explained", explainedFields};

} // namespace junban
