#include "ui/base/glyphs.h"

#include "ui/base/palettes.h"

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>
#include <cmath>

namespace junban::ui {

namespace {

class GlyphEngine : public QIconEngine
{
public:
    GlyphEngine(Glyph glyph, QColor light, QColor dark) : m_glyph(glyph), m_light(light), m_dark(dark) {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        const QPalette palette = QGuiApplication::palette();
        QColor color = isDark(palette) ? m_dark : m_light;
        if (!color.isValid())
            color = palette.color(QPalette::Active, QPalette::WindowText);
        if (mode == QIcon::Disabled)
            color = palette.color(QPalette::Disabled, QPalette::WindowText);
        else if (mode == QIcon::Selected)
            color = palette.color(QPalette::Active, QPalette::HighlightedText);
        drawGlyph(*painter, m_glyph, rect, color);
    }
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    QIconEngine *clone() const override { return new GlyphEngine(*this); }

private:
    Glyph m_glyph;
    QColor m_light, m_dark;
};

void line(QPainterPath &path, double x1, double y1, double x2, double y2)
{
    path.moveTo(x1, y1);
    path.lineTo(x2, y2);
}

void circle(QPainterPath &path, double x, double y, double radius)
{
    path.addEllipse(QPointF(x, y), radius, radius);
}

// An arc with an arrow's head at its end, as arrows that go round have.
void roundArrow(QPainterPath &path)
{
    const QRectF box(3, 3, 10, 10);
    path.arcMoveTo(box, 50);
    path.arcTo(box, 50, 280);
    line(path, 12.6, 10.4, 12.9, 13.6);
    path.lineTo(9.8, 12.4);
}

// On a square of 16 by 16; lines only.
QPainterPath strokes(Glyph glyph)
{
    QPainterPath path;
    switch (glyph) {
    case Glyph::Clock:
        circle(path, 8, 8, 6);
        path.moveTo(8, 4.5);
        path.lineTo(8, 8);
        path.lineTo(10.5, 9.5);
        break;
    case Glyph::Chain:
        circle(path, 4.5, 8, 2.5);
        circle(path, 11.5, 8, 2.5);
        line(path, 7, 8, 9, 8);
        break;
    case Glyph::Circle: circle(path, 8, 8, 5); break;
    case Glyph::Play: break;
    case Glyph::Hourglass:
        path.moveTo(4, 2.5);
        path.lineTo(12, 2.5);
        path.lineTo(4, 13.5);
        path.lineTo(12, 13.5);
        path.closeSubpath();
        break;
    case Glyph::Check:
        path.moveTo(3, 8.5);
        path.lineTo(6.5, 12);
        path.lineTo(13, 4.5);
        break;
    case Glyph::Cross:
    case Glyph::Close:
        line(path, 4, 4, 12, 12);
        line(path, 12, 4, 4, 12);
        break;
    case Glyph::Minus:
        circle(path, 8, 8, 5.5);
        line(path, 5, 8, 11, 8);
        break;
    case Glyph::Overview:
        line(path, 2.5, 13.5, 13.5, 13.5);
        line(path, 4.5, 13, 4.5, 9);
        line(path, 8, 13, 8, 3);
        line(path, 11.5, 13, 11.5, 6);
        break;
    case Glyph::Jobs:
        line(path, 2.5, 4, 13.5, 4);
        line(path, 2.5, 8, 13.5, 8);
        line(path, 2.5, 12, 13.5, 12);
        break;
    case Glyph::Refresh:
    case Glyph::Retry: roundArrow(path); break;
    case Glyph::Snowflake:
        for (int i = 0; i < 3; ++i) {
            const double angle = M_PI / 3 * i + M_PI / 6;
            line(path, 8 - 6 * std::cos(angle), 8 - 6 * std::sin(angle), 8 + 6 * std::cos(angle), 8 + 6 * std::sin(angle));
        }
        break;
    case Glyph::Copy:
        path.addRect(QRectF(5.5, 5.5, 8, 8));
        path.moveTo(3.5, 10.5);
        path.lineTo(2.5, 10.5);
        path.lineTo(2.5, 2.5);
        path.lineTo(10.5, 2.5);
        path.lineTo(10.5, 3.5);
        break;
    case Glyph::Search:
        circle(path, 7, 7, 4.5);
        line(path, 10.5, 10.5, 14, 14);
        break;
    case Glyph::Failures:
    case Glyph::Warning:
        path.moveTo(8, 2);
        path.lineTo(14.5, 13.5);
        path.lineTo(1.5, 13.5);
        path.closeSubpath();
        line(path, 8, 6.5, 8, 9.5);
        line(path, 8, 11.2, 8, 11.6);
        break;
    case Glyph::Results:
        path.moveTo(2.5, 9);
        path.lineTo(2.5, 13.5);
        path.lineTo(13.5, 13.5);
        path.lineTo(13.5, 9);
        line(path, 8, 2, 8, 9.5);
        path.moveTo(5, 6.5);
        path.lineTo(8, 9.5);
        path.lineTo(11, 6.5);
        break;
    case Glyph::Schedules:
        path.addRoundedRect(QRectF(2.5, 3.5, 11, 10), 1, 1);
        line(path, 2.5, 6.8, 13.5, 6.8);
        line(path, 5.2, 2, 5.2, 5);
        line(path, 10.8, 2, 10.8, 5);
        break;
    case Glyph::Constraints:
        line(path, 2.5, 4, 13.5, 4);
        line(path, 2.5, 8, 13.5, 8);
        line(path, 2.5, 12, 13.5, 12);
        circle(path, 10.5, 4, 1.6);
        circle(path, 5.5, 8, 1.6);
        circle(path, 9, 12, 1.6);
        break;
    case Glyph::Star:
    case Glyph::StarFilled:
        for (int i = 0; i < 10; ++i) {
            const double angle = M_PI / 5 * i - M_PI / 2, radius = i % 2 == 0 ? 6.5 : 2.8;
            const QPointF corner(8 + radius * std::cos(angle), 8.5 + radius * std::sin(angle));
            i == 0 ? path.moveTo(corner) : path.lineTo(corner);
        }
        path.closeSubpath();
        break;
    case Glyph::Save:
        line(path, 8, 2.5, 8, 10);
        path.moveTo(4.8, 7);
        path.lineTo(8, 10.2);
        path.lineTo(11.2, 7);
        line(path, 3, 13.5, 13, 13.5);
        break;
    case Glyph::Pause:
        line(path, 5.5, 3.5, 5.5, 12.5);
        line(path, 10.5, 3.5, 10.5, 12.5);
        break;
    case Glyph::Bin:
        line(path, 3, 4.5, 13, 4.5);
        path.moveTo(4.3, 4.5);
        path.lineTo(5, 13.5);
        path.lineTo(11, 13.5);
        path.lineTo(11.7, 4.5);
        line(path, 6.5, 2.5, 9.5, 2.5);
        break;
    case Glyph::Pencil:
        path.moveTo(3, 13);
        path.lineTo(3.8, 10);
        path.lineTo(11, 2.8);
        path.lineTo(13.2, 5);
        path.lineTo(6, 12.2);
        path.closeSubpath();
        break;
    case Glyph::More: break;
    case Glyph::Plug:
        line(path, 6, 2, 6, 5);
        line(path, 10, 2, 10, 5);
        path.addRoundedRect(QRectF(4, 5, 8, 5), 1.5, 1.5);
        line(path, 8, 10, 8, 14);
        break;
    }
    return path;
}

} // namespace

void drawGlyph(QPainter &painter, Glyph glyph, const QRectF &rect, const QColor &color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = std::min(rect.width(), rect.height());
    painter.translate(rect.center() - QPointF(side / 2, side / 2));
    painter.scale(side / 16, side / 16);
    if (glyph == Glyph::More) {
        for (const double x : {3.5, 8.0, 12.5}) {
            QPainterPath dot;
            circle(dot, x, 8, 1.3);
            painter.fillPath(dot, color);
        }
    } else if (glyph == Glyph::Play) {
        QPainterPath triangle;
        triangle.moveTo(4.5, 3);
        triangle.lineTo(13, 8);
        triangle.lineTo(4.5, 13);
        triangle.closeSubpath();
        painter.fillPath(triangle, color);
    } else {
        painter.setPen(QPen(color, glyph == Glyph::Check || glyph == Glyph::Cross ? 2 : 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(glyph == Glyph::StarFilled ? QBrush(color) : QBrush(Qt::NoBrush));
        painter.drawPath(strokes(glyph));
    }
    painter.restore();
}

QIcon glyphIcon(Glyph glyph, QColor light, QColor dark)
{
    return QIcon(new GlyphEngine(glyph, light, dark));
}

} // namespace junban::ui
