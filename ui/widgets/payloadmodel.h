#pragma once

#include <QAbstractItemModel>
#include <QByteArray>
#include <memory>
#include <vector>

namespace junban::ui {

// One MessagePack value as a tree, with its keys, encoded types and exact values. It is read in place and lazily: the elements of a
// container are read when the container is opened, a few hundred at a time.
class PayloadModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { Key, Type, Value, columns };
    // The value's MessagePack bytes, and those of its key; no key: an element of an array, or the value itself.
    enum Role { BytesRole = Qt::UserRole, KeyRole };

    explicit PayloadModel(QObject *parent = nullptr);
    ~PayloadModel() override;

    // Shows one complete value. Does nothing when these bytes are shown already, so that open containers stay open.
    void setBytes(const QByteArray &bytes);
    const QByteArray &bytes() const { return m_bytes; }

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    bool hasChildren(const QModelIndex &parent = {}) const override;
    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    static constexpr int elementsAtOnce = 256;

private:
    struct Node;
    Node *nodeOf(const QModelIndex &index) const;
    QString valueText(const Node &node) const;
    QString keyText(const Node &node) const;

    QByteArray m_bytes;
    std::unique_ptr<Node> m_root; // has one child: the value itself
};

} // namespace junban::ui
