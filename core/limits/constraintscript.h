#pragma once

#include "core/limits/constraint.h"

#include <QByteArray>

namespace junban {

// How many of the next openings and closings the scripts get of what follows a calendar, and how few may be left before they get more.
inline constexpr int boundaries_given = 64;

// A constraint's parameters as core/lua/kinds reads them (schema.lua names them); of one that is switched off, or whose matcher is, the
// mode says so.
// Windows and fixed periods in a zone of their own come with their boundaries from `now_ms` on.
QByteArray packForScripts(const Constraint &constraint, bool enabled, qint64 now_ms);

// Whether it opens and closes by a calendar.
bool followsCalendar(const Constraint &constraint);
// When its boundaries must be given again, because not many are left; 0: never.
qint64 boundariesEnd_ms(const Constraint &constraint, qint64 now_ms);

} // namespace junban
