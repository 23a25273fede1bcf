#include "core/cel/parser.h"

#include "core/base/reasons/cel.h"
#include "core/limits.h"

#include <algorithm>
#include <limits>

namespace junban::cel {

namespace {

constexpr qint32 none = -1;

const char *const reserved[] = {"as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
    "namespace", "return", "var", "void", "while"};
const char *const keywords[] = {"true", "false", "null", "in"};

template<typename List>
bool contains(const List &words, const QByteArray &word)
{
    return std::any_of(std::begin(words), std::end(words), [&](const char *candidate) { return word == candidate; });
}

struct BinaryOperator {
    const char *symbol;
    Op op;
    int level; // a higher level binds more tightly
};
constexpr BinaryOperator binaryOperators[] = {{"==", Op::Equal, 1}, {"!=", Op::NotEqual, 1}, {"<=", Op::LessEqual, 1}, {"<", Op::Less, 1},
    {">=", Op::GreaterEqual, 1}, {">", Op::Greater, 1}, {"in", Op::In, 1}, {"+", Op::Add, 2}, {"-", Op::Subtract, 2},
    {"*", Op::Multiply, 3}, {"/", Op::Divide, 3}, {"%", Op::Remainder, 3}};
constexpr int tightest = 3;

const BinaryOperator *binaryOperator(const Token &token, int level)
{
    for (const BinaryOperator &candidate : binaryOperators) {
        if (candidate.level == level && (token.is(candidate.symbol) || (candidate.op == Op::In && token.isWord("in"))))
            return &candidate;
    }
    return nullptr;
}

// What somebody who knows another language may have meant.
Reason hint(const Token &token)
{
    if (token.isWord("and") || token.isWord("AND"))
        return reasons::expressionWordForOperator("and", "&&");
    if (token.isWord("or") || token.isWord("OR"))
        return reasons::expressionWordForOperator("or", "||");
    if (token.isWord("not") || token.isWord("NOT"))
        return reasons::expressionWordForOperator("not", "!");
    if (token.is("{"))
        return reasons::expressionMessageType();
    if (token.kind == TokenKind::End)
        return reasons::expressionIncomplete();
    return reasons::expressionUnfinished();
}

} // namespace

Parser::Parser(Code &code) : m_code(code), m_lexer(code.text) {}

std::optional<qint32> Parser::parse()
{
    if (!advance())
        return {};
    if (m_token.kind == TokenKind::End) {
        fail(m_token, reasons::expressionEmpty());
        return {};
    }
    const qint32 root = expression();
    if (root != none && m_token.kind != TokenKind::End)
        fail(m_token, hint(m_token));
    return m_failed ? std::nullopt : std::optional(root);
}

bool Parser::advance()
{
    m_end = m_token.offset + m_token.length;
    const auto next = m_lexer.next();
    if (!next) {
        m_failed = true;
        m_problem = m_lexer.problem();
        return false;
    }
    m_token = *next;
    return true;
}

qint32 Parser::fail(qsizetype offset, qsizetype length, Reason reason)
{
    if (!m_failed)
        m_problem = problemAt(m_code.text, offset, length, std::move(reason));
    m_failed = true;
    return none;
}

qint32 Parser::fail(const Token &at, Reason reason)
{
    return fail(at.offset, at.length, std::move(reason));
}

bool Parser::expect(const char *symbol, Reason (*missing)())
{
    if (m_token.is(symbol))
        return advance();
    fail(m_token, missing());
    return false;
}

qint32 Parser::add(Node node, qsizetype offset)
{
    if (m_code.nodes.size() >= size_t(limits::matcher_nodes_max))
        return fail(offset, m_end - offset, reasons::expressionTooLarge(limits::matcher_nodes_max));
    node.offset = qint32(offset);
    node.length = qint32(m_end - offset);
    const auto below = [&](qint32 child) {
        if (child != none)
            node.depth = quint16(qMax<int>(node.depth, m_code.node(child).depth + 1));
    };
    below(node.a);
    below(node.b);
    below(node.c);
    for (qint32 i = 0; i < node.count; ++i)
        below(m_code.child(node, i));
    if (node.depth > limits::matcher_depth_max)
        return fail(offset, m_end - offset, reasons::expressionTooDeep(limits::matcher_depth_max));
    m_code.nodes.push_back(std::move(node));
    return qint32(m_code.nodes.size()) - 1;
}

qint32 Parser::addWith(Node node, const QList<qint32> &children, qsizetype offset)
{
    node.first = qint32(m_code.children.size());
    node.count = qint32(children.size());
    m_code.children.insert(m_code.children.end(), children.begin(), children.end());
    return add(std::move(node), offset);
}

qint32 Parser::constant(const Value &value, qsizetype offset)
{
    Node node;
    node.constant = m_code.keep(value);
    return add(std::move(node), offset);
}

qint32 Parser::expression()
{
    if (++m_depth > limits::matcher_depth_max)
        return fail(m_token, reasons::expressionTooDeep(limits::matcher_depth_max));
    const qsizetype start = m_token.offset;
    qint32 result = logical("||");
    if (result != none && m_token.is("?")) {
        Node node{.op = Op::Conditional, .a = result};
        if (!advance() || (node.b = logical("||")) == none || !expect(":", reasons::expressionElseMissing)
            || (node.c = expression()) == none)
            return none;
        result = add(std::move(node), start);
    }
    --m_depth;
    return result;
}

// && and || take any number of operands, so that long chains stay shallow.
qint32 Parser::logical(const char *symbol)
{
    const bool isOr = symbol[0] == '|';
    const auto operand = [&] { return isOr ? logical("&&") : binary(1); };
    const qsizetype start = m_token.offset;
    const qint32 first = operand();
    if (first == none || !m_token.is(symbol))
        return first;
    QList<qint32> operands{first};
    while (m_token.is(symbol)) {
        if (!advance())
            return none;
        operands.append(operand());
        if (operands.last() == none)
            return none;
    }
    return addWith(Node{.op = isOr ? Op::Or : Op::And}, operands, start);
}

qint32 Parser::binary(int level)
{
    const auto operand = [&] { return level == tightest ? unary() : binary(level + 1); };
    const qsizetype start = m_token.offset;
    qint32 left = operand();
    while (left != none) {
        const BinaryOperator *found = binaryOperator(m_token, level);
        if (!found)
            return left;
        if (!advance())
            return none;
        const qint32 right = operand();
        if (right == none)
            return none;
        left = add(Node{.op = found->op, .a = left, .b = right}, start);
    }
    return none;
}

qint32 Parser::unary()
{
    if (!m_token.is("!") && !m_token.is("-"))
        return member();
    const bool negation = m_token.is("-");
    QList<qsizetype> starts;
    while (m_token.is(negation ? "-" : "!")) {
        starts.append(m_token.offset);
        if (!advance())
            return none;
    }
    qint32 result = none;
    if (negation && (m_token.kind == TokenKind::Int || m_token.kind == TokenKind::Double)) {
        // The sign belongs to the number; otherwise the smallest integer could not be written.
        result = literal(true);
        starts.removeLast();
    } else {
        result = member();
    }
    for (auto start = starts.crbegin(); result != none && start != starts.crend(); ++start) {
        // Signs in a row cancel each other here, so that a long row of them does not become a deep tree.
        const Node &inner = m_code.node(result);
        if (negation && inner.op == Op::Constant && inner.constant.type() == ValueType::Double) {
            m_code.node(result).constant = Value::real(-inner.constant.toDouble());
        } else if (negation && inner.op == Op::Constant && inner.constant.type() == ValueType::Int
            && inner.constant.toInt() != std::numeric_limits<qint64>::min()) {
            m_code.node(result).constant = Value::integer(-inner.constant.toInt());
        } else {
            result = add(Node{.op = negation ? Op::Negate : Op::Not, .a = result}, *start);
        }
    }
    return result;
}

qint32 Parser::member()
{
    qint32 result = primary();
    while (result != none) {
        const qsizetype start = m_code.node(result).offset;
        if (m_token.is(".")) {
            if (!advance())
                return none;
            result = selection(result);
        } else if (m_token.is("[")) {
            if (!advance())
                return none;
            const qint32 index = expression();
            if (index == none || !expect("]", reasons::expressionUnclosedIndex))
                return none;
            result = add(Node{.op = Op::Index, .a = result, .b = index}, start);
        } else {
            return result;
        }
    }
    return none;
}

qint32 Parser::selection(qint32 target)
{
    const Token word = m_token;
    if (word.kind != TokenKind::Identifier && word.kind != TokenKind::Quoted)
        return fail(word, reasons::expressionFieldMissing());
    if (word.kind == TokenKind::Identifier && contains(keywords, word.text))
        return fail(word, reasons::expressionKeywordAsField(word.text));
    if (!advance())
        return none;
    if (word.kind == TokenKind::Identifier && m_token.is("("))
        return call(word, target);
    return add(Node{.op = Op::Select, .quoted = word.kind == TokenKind::Quoted, .a = target, .text = word.text},
        m_code.node(target).offset);
}

qint32 Parser::primary()
{
    switch (m_token.kind) {
    case TokenKind::Int:
    case TokenKind::UInt:
    case TokenKind::Double:
    case TokenKind::String:
    case TokenKind::Bytes: return literal(false);
    case TokenKind::Identifier: return name(false);
    case TokenKind::Quoted: return fail(m_token, reasons::expressionBackquotesWithoutDot());
    case TokenKind::End: return fail(m_token, hint(m_token));
    case TokenKind::Symbol: break;
    }
    if (m_token.is(".")) {
        if (!advance())
            return none;
        return m_token.kind == TokenKind::Identifier ? name(true) : fail(m_token, reasons::expressionNameMissing());
    }
    if (m_token.is("["))
        return listLiteral();
    if (m_token.is("{"))
        return mapLiteral();
    if (m_token.is("(")) {
        if (!advance())
            return none;
        const qint32 inner = expression();
        return inner != none && expect(")", reasons::expressionUnclosedParenthesis) ? inner : none;
    }
    return fail(m_token, reasons::expressionValueMissing());
}

qint32 Parser::name(bool rooted)
{
    const Token word = m_token;
    if (!rooted && (word.isWord("true") || word.isWord("false")))
        return advance() ? constant(Value::boolean(word.isWord("true")), word.offset) : none;
    if (!rooted && word.isWord("null"))
        return advance() ? constant(Value::null(), word.offset) : none;
    if (contains(keywords, word.text) || contains(reserved, word.text))
        return fail(word, reasons::expressionReservedWord(word.text));
    if (!advance())
        return none;
    if (m_token.is("("))
        return call(word, none);
    return add(Node{.op = Op::Name, .rooted = rooted, .text = word.text}, word.offset);
}

qint32 Parser::literal(bool negative)
{
    const Token token = m_token;
    if (!advance())
        return none;
    switch (token.kind) {
    case TokenKind::UInt: return constant(Value::unsignedInteger(token.number), token.offset);
    case TokenKind::Double: return constant(Value::real(negative ? -token.real : token.real), token.offset);
    case TokenKind::String: return constant(Value::string(token.text), token.offset);
    case TokenKind::Bytes: return constant(Value::bytes(token.text), token.offset);
    default: break;
    }
    constexpr auto largest = quint64(std::numeric_limits<qint64>::max());
    if (token.number > largest + (negative ? 1 : 0))
        return fail(token, reasons::expressionIntegerNeedsU());
    const qint64 value = negative ? qint64(~token.number + 1) : qint64(token.number);
    return constant(Value::integer(value), token.offset);
}

qint32 Parser::listLiteral()
{
    const qsizetype start = m_token.offset;
    if (!advance())
        return none;
    const auto elements = arguments("]");
    return elements ? addWith(Node{.op = Op::List}, *elements, start) : none;
}

qint32 Parser::mapLiteral()
{
    const qsizetype start = m_token.offset;
    if (!advance())
        return none;
    QList<qint32> entries;
    while (!m_token.is("}")) {
        const qint32 key = expression();
        if (key == none || !expect(":", reasons::expressionColonMissing))
            return none;
        const qint32 value = expression();
        if (value == none)
            return none;
        entries << key << value;
        if (!m_token.is(","))
            break;
        if (!advance())
            return none;
    }
    return expect("}", reasons::expressionUnclosedMap) ? addWith(Node{.op = Op::Map}, entries, start) : none;
}

std::optional<QList<qint32>> Parser::arguments(const char *closing)
{
    QList<qint32> result;
    while (!m_token.is(closing)) {
        const qint32 argument = expression();
        if (argument == none)
            return {};
        result.append(argument);
        // A list may end with a comma; the arguments of a function may not.
        if (!m_token.is(","))
            break;
        if (!advance())
            return {};
        if (closing[0] == ')' && m_token.is(")")) {
            fail(m_token, reasons::expressionArgumentMissing());
            return {};
        }
    }
    if (!expect(closing, closing[0] == ']' ? reasons::expressionUnclosedList : reasons::expressionUnclosedCall))
        return {};
    return result;
}

qint32 Parser::call(const Token &word, qint32 receiver)
{
    if (!advance()) // the bracket
        return none;
    const auto given = arguments(")");
    if (!given)
        return none;
    if (const auto expanded = macro(word, receiver, *given))
        return *expanded;
    QList<qint32> all = *given;
    if (receiver != none)
        all.prepend(receiver);
    const qsizetype start = receiver != none ? m_code.node(receiver).offset : word.offset;
    return addWith(Node{.op = Op::Call, .receiver = receiver != none, .text = word.text}, all, start);
}

std::optional<qint32> Parser::macro(const Token &word, qint32 receiver, const QList<qint32> &given)
{
    if (receiver == none) {
        if (word.text != "has" || given.size() != 1)
            return {};
        Node &field = m_code.node(given[0]);
        if (field.op != Op::Select)
            return fail(field.offset, field.length, reasons::expressionHasNeedsField());
        field.op = Op::Has;
        field.offset = qint32(word.offset);
        field.length = qint32(m_end - word.offset);
        return given[0];
    }
    const bool maps = word.text == "map" && (given.size() == 2 || given.size() == 3);
    Op op = Op::Transform;
    if (given.size() == 2) {
        if (word.text == "all")
            op = Op::All;
        else if (word.text == "exists")
            op = Op::Exists;
        else if (word.text == "exists_one" || word.text == "existsOne")
            op = Op::ExistsOne;
        else if (word.text == "filter")
            op = Op::Filter;
    }
    if (op == Op::Transform && !maps)
        return {};
    const Node &variable = m_code.node(given[0]);
    if (variable.op != Op::Name || variable.rooted)
        return fail(variable.offset, variable.length, reasons::expressionMacroVariable(word.text));
    Node node{.op = op, .a = receiver, .text = variable.text};
    if (op == Op::Transform) {
        node.b = given.size() == 3 ? given[1] : none;
        node.c = given.last();
    } else {
        node.b = given[1];
    }
    return add(std::move(node), m_code.node(receiver).offset);
}

} // namespace junban::cel
