#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

// Which values in arguments, results and errors are hidden from those who look at jobs: by the names of their keys, and by their places
// (docs/decisions/access.md). Nothing here changes what Redis has.
namespace junban {

// What is shown instead of a hidden value, of whatever type it is.
inline constexpr char mask_text[] = "••••";

// Keys of maps whose values are hidden, by patterns: a star stands for any characters, and letters are compared without their case.
// Immutable, shared between threads.
class KeyMask
{
public:
    // Errors: InvalidField "mask-keys".
    static Result<KeyMask> of(const QList<QByteArray> &patterns);
    // With limits::mask_keys_default.
    static KeyMask usual();

    bool hides(QByteArrayView key) const;

private:
    QList<QByteArray> m_patterns; // in lower case
};

// A place, as a path: "argument", "result" or "error", and after it keys, and indexes of lists, each behind a point. A star stands for any
// key or index: "argument.cards.*.number".
bool isMaskPath(QByteArrayView text);
using MaskPath = QList<QByteArray>; // its steps
MaskPath maskPathOf(QByteArrayView text);

// Hides what `keys` and `paths` say in a MessagePack value. `topKeys`: whether keys of the value itself count, and not only of values in
// it. Returns whether something was hidden; if not, the bytes are as they were. Bytes that cannot be read are hidden as a whole.
bool maskValue(QByteArray &value, const KeyMask &keys, const QList<MaskPath> &paths, bool topKeys = true);
// Whether a string in the value is mask_text: then it is one that was shown, and not the value that was hidden.
bool holdsMask(QByteArrayView value);

} // namespace junban
