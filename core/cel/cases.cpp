#include "core/cel/cases.h"

#include "core/base/reasons/cel.h"
#include "core/cel/compile.h"
#include "core/cel/containers.h"
#include "core/cel/evaluation.h"

#include <cmath>
#include <cstring>
#include <deque>
#include <nlohmann/json.hpp>

namespace junban::cel {

namespace {

using Json = nlohmann::json;

QByteArray bytesOf(const std::string &text)
{
    return QByteArray(text.data(), qsizetype(text.size()));
}

// Makes values from tagged JSON, and keeps the memory that they refer to.
class Reader
{
public:
    std::optional<Value> value(const Json &json)
    {
        if (!json.is_object() || json.size() != 1)
            return {};
        const QByteArray tag = bytesOf(json.begin().key());
        const Json &content = json.begin().value();
        if (tag == "null")
            return Value::null();
        if (tag == "bool" && content.is_boolean())
            return Value::boolean(content.get<bool>());
        if (content.is_string())
            return scalar(tag, bytesOf(content.get_ref<const std::string &>()));
        if (!content.is_array())
            return {};
        if (tag == "timestamp" || tag == "duration")
            return time(tag, content);
        return tag == "list" || tag == "map" ? container(tag, content) : std::nullopt;
    }

private:
    std::optional<Value> scalar(const QByteArray &tag, const QByteArray &text)
    {
        if (tag == "int")
            return Value::integer(text.toLongLong());
        if (tag == "uint")
            return Value::unsignedInteger(text.toULongLong());
        if (tag == "double")
            return Value::real(text == "NaN"     ? std::nan("")
                               : text == "Infinity"  ? HUGE_VAL
                               : text == "-Infinity" ? -HUGE_VAL
                                                     : text.toDouble());
        if (tag == "string")
            return Value::string(m_bytes.emplace_back(text));
        if (tag == "bytes")
            return Value::bytes(m_bytes.emplace_back(QByteArray::fromHex(text)));
        return {};
    }
    static std::optional<Value> time(const QByteArray &tag, const Json &content)
    {
        if (content.size() != 2 || !content[0].is_number_integer() || !content[1].is_number_integer())
            return {};
        const auto seconds = content[0].get<qint64>();
        const auto nanoseconds = content[1].get<qint32>();
        return tag == "duration" ? Value::duration(seconds * 1'000'000'000 + nanoseconds) : Value::timestamp(seconds, nanoseconds);
    }
    std::optional<Value> container(const QByteArray &tag, const Json &content)
    {
        std::vector<Value> elements;
        const auto append = [&](const Json &json) {
            const auto element = value(json);
            elements.push_back(element.value_or(Value::error(Cause::Malformed)));
            return element.has_value();
        };
        for (const Json &entry : content) {
            if (tag == "list" && append(entry))
                continue;
            if (tag == "list" || !entry.is_array() || entry.size() != 2 || !append(entry[0]) || !append(entry[1]))
                return {};
        }
        const auto &kept = m_elements.emplace_back(std::move(elements));
        return tag == "list" ? Value::list(kept.data(), qsizetype(kept.size())) : Value::map(kept.data(), qsizetype(kept.size() / 2));
    }

    std::deque<QByteArray> m_bytes;
    std::deque<std::vector<Value>> m_elements;
};

class CaseBindings : public Bindings
{
public:
    Value variable(qint32 slot) const override { return values[size_t(slot)]; }
    std::vector<Value> values;
};

// Stricter than the language's ==: the types must be the same at every level, and a NaN equals a NaN.
bool identical(const Value &a, const Value &b, Work &work)
{
    if (a.type() != b.type())
        return false;
    if (a.type() == ValueType::Double)
        return std::isnan(a.toDouble()) ? std::isnan(b.toDouble())
                                        : a.toDouble() == b.toDouble() && std::signbit(a.toDouble()) == std::signbit(b.toDouble());
    if (a.type() != ValueType::List && a.type() != ValueType::Map)
        return equal(a, b, work);
    if (a.count() != b.count())
        return false;
    Walk left(a, work);
    Value x;
    Value y;
    if (a.type() == ValueType::List) {
        Walk right(b, work);
        while (left.next(x) && right.next(y)) {
            if (!identical(x, y, work))
                return false;
        }
        return true;
    }
    while (left.next(x) && left.next(y)) { // a key and its value
        const Value other = lookUp(b, x, work);
        if (other.isError() || !identical(y, other, work))
            return false;
    }
    return true;
}

// Why a case fails; empty when it passes.
QByteArray verdict(const Json &json)
{
    Reader reader;
    Environment environment;
    CaseBindings bindings;
    if (json.contains("bindings")) {
        for (const auto &[name, tagged] : json["bindings"].items()) {
            const auto value = reader.value(tagged);
            if (!value)
                return "the binding '" + bytesOf(name) + "' cannot be read";
            environment.variables.append({bytesOf(name), qint32(bindings.values.size())});
            bindings.values.push_back(*value);
        }
    }
    const bool errorWanted = json.contains("error");
    const Compiled compiled = compile(bytesOf(json["expr"].get<std::string>()), environment, Mode::Lenient);
    if (!compiled.program) {
        const Problem &problem = compiled.problems.first();
        return errorWanted ? QByteArray() : "column " + QByteArray::number(problem.column) + ": " + problem.message();
    }
    Evaluation evaluation;
    const Value value = evaluation.evaluate(*compiled.program, bindings);
    if (value.isError())
        return errorWanted ? QByteArray() : compiled.program->explain(value).message();
    if (errorWanted)
        return "gave a value of type " + QByteArray(typeName(value.type())) + " instead of an error";
    const auto expected = reader.value(json["value"]);
    if (!expected)
        return "the expected value cannot be read";
    Work work;
    return identical(value, *expected, work) ? QByteArray() : "gave another value, of type " + QByteArray(typeName(value.type()));
}

} // namespace

Result<CasesReport> runCases(QByteArrayView text)
{
    const Json cases = Json::parse(text.begin(), text.end(), nullptr, false);
    if (!cases.is_array())
        return reasons::casesNotArray();
    CasesReport report;
    for (const Json &json : cases) {
        if (!json.is_object() || !json.contains("id") || !json["id"].is_string() || !json.contains("expr") || !json["expr"].is_string()
            || (!json.contains("value") && !json.contains("error")) || (json.contains("bindings") && !json["bindings"].is_object()))
            return reasons::caseIncomplete(report.passed + report.failed + 1);
        const QByteArray fault = verdict(json);
        ++(fault.isEmpty() ? report.passed : report.failed);
        if (!fault.isEmpty())
            report.failures.append(bytesOf(json["id"].get<std::string>()) + ": " + fault);
    }
    return report;
}

} // namespace junban::cel
