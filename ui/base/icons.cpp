#include "ui/base/icons.h"

#include "ui/base/palettes.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QMetaEnum>
#include <QPainter>
#include <QSvgRenderer>

namespace junban::ui {

namespace {

// QtSvg's own engine knows no palette: it would draw every icon in black.
class TintedIconEngine : public QIconEngine
{
public:
    TintedIconEngine(Icon icon, const QColor &light, const QColor &dark) : m_icon(icon), m_light(light), m_dark(dark) {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        const QPalette palette = QGuiApplication::palette();
        QColor color = isDark(palette) ? m_dark : m_light;
        if (!color.isValid())
            color = palette.color(QPalette::Active, QPalette::WindowText);
        if (mode == QIcon::Disabled)
            color = palette.color(QPalette::Disabled, QPalette::WindowText);
        drawIcon(*painter, m_icon, rect, color);
    }
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    QIconEngine *clone() const override { return new TintedIconEngine(*this); }

private:
    Icon m_icon;
    QColor m_light, m_dark;
};

} // namespace

void drawIcon(QPainter &painter, Icon icon, const QRectF &rect, const QColor &color)
{
    const QByteArray name = QByteArray(QMetaEnum::fromType<Icon>().valueToKey(int(icon))).toLower();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(QLatin1String(name)));
    if (!file.open(QIODevice::ReadOnly))
        return; // a test says that every icon has its file
    QSvgRenderer renderer(file.readAll().replace("currentColor", color.name().toLatin1()));
    renderer.setAspectRatioMode(Qt::KeepAspectRatio);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter, rect);
    painter.restore();
}

QIcon tintedIcon(Icon icon, const QColor &light, const QColor &dark)
{
    return QIcon(new TintedIconEngine(icon, light, dark));
}

} // namespace junban::ui
