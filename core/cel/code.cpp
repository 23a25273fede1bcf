#include "core/cel/code.h"

#include "core/cel/containers.h"


namespace junban::cel {

Value Code::keep(const Value &value)
{
    switch (value.type()) {
    case ValueType::String: return Value::string(bytes.emplace_back(value.view().toByteArray()));
    case ValueType::Bytes: return Value::bytes(bytes.emplace_back(value.view().toByteArray()));
    case ValueType::List:
    case ValueType::Map: {
        std::vector<Value> kept;
        Work work;
        Walk walk(value, work);
        for (Value element; walk.next(element);)
            kept.push_back(keep(element));
        const std::vector<Value> &stored = elements.emplace_back(std::move(kept));
        return value.type() == ValueType::List ? Value::list(stored.data(), qsizetype(stored.size()))
                                               : Value::map(stored.data(), qsizetype(stored.size() / 2));
    }
    default: return value;
    }
}

const FunctionRow *functionNamed(QByteArrayView name)
{
    static constexpr FunctionRow rows[] = {
        {"bool", Function::Bool, true, false, 1, 1},
        {"bytes", Function::Bytes, true, false, 1, 1},
        {"contains", Function::Contains, false, true, 1, 1},
        {"double", Function::Double, true, false, 1, 1},
        {"duration", Function::Duration, true, false, 1, 1},
        {"dyn", Function::Dyn, true, false, 1, 1},
        {"endsWith", Function::EndsWith, false, true, 1, 1},
        {"getDate", Function::GetDate, false, true, 0, 1},
        {"getDayOfMonth", Function::GetDayOfMonth, false, true, 0, 1},
        {"getDayOfWeek", Function::GetDayOfWeek, false, true, 0, 1},
        {"getDayOfYear", Function::GetDayOfYear, false, true, 0, 1},
        {"getFullYear", Function::GetFullYear, false, true, 0, 1},
        {"getHours", Function::GetHours, false, true, 0, 1},
        {"getMilliseconds", Function::GetMilliseconds, false, true, 0, 1},
        {"getMinutes", Function::GetMinutes, false, true, 0, 1},
        {"getMonth", Function::GetMonth, false, true, 0, 1},
        {"getSeconds", Function::GetSeconds, false, true, 0, 1},
        {"int", Function::Int, true, false, 1, 1},
        {"matches", Function::Matches, true, true, 1, 1},
        {"size", Function::Size, true, true, 0, 0},
        {"startsWith", Function::StartsWith, false, true, 1, 1},
        {"string", Function::String, true, false, 1, 1},
        {"timestamp", Function::Timestamp, true, false, 1, 1},
        {"type", Function::Type, true, false, 1, 1},
        {"uint", Function::UInt, true, false, 1, 1},
    };
    for (const FunctionRow &row : rows) {
        if (name == QByteArrayView(row.name))
            return &row;
    }
    return nullptr;
}

std::unique_ptr<const re2::RE2> compilePattern(QByteArrayView pattern, qint64 memory_bytes_max)
{
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(memory_bytes_max);
    auto compiled = std::make_unique<const re2::RE2>(re2::StringPiece(pattern.data(), size_t(pattern.size())), options);
    if (!compiled->ok() || compiled->ProgramSize() > limits::matcher_pattern_size_max)
        return nullptr;
    return compiled;
}

} // namespace junban::cel
