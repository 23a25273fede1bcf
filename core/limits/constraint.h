#pragma once

#include "core/base/result.h"
#include "core/limits/kinds/kinds.h"

#include <QByteArray>
#include <QList>
#include <optional>

namespace junban {

enum class ConstraintMode : quint8 { Enforce, Observe, Off };
const char *modeWord(ConstraintMode mode);
// What a job counts for whose `by` has no value: all such jobs share one bucket, or the constraint leaves them alone.
enum class OnMissing : quint8 { Share, Exempt };

// Other parameters for one bucket: a MessagePack map of those that differ.
struct Override {
    QByteArray key;     // the bucket's key as text (keyText)
    QByteArray fields;
    friend bool operator==(const Override &, const Override &) = default;
};

// One limit of a matcher (docs/constraints.md). A value; whoever makes one from a request does it by fromMsgpack, which checks it. Its
// expressions are checked by compiling the matcher (core/limits/matcher.h).
struct Constraint {
    QByteArray id;                   // empty until one is given; it outlives edits, and its buckets with it
    Parameters parameters;
    QList<QByteArray> by;            // expressions: one bucket for each distinct tuple of values
    OnMissing onMissing = OnMissing::Share;
    QList<Override> overrides;
    ConstraintMode mode = ConstraintMode::Enforce;
    std::optional<qint64> expiresAt_ms; // then the revision before comes back
    qint64 revision = 0;             // of the matcher, when this constraint changed last

    ConstraintKind kind() const { return ConstraintKind(parameters.index()); }
    // The parameters of the bucket with this key: the override's, where there is one.
    Parameters parametersFor(const QByteArray &keyText) const;

    // Errors: InvalidField with the path below `path`.
    static Result<Constraint> fromMsgpack(QByteArrayView map, const QByteArray &path);
    // The same map back; what has its default is left out where that is plain.
    QByteArray packed() const;
    friend bool operator==(const Constraint &, const Constraint &) = default;
};

// All fields of a constraint of this kind.
const FieldTable &constraintTable(ConstraintKind kind);
namespace codecs {
extern const Codec constraint;       // Constraint, by the table of its kind
} // namespace codecs

// A constraint's parameters as core/lua/kinds reads them (schema.lua names them); of one that is switched off, or whose matcher is, the
// mode says so. What follows a calendar comes with its boundaries from `now_ms` on.
QByteArray packForScripts(const Constraint &constraint, bool enabled, qint64 now_ms);

// Whether it opens and closes by a calendar.
bool followsCalendar(const Constraint &constraint);
// When its boundaries must be given again, because not many are left; 0: never.
qint64 boundariesEnd_ms(const Constraint &constraint, qint64 now_ms);

} // namespace junban
