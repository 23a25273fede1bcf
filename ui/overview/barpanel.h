#pragma once

#include <QAbstractButton>
#include <QElapsedTimer>
#include <QFrame>
#include <functional>

QT_BEGIN_NAMESPACE
class QLabel;
class QVBoxLayout;
QT_END_NAMESPACE

namespace junban::ui {

// A figure with a bar: what it is, how much, and the place where a click leads.
struct Bar {
    QString text;
    QString value;
    double part = 0;                 // of the bar's width, 0 to 1
    enum class Tone { Plain, Alarm } tone = Tone::Plain;
    std::function<void()> open = {};
};

class BarLine : public QAbstractButton
{
    Q_OBJECT

public:
    explicit BarLine(QWidget *parent = nullptr);

    void say(const Bar &bar);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Bar m_bar;
};

// A title and some bars below it, or a sentence when there are none.
class BarPanel : public QFrame
{
    Q_OBJECT

public:
    // `orders_ms`: how often the bars are put in order; 0: each time.
    explicit BarPanel(const QString &title, QWidget *parent = nullptr, int orders_ms = 10'000);

    // Each line keeps its place, so that one can be clicked while the figures change, and its room when it is not needed any more, so that
    // what stands below does not move. While the pointer is over the panel, and for some seconds on its way there, the bars keep their
    // order; new ones come last.
    // At most bars_max are shown, the first ones.
    void say(QList<Bar> bars, const QString &otherwise);
    static constexpr qsizetype bars_max = 6;
    QList<BarLine *> lines() const { return m_lines.first(m_shown); }

private:
    QVBoxLayout *m_layout;
    QLabel *m_otherwise;
    QList<BarLine *> m_lines;
    QStringList m_texts; // of the bars that are shown
    qsizetype m_shown = 0;
    const int m_orders_ms;
    QElapsedTimer m_ordered; // since the bars were put in order
};

} // namespace junban::ui
