#include "ui/access/accesstexts.h"

#include "ui/access/auditchange.h"
#include "ui/base/look.h"
#include "ui/base/payloadtext.h"
#include "ui/base/text.h"

namespace junban::ui {

namespace {

constexpr qsizetype part_characters_max = 60;
constexpr qsizetype change_characters_max = 400;

} // namespace

QString AccessTexts::role(Role role)
{
    switch (role) {
    case Role::Pusher: return tr("pusher");
    case Role::Worker: return tr("worker");
    case Role::Viewer: return tr("viewer");
    case Role::Operator: return tr("operator");
    case Role::Admin: return tr("administrator");
    }
    return {};
}

QString AccessTexts::roles(const QList<Role> &roles)
{
    QStringList words;
    for (const Role each : roles)
        words.append(role(each));
    return listed(words);
}

QString AccessTexts::may(Role role)
{
    switch (role) {
    case Role::Pusher: return tr("enqueues jobs and collects their results");
    case Role::Worker: return tr("claims jobs and reports");
    case Role::Viewer: return tr("sees everything, changes nothing");
    case Role::Operator: return tr("also steers jobs, limits and schedules");
    case Role::Admin: return tr("also tokens, retention and the audit");
    }
    return {};
}

QString AccessTexts::actor(const QByteArray &actor, const QByteArray &note)
{
    if (!note.isEmpty())
        return shown(note);
    return Look::actor(actor);
}

QString AccessTexts::maker(const QByteArray &maker, const QByteArray &note)
{
    return maker == openCaller ? tr("(no token yet)", "who made a token") : actor(maker, note);
}

QString AccessTexts::status(int result)
{
    switch (result) {
    case 0: return {};
    case 401: return tr("401: no valid token");
    case 403: return tr("403: the role does not allow it");
    case 404: return tr("404: not found");
    case 409: return tr("409: conflict");
    case 412: return tr("412: someone else changed it first");
    case 429: return tr("429: too many attempts");
    default: break;
    }
    return result >= 500 ? tr("%1: failed").arg(result) : result >= 400 ? tr("%1: refused").arg(result) : tr("%1: done").arg(result);
}

QString AccessTexts::change(const AuditEntry &entry, const Format &format)
{
    const qint64 size = std::max(sizeOfTruncated(entry.before), sizeOfTruncated(entry.after));
    if (size > 0)
        return tooLarge(size, format);
    QStringList parts;
    qsizetype characters = 0;
    for (const ChangedField &field : changedFields(entry.before, entry.after)) {
        const QString before = field.before.isEmpty() ? QString() : payloadPreview(field.before, part_characters_max);
        const QString after = field.after.isEmpty() ? QString() : payloadPreview(field.after, part_characters_max);
        // What is gone has an arrow to nothing.
        const QString both = field.before.isEmpty() ? after
            : before + QStringLiteral(" → ") + (field.after.isEmpty() ? QStringLiteral("–") : after);
        parts.append(field.path.isEmpty() ? both : tr("%1: %2", "a field and its value").arg(field.path, both));
        characters += parts.last().size();
        if (characters > change_characters_max)
            break;
    }
    return clipped(listed(parts), change_characters_max);
}

QString AccessTexts::tooLarge(qint64 size, const Format &format)
{
    return tr("not kept: larger than the audit keeps (%1)").arg(format.bytes(size));
}

} // namespace junban::ui
