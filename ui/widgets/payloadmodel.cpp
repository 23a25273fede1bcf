#include "ui/widgets/payloadmodel.h"

#include "core/limits.h"
#include "core/msgpack/payload.h"
#include "ui/base/payloadtext.h"
#include "ui/base/text.h"

#include <QFontDatabase>

namespace junban::ui {

namespace {

constexpr qsizetype cellCharacters = 500;
constexpr qsizetype tipCharacters = 4'000;

using payload::Token;

} // namespace

struct PayloadModel::Node {
    Node *parent = nullptr;
    int row = 0;
    int depth = 0;
    QByteArrayView key;      // a map's key, a whole MessagePack value; empty in arrays
    QByteArrayView value;
    Token token;
    quint32 read = 0;        // elements that have become children
    qsizetype nextAt = 0;    // where the next element begins, in `value`
    bool broken = false;
    std::vector<std::unique_ptr<Node>> children;

    bool isContainer() const { return token.type == payload::Type::Array || token.type == payload::Type::Map; }
};

PayloadModel::PayloadModel(QObject *parent)
    : QAbstractItemModel(parent)
{
}

PayloadModel::~PayloadModel() = default;

void PayloadModel::setBytes(const QByteArray &bytes)
{
    if (m_root && m_bytes == bytes)
        return;
    beginResetModel();
    m_bytes = bytes;
    m_root = std::make_unique<Node>();
    payload::Reader reader(m_bytes);
    const std::optional<QByteArrayView> whole = reader.skip();
    if (whole) {
        auto node = std::make_unique<Node>();
        node->parent = m_root.get();
        node->value = *whole;
        payload::Reader head(*whole);
        node->token = head.next().value_or(Token{});
        node->nextAt = head.offset();
        m_root->children.push_back(std::move(node));
    }
    endResetModel();
}

PayloadModel::Node *PayloadModel::nodeOf(const QModelIndex &index) const
{
    return index.isValid() ? static_cast<Node *>(index.internalPointer()) : m_root.get();
}

QModelIndex PayloadModel::index(int row, int column, const QModelIndex &parent) const
{
    const Node *node = nodeOf(parent);
    if (!node || row < 0 || size_t(row) >= node->children.size() || column < 0 || column >= columns
        || (parent.isValid() && parent.column() != 0))
        return {};
    return createIndex(row, column, node->children[size_t(row)].get());
}

QModelIndex PayloadModel::parent(const QModelIndex &child) const
{
    const Node *node = child.isValid() ? nodeOf(child) : nullptr;
    if (!node || node->parent == m_root.get())
        return {};
    return createIndex(node->parent->row, 0, node->parent);
}

int PayloadModel::rowCount(const QModelIndex &parent) const
{
    const Node *node = nodeOf(parent);
    return node && (!parent.isValid() || parent.column() == 0) ? int(node->children.size()) : 0;
}

int PayloadModel::columnCount(const QModelIndex &) const
{
    return columns;
}

bool PayloadModel::hasChildren(const QModelIndex &parent) const
{
    const Node *node = nodeOf(parent);
    if (!node || (parent.isValid() && parent.column() != 0))
        return false;
    return parent.isValid() ? node->isContainer() && node->token.count > 0 : !node->children.empty();
}

bool PayloadModel::canFetchMore(const QModelIndex &parent) const
{
    const Node *node = parent.isValid() && parent.column() == 0 ? nodeOf(parent) : nullptr;
    return node && node->isContainer() && !node->broken && node->read < node->token.count
        && node->depth < limits::msgpack_depth_max;
}

void PayloadModel::fetchMore(const QModelIndex &parent)
{
    if (!canFetchMore(parent))
        return;
    Node *node = nodeOf(parent);
    const bool map = node->token.type == payload::Type::Map;
    std::vector<std::unique_ptr<Node>> children;
    payload::Reader reader(node->value.sliced(node->nextAt));
    while (node->read + children.size() < node->token.count && children.size() < elementsAtOnce) {
        const std::optional<QByteArrayView> key = map ? reader.skip() : QByteArrayView();
        const std::optional<QByteArrayView> value = key ? reader.skip() : std::nullopt;
        if (!value) {
            node->broken = true;
            break;
        }
        auto child = std::make_unique<Node>();
        child->parent = node;
        child->row = int(node->children.size() + children.size());
        child->depth = node->depth + 1;
        child->key = *key;
        child->value = *value;
        payload::Reader head(*value);
        child->token = head.next().value_or(Token{});
        child->nextAt = head.offset();
        children.push_back(std::move(child));
    }
    node->nextAt += reader.offset();
    if (children.empty())
        return;
    const int first = int(node->children.size());
    beginInsertRows(parent, first, first + int(children.size()) - 1);
    node->read += quint32(children.size());
    for (auto &child : children)
        node->children.push_back(std::move(child));
    endInsertRows();
}

QString PayloadModel::keyText(const Node &node) const
{
    if (node.parent == m_root.get())
        return {};
    if (node.key.isEmpty())
        return QStringLiteral("[%1]").arg(node.row);
    const std::optional<Token> key = payload::Reader(node.key).next();
    if (key && key->type == payload::Type::String)
        return key->bytes.isEmpty() ? QStringLiteral("\"\"") : clipped(shown(key->bytes), cellCharacters);
    // A key of another type says so: 42 (uint8) is not "42".
    return QStringLiteral("%1 (%2)").arg(payloadPreview(node.key, cellCharacters), payloadType(node.key));
}

QString PayloadModel::valueText(const Node &node) const
{
    switch (node.token.type) {
    case payload::Type::Array: return tr("%Ln element(s)", nullptr, int(node.token.count));
    case payload::Type::Map: return tr("%Ln key(s)", nullptr, int(node.token.count));
    case payload::Type::Binary:
        return tr("%Ln byte(s): %1", nullptr, int(node.token.bytes.size())).arg(payloadScalar(node.value, cellCharacters));
    default: return payloadScalar(node.value, cellCharacters);
    }
}

QVariant PayloadModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Node *node = nodeOf(index);
    switch (role) {
    case BytesRole: return node->value.toByteArray();
    case KeyRole: return node->key.toByteArray();
    case Qt::DisplayRole:
        switch (index.column()) {
        case Key: return keyText(*node);
        case Type: return payloadType(node->value);
        case Value: return valueText(*node);
        default: return {};
        }
    case Qt::ToolTipRole:
        if (index.column() == Value && !node->isContainer())
            return plainTip(payloadScalar(node->value, tipCharacters));
        return {};
    case Qt::FontRole:
        return index.column() == Value ? QVariant(QFontDatabase::systemFont(QFontDatabase::FixedFont)) : QVariant();
    case Qt::AccessibleTextRole:
        return index.column() == Key
            ? QStringLiteral("%1: %2 (%3)").arg(keyText(*node), valueText(*node), payloadType(node->value))
            : QVariant();
    default: return {};
    }
}

QVariant PayloadModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Key: return tr("Key");
    case Type: return tr("Type");
    case Value: return tr("Value");
    default: return {};
    }
}

} // namespace junban::ui
