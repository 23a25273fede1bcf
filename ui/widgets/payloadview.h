#pragma once

#include "ui/widgets/payloadmodel.h"

#include <QWidget>
#include <functional>

QT_BEGIN_NAMESPACE
class QLabel;
class QMenu;
class QTreeView;
QT_END_NAMESPACE

namespace junban::ui {

// Shows a MessagePack value: its tree, its size, and buttons that copy it or one of its parts as JSON, or open it in a window of its own.
class PayloadView : public QWidget
{
    Q_OBJECT

public:
    // `title`: what the value is, for the title of its window.
    explicit PayloadView(const QString &title, QWidget *parent = nullptr);

    // Whose value it is, for the same; empty: nobody's.
    void setOwner(const QString &owner) { m_owner = owner; }
    void setBytes(const QByteArray &bytes);
    // Shows a sentence instead of a value.
    void setNote(const QString &note);
    PayloadModel &model() { return *m_model; }
    QTreeView *tree() const { return m_tree; }
    // `offer` puts further actions into the menu of a part of the value.
    using Offer = std::function<void(QMenu *menu, const QModelIndex &part)>;
    void setOffer(Offer offer) { m_offer = std::move(offer); }
    // The menu of a part; it deletes itself when it closes.
    QMenu *menuOf(const QModelIndex &part);

private:
    static void copyJson(const QByteArray &bytes, QWidget *from);
    void openValue(const QModelIndex &index);
    void openMenu(const QPoint &at);

    QString m_title, m_owner;
    Offer m_offer;
    PayloadModel *m_model;
    QTreeView *m_tree;
    QLabel *m_note;
    QLabel *m_size;
    QWidget *m_bar;
};

} // namespace junban::ui
