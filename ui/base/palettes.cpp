#include "ui/base/palettes.h"

#include <algorithm>
#include <cmath>

namespace junban::ui {

namespace {

constexpr double selectionTint = 0.15;

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

void setAll(QPalette &palette, QPalette::ColorRole role, QRgb active, QRgb disabled)
{
    palette.setColor(QPalette::All, role, QColor::fromRgb(active));
    palette.setColor(QPalette::Disabled, role, QColor::fromRgb(disabled));
}

} // namespace

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Active, QPalette::Base).lightness() < 128;
}

QPalette amberPalette(QPalette palette)
{
    const bool dark = isDark(palette);
    palette.setColor(QPalette::Window, QColor::fromRgb(dark ? 0x4a3a12 : 0xffe9b8));
    palette.setColor(QPalette::WindowText, QColor::fromRgb(dark ? 0xffe2a3 : 0x4d3200));
    return palette;
}

QPalette tintedSelection(QPalette palette)
{
    const QColor base = palette.color(QPalette::Active, QPalette::Base), tint = palette.color(QPalette::Active, QPalette::Link);
    const auto mixed = [](int under, int over) { return under + int(std::lround((over - under) * selectionTint)); };
    palette.setColor(QPalette::All, QPalette::Highlight, QColor(mixed(base.red(), tint.red()), mixed(base.green(), tint.green()),
                                                                mixed(base.blue(), tint.blue())));
    palette.setColor(QPalette::All, QPalette::HighlightedText, palette.color(QPalette::Active, QPalette::Text));
    return palette;
}

double contrast(const QColor &a, const QColor &b)
{
    const double one = luminance(a), other = luminance(b);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

QPalette lightPalette()
{
    QPalette palette;
    setAll(palette, QPalette::Window, 0xf3f4f6, 0xf3f4f6);
    setAll(palette, QPalette::WindowText, 0x1d2025, 0x80868f);
    setAll(palette, QPalette::Base, 0xffffff, 0xf3f4f6);
    setAll(palette, QPalette::AlternateBase, 0xf7f8fa, 0xf3f4f6);
    setAll(palette, QPalette::Text, 0x1d2025, 0x80868f);
    setAll(palette, QPalette::PlaceholderText, 0x5d646f, 0x9aa0a9);
    setAll(palette, QPalette::Button, 0xe9ebef, 0xeff0f3);
    setAll(palette, QPalette::ButtonText, 0x1d2025, 0x80868f);
    setAll(palette, QPalette::BrightText, 0xffffff, 0xffffff);
    setAll(palette, QPalette::ToolTipBase, 0xfffbe6, 0xfffbe6);
    setAll(palette, QPalette::ToolTipText, 0x1d2025, 0x1d2025);
    setAll(palette, QPalette::Highlight, 0x1f6fc4, 0xb9c0ca);
    setAll(palette, QPalette::HighlightedText, 0xffffff, 0xffffff);
    setAll(palette, QPalette::Link, 0x0b5cad, 0x80868f);
    setAll(palette, QPalette::LinkVisited, 0x6b3fa0, 0x80868f);
    setAll(palette, QPalette::Light, 0xffffff, 0xffffff);
    setAll(palette, QPalette::Midlight, 0xdfe2e7, 0xdfe2e7);
    setAll(palette, QPalette::Mid, 0xc3c8d0, 0xc3c8d0);
    setAll(palette, QPalette::Dark, 0x9aa1ab, 0x9aa1ab);
    setAll(palette, QPalette::Shadow, 0x5d636c, 0x5d636c);
    return palette;
}

QPalette darkPalette()
{
    QPalette palette;
    setAll(palette, QPalette::Window, 0x23262c, 0x23262c);
    setAll(palette, QPalette::WindowText, 0xe6e8eb, 0x838a95);
    setAll(palette, QPalette::Base, 0x1a1d21, 0x202329);
    setAll(palette, QPalette::AlternateBase, 0x1f2227, 0x202329);
    setAll(palette, QPalette::Text, 0xe6e8eb, 0x838a95);
    setAll(palette, QPalette::PlaceholderText, 0x959ca7, 0x6d747f);
    setAll(palette, QPalette::Button, 0x2d3138, 0x272a30);
    setAll(palette, QPalette::ButtonText, 0xe6e8eb, 0x838a95);
    setAll(palette, QPalette::BrightText, 0xffffff, 0xffffff);
    setAll(palette, QPalette::ToolTipBase, 0x32363e, 0x32363e);
    setAll(palette, QPalette::ToolTipText, 0xe6e8eb, 0xe6e8eb);
    setAll(palette, QPalette::Highlight, 0x2f6db3, 0x454b55);
    setAll(palette, QPalette::HighlightedText, 0xffffff, 0xc9cdd4);
    setAll(palette, QPalette::Link, 0x7ab8f5, 0x838a95);
    setAll(palette, QPalette::LinkVisited, 0xc6a3f2, 0x838a95);
    setAll(palette, QPalette::Light, 0x3c414a, 0x3c414a);
    setAll(palette, QPalette::Midlight, 0x333840, 0x333840);
    setAll(palette, QPalette::Mid, 0x454b55, 0x454b55);
    setAll(palette, QPalette::Dark, 0x15171a, 0x15171a);
    setAll(palette, QPalette::Shadow, 0x0c0d0f, 0x0c0d0f);
    return palette;
}

} // namespace junban::ui
