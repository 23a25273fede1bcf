#include "core/limits/mask.h"

#include "core/base/reasons/matchers.h"
#include "core/limits.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/payload.h"

#include <algorithm>

namespace junban {

namespace {

// A star of the pattern stands for any characters. In lower case, both.
bool matches(QByteArrayView pattern, QByteArrayView text)
{
    qsizetype at = 0, in = 0, star = -1, resume = 0;
    while (in < text.size()) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            resume = in;
        } else if (at < pattern.size() && pattern[at] == text[in]) {
            ++at;
            ++in;
        } else if (star >= 0) {
            at = star + 1;
            in = ++resume;
        } else {
            return false;
        }
    }
    while (at < pattern.size() && pattern[at] == '*')
        ++at;
    return at == pattern.size();
}

// The paths that lead on from a place: each with how many of its steps lead here.
using Live = QList<QPair<const MaskPath *, qsizetype>>;

class Masking
{
public:
    Masking(QByteArrayView value, const KeyMask &keys) : m_value(value), m_in(value), m_keys(keys) {}

    void value(const Live &live, bool keysCount)
    {
        if (std::any_of(live.begin(), live.end(), [](const auto &path) { return path.second == path.first->size(); })) {
            hide();
            return;
        }
        const auto head = m_in.next();
        const quint32 count = head ? head->count : 0;
        for (quint32 i = 0; head && head->type == payload::Type::Array && i < count && !m_in.failed(); ++i)
            value(live.isEmpty() ? live : after(live, QByteArray::number(i)), true);
        for (quint32 i = 0; head && head->type == payload::Type::Map && i < count && !m_in.failed(); ++i)
            pair(live, keysCount);
    }
    bool failed() const { return m_in.failed(); }
    // The value with what is hidden; nothing when nothing is.
    QByteArray take()
    {
        if (m_copied == 0)
            return {};
        return m_out + m_value.sliced(m_copied).toByteArray();
    }

private:
    void pair(const Live &live, bool keysCount)
    {
        const auto raw = m_in.skip();
        if (!raw)
            return;
        const auto key = payload::Reader(*raw).next();
        const bool named = key && (key->type == payload::Type::String || key->type == payload::Type::Binary);
        if (named && keysCount && m_keys.hides(key->bytes))
            hide();
        else
            value(live.isEmpty() ? live : after(live, named ? key->bytes : QByteArrayView()), true);
    }

    static Live after(const Live &live, QByteArrayView step)
    {
        Live on;
        for (const auto &[path, taken] : live) {
            const QByteArray &wanted = path->at(taken);
            if (wanted == "*" || wanted == step)
                on.append({path, taken + 1});
        }
        return on;
    }

    // The next value.
    void hide()
    {
        const qsizetype begin = m_in.offset();
        if (!m_in.skip())
            return;
        m_out += m_value.sliced(m_copied, begin - m_copied);
        m_out += MsgpackWriter().text(mask_text).take();
        m_copied = m_in.offset();
    }

    QByteArrayView m_value;
    payload::Reader m_in;
    const KeyMask &m_keys;
    QByteArray m_out;
    qsizetype m_copied = 0; // bytes of the value that are in `out`, or hidden
};

QByteArray lower(QByteArrayView text)
{
    return text.toByteArray().toLower();
}

} // namespace

Result<KeyMask> KeyMask::of(const QList<QByteArray> &patterns)
{
    KeyMask mask;
    for (const QByteArray &pattern : patterns) {
        if (pattern.isEmpty() || pattern.size() > limits::name_bytes_max)
            return reasons::maskPatternExpected("mask-keys", limits::name_bytes_max);
        mask.m_patterns.append(lower(pattern));
    }
    if (mask.m_patterns.size() > limits::mask_keys_max)
        return reasons::maskPatternsTooMany("mask-keys", limits::mask_keys_max);
    return mask;
}

KeyMask KeyMask::usual()
{
    KeyMask mask;
    for (const char *pattern : limits::mask_keys_default)
        mask.m_patterns.append(pattern);
    return mask;
}

bool KeyMask::hides(QByteArrayView key) const
{
    if (m_patterns.isEmpty())
        return false;
    const QByteArray name = lower(key);
    return std::any_of(m_patterns.begin(), m_patterns.end(), [&](const QByteArray &pattern) { return matches(pattern, name); });
}

MaskPath maskPathOf(QByteArrayView text)
{
    return text.toByteArray().split('.');
}

bool isMaskPath(QByteArrayView text)
{
    const MaskPath path = maskPathOf(text);
    return text.size() <= limits::mask_path_bytes_max && path.size() <= limits::msgpack_depth_max + 1
        && (path.first() == "argument" || path.first() == "result" || path.first() == "error")
        && std::none_of(path.begin(), path.end(), [](const QByteArray &step) { return step.isEmpty(); });
}

bool maskValue(QByteArray &value, const KeyMask &keys, const QList<MaskPath> &paths, bool topKeys)
{
    Live live;
    for (const MaskPath &path : paths)
        live.append({&path, 0});
    const QByteArray whole = value;
    Masking masking(whole, keys);
    masking.value(live, topKeys);
    if (masking.failed()) {
        value = MsgpackWriter().text(mask_text).take();
        return true;
    }
    const QByteArray masked = masking.take();
    if (!masked.isEmpty())
        value = masked;
    return !masked.isEmpty();
}

bool holdsMask(QByteArrayView value)
{
    payload::Reader in(value);
    while (const auto token = in.next()) {
        if (token->type == payload::Type::String && token->bytes == QByteArrayView(mask_text))
            return true;
    }
    return false;
}

} // namespace junban
