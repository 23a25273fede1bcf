#pragma once

#include "core/base/result.h"
#include "core/limits/kinds/kinds.h"

#include <QByteArray>
#include <QList>
#include <optional>

namespace junban {

enum class ConstraintMode : quint8 { Enforce, Observe, Off };
const char *modeWord(ConstraintMode mode);
// What happens to a job for which an expression of `by` has no value: such jobs share one bucket, or are exempt.
enum class OnMissing : quint8 { Share, Exempt };

// Other parameters for one bucket: a MessagePack map of those that differ.
struct Override {
    QByteArray key;     // the bucket's key as text (keyText)
    QByteArray fields;
    friend bool operator==(const Override &, const Override &) = default;
};

// One limit of a matcher (docs/constraints.md), as a value. fromMsgpack() makes one from a request and checks it; its expressions are
// checked when the matcher is compiled (core/limits/matcher.h).
struct Constraint {
    QByteArray id;                   // empty until it gets one; edits keep it, and so its buckets
    Parameters parameters;
    QList<QByteArray> by;            // expressions: one bucket for each distinct tuple of values
    OnMissing onMissing = OnMissing::Share;
    QList<Override> overrides;
    ConstraintMode mode = ConstraintMode::Enforce;
    std::optional<qint64> expiresAt_ms; // then the revision before comes back
    std::optional<qint64> expiresIn_ms; // of a request only: settleTimes() makes `expiresAt_ms` of it
    qint64 revision = 0;             // of the matcher, when this constraint changed last

    ConstraintKind kind() const { return ConstraintKind(parameters.index()); }
    // The parameters of the bucket with this key: the override's, where there is one.
    Parameters parametersFor(const QByteArray &keyText) const;

    // Errors: InvalidField with the path below `path`.
    static Result<Constraint> fromMsgpack(QByteArrayView map, const QByteArray &path);
    // The same map again. Some fields are left out as long as they have their defaults.
    QByteArray packed() const;
    friend bool operator==(const Constraint &, const Constraint &) = default;
};

// Makes times of what a request says as so long from now.
void settleTimes(Constraint &constraint, qint64 now_ms);
// The field with a time that was over at `now_ms`, and that the constraint did not have before: "expires_at", "until",
// "overrides.KEY.until"; empty: there is none.
QByteArray timeThatIsOver(const Constraint &constraint, const Constraint *before, qint64 now_ms);

Error mustLieAhead(const QByteArray &field);

// All fields of a constraint of this kind.
const FieldTable &constraintTable(ConstraintKind kind);
namespace codecs {
extern const Codec constraint;       // Constraint, by the table of its kind
} // namespace codecs

// A constraint's parameters as core/lua/kinds reads them, by the names of schema.lua. The mode is `off` when its matcher is disabled. A
// constraint that follows a calendar comes with its boundaries from `now_ms` on.
QByteArray packForScripts(const Constraint &constraint, bool enabled, qint64 now_ms);

// Whether it opens and closes by a calendar.
bool followsCalendar(const Constraint &constraint);
// When its boundaries must be given again, because not many are left; 0: never.
qint64 boundariesEnd_ms(const Constraint &constraint, qint64 now_ms);

} // namespace junban
