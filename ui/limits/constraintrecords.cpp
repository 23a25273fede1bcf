// The rows of the constraints' screen.
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/limits/constraintspage.h"
#include "ui/limits/constrainttexts.h"
#include "ui/widgets/recordlist.h"

namespace junban::ui {

using client::SavedMatcher;

Record ConstraintsPage::record(const SavedMatcher &saved, const Constraint *constraint) const
{
    const JobMatcher &matcher = saved.matcher;
    Record record{rowKey(matcher.id, constraint ? constraint->id : QByteArray()), {}};
    const QString title = shown(matcher.title.isEmpty() ? matcher.id : matcher.title);
    record.cells.append({title, shown(matcher.id), matcher.enabled ? Look::icon(Icon::Constraints) : Look::icon(Icon::Pause),
                         matcher.enabled ? Tone::Plain : Tone::Faint});
    if (!constraint) {
        record.cells.append({tr("no limit"), {}, {}, Tone::Faint});
        for (int column = 2; column < m_list->model()->columnCount(); ++column)
            record.cells.append(Cell());
        return record;
    }
    record.cells.append({kindName(constraint->kind()), kindHelp(constraint->kind())});
    record.cells.append({constraintText(*constraint, format())});
    const bool enforced = matcher.enabled && constraint->mode == ConstraintMode::Enforce;
    const QString mode = matcher.enabled ? modeName(constraint->mode) : tr("switched off");
    record.cells.append({mode, {}, {}, enforced ? Tone::Good : constraint->mode == ConstraintMode::Observe ? Tone::Amber : Tone::Faint});
    const auto now = m_live.constFind(constraint->id);
    if (now == m_live.cend()) {
        for (int column = 4; column < m_list->model()->columnCount(); ++column)
            record.cells.append(Cell());
        return record;
    }
    const QString more = now->complete ? QString() : QStringLiteral("≥ ");
    const QString all = more + format().count(now->buckets);
    record.cells.append({more + format().count(now->used)});
    record.cells.append({more + format().count(now->waiting)});
    if (now->closed > 0)
        record.cells.append({tr("%1 of %2", "buckets").arg(format().count(now->closed), all), {}, {}, Tone::Amber});
    else
        record.cells.append({now->buckets > 0 ? tr("none of %1", "buckets").arg(all) : QString(), {}, {}, Tone::Faint});
    record.cells.append({now->closed > 0 ? fromNow(now->opensAt_ms) : QString(), format().dateTime(now->opensAt_ms)});
    record.cells.append({now->wouldHold > 0 ? format().count(now->wouldHold) : QString()});
    return record;
}

Record ConstraintsPage::heldRecord(const client::Held &held) const
{
    Record record{rowKey(held.matcher, held.constraint) + ' ' + held.key, {}};
    record.cells.append({shown(held.matcher), shown(held.constraint), Look::icon(Icon::Constraints)});
    record.cells.append({kindName(held.kind)});
    record.cells.append({keyText(held.key)});
    record.cells.append({format().count(held.jobs), {}, {}, Tone::Amber});
    record.cells.append({held.used ? format().count(*held.used) : QString()});
    record.cells.append({held.limit ? format().count(*held.limit) : QString()});
    record.cells.append({ago(held.oldestAt_ms), format().dateTime(held.oldestAt_ms)});
    record.cells.append({fromNow(held.opensAt_ms), format().dateTime(held.opensAt_ms)});
    return record;
}

} // namespace junban::ui
