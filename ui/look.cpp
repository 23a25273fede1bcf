#include "ui/look.h"

#include "ui/glyphs.h"
#include "ui/text.h"

#include <cmath>

namespace junban::ui {

namespace {

struct Pair {
    QRgb light, dark;
};

Pair colors(JobState state)
{
    switch (state) {
    case JobState::Scheduled: return {0x855400, 0xe3b05a};
    case JobState::Depends: return {0x6b5741, 0xccb59e};
    case JobState::Ready: return {0x0b5cad, 0x7ab8f5};
    case JobState::Running: return {0x006a63, 0x58d3c7};
    case JobState::Awaiting: return {0x6b3fa0, 0xc6a3f2};
    case JobState::Succeeded: return {0x1b6b2d, 0x76d18a};
    case JobState::Failed: return {0xb3261e, 0xff9a91};
    case JobState::Cancelled: return {0x565d69, 0xaab2bf};
    }
    return {0x000000, 0xffffff};
}

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

QColor pick(QRgb light, QRgb dark, const QPalette &palette)
{
    return QColor::fromRgb(Look::isDark(palette) ? dark : light);
}

void setAll(QPalette &palette, QPalette::ColorRole role, QRgb active, QRgb disabled)
{
    palette.setColor(QPalette::All, role, QColor::fromRgb(active));
    palette.setColor(QPalette::Disabled, role, QColor::fromRgb(disabled));
}

} // namespace

QString Look::word(JobState state)
{
    switch (state) {
    case JobState::Scheduled: return tr("scheduled");
    case JobState::Depends: return tr("depends");
    case JobState::Ready: return tr("ready");
    case JobState::Running: return tr("running");
    case JobState::Awaiting: return tr("awaiting");
    case JobState::Succeeded: return tr("succeeded");
    case JobState::Failed: return tr("failed");
    case JobState::Cancelled: return tr("cancelled");
    }
    return {};
}

Glyph Look::glyph(JobState state)
{
    switch (state) {
    case JobState::Scheduled: return Glyph::Clock;
    case JobState::Depends: return Glyph::Chain;
    case JobState::Ready: return Glyph::Circle;
    case JobState::Running: return Glyph::Play;
    case JobState::Awaiting: return Glyph::Hourglass;
    case JobState::Succeeded: return Glyph::Check;
    case JobState::Failed: return Glyph::Cross;
    case JobState::Cancelled: return Glyph::Minus;
    }
    return Glyph::Circle;
}

QColor Look::color(JobState state, const QPalette &palette)
{
    const Pair pair = colors(state);
    return pick(pair.light, pair.dark, palette);
}

QColor Look::amber(const QPalette &palette) { return pick(0x855400, 0xe3b05a, palette); }
QColor Look::red(const QPalette &palette) { return pick(0xb3261e, 0xff9a91, palette); }
QColor Look::green(const QPalette &palette) { return pick(0x1b6b2d, 0x76d18a, palette); }

bool Look::isDark(const QPalette &palette)
{
    return palette.color(QPalette::Active, QPalette::Base).lightness() < 128;
}

QIcon Look::icon(JobState state)
{
    const Pair pair = colors(state);
    return glyphIcon(glyph(state), QColor::fromRgb(pair.light), QColor::fromRgb(pair.dark));
}

QIcon Look::icon(Glyph glyph)
{
    return glyphIcon(glyph, {}, {});
}

QList<JobState> Look::states()
{
    return {JobState::Scheduled, JobState::Depends, JobState::Ready, JobState::Running, JobState::Awaiting, JobState::Succeeded,
            JobState::Failed, JobState::Cancelled};
}

QString Look::reason(const QByteArray &word)
{
    if (word == "other")
        return tr("reported by the worker");
    if (word == "timeout")
        return tr("timed out");
    if (word == "poison")
        return tr("its workers vanished again and again");
    if (word == "cancelled")
        return tr("cancelled on request");
    if (word == "expired")
        return tr("not started in time");
    if (word == "dependency")
        return tr("a job it depends on did not succeed");
    if (word == "dropped")
        return tr("dropped from a full backlog");
    if (word == "refused")
        return tr("could not be enqueued");
    return shown(word);
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
