#pragma once

#include "core/access/auditentry.h"
#include "ui/base/format.h"

#include <QCoreApplication>
#include <QString>

namespace junban::ui {

// How the screens of who may call, and of who did what, say things.
class AccessTexts
{
    Q_DECLARE_TR_FUNCTIONS(AccessTexts)

public:
    static QString role(Role role);
    static QString roles(const QList<Role> &roles);
    // What a role may do: "claims jobs and reports".
    static QString may(Role role);
    // Who did it: the token's note, or else its id, or a word for who had none.
    static QString actor(const QByteArray &actor, const QByteArray &note = {});
    // Who made a token: likewise, or a word for when there was none.
    static QString maker(const QByteArray &maker, const QByteArray &note);
    // What became of an attempt: "200", and what a refusal means.
    static QString status(int result);
    // What was changed, in one line: "limit: 2 → 8, title: mail".
    static QString change(const AuditEntry &entry, const Format &format);
    // The value is not kept, because it was too large.
    static QString tooLarge(qint64 size, const Format &format);
};

} // namespace junban::ui
