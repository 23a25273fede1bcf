#pragma once

#include "core/jobs/job.h"

#include <functional>
#include <optional>

QT_BEGIN_NAMESPACE
class QAction;
class QMenu;
QT_END_NAMESPACE

namespace junban::ui {

class FilterBar;

// What one cell of a list says, as a part of an expression: job.name == "mail.send".
struct Condition {
    QByteArray field;           // "job.name"
    QByteArray value;           // as it is written in an expression
    enum class Is { Equal, Among } is = Is::Equal; // Among: the field is a list that has the value
    bool always = true;         // every job has the field
    bool fixed = false;         // a matcher may ask for it

    QByteArray text() const;
    QByteArray opposite() const; // true also for jobs without the field
};

// The simple values in a job's argument, in their order.
QList<Condition> argumentConditions(const Job &job);

// What a part of an argument says; none: nothing that an expression can name. `keys` lead to it from the argument, packed; an empty one is
// an element of an array.
std::optional<Condition> partCondition(const QList<QByteArray> &keys, const QByteArray &value);

// What can be begun with a condition that a matcher may ask for, besides a filter. One that is empty is not offered.
struct ConditionUses {
    std::function<void(const QByteArray &expression)> newMatcher = {}, pause = {};
};

// Puts actions for a condition in front of `before` (none: at the end); they disappear when the menu closes. `bar` becomes the filter.
void offerCondition(QMenu *menu, QAction *before, FilterBar *bar, const Condition &condition, const ConditionUses &uses);
// The same in a submenu for each of several conditions.
void offerConditions(
    QMenu *menu, QAction *before, const QString &title, FilterBar *bar, const QList<Condition> &conditions, const ConditionUses &uses);

} // namespace junban::ui
