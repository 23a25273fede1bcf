#pragma once

#include <QLayout>
#include <QList>

namespace junban::ui {

// Widgets side by side, in as many lines as they need. One that is wider than a line gets the line's width. Even: all get the same width,
// and fill their lines.
class FlowLayout : public QLayout
{
public:
    enum class Widths { Own, Even };
    explicit FlowLayout(QWidget *parent = nullptr, Widths widths = Widths::Own);
    ~FlowLayout() override;

    void addItem(QLayoutItem *item) override { m_items.append(item); }
    int count() const override { return int(m_items.size()); }
    QLayoutItem *itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem *takeAt(int index) override { return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr; }
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect &rect) override;

private:
    enum class Do { Measure, Place };
    int arrange(const QRect &rect, Do what) const;
    int evenWidth(int room) const;

    Widths m_widths;
    QList<QLayoutItem *> m_items;
};

} // namespace junban::ui
