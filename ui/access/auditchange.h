#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace junban::ui {

// One field that somebody changed: where it is, "constraints[0].limit", and what it was and became. Empty: it was not there.
struct ChangedField {
    QString path;
    QByteArray before; // MessagePack
    QByteArray after;
};

// What is different between two MessagePack maps, down to the single values. An empty map: nothing is known of it.
QList<ChangedField> changedFields(const QByteArray &before, const QByteArray &after);

// How large the value was in place of which the audit keeps {truncated: true, size: …}; 0: it was kept.
qint64 sizeOfTruncated(const QByteArray &value);

} // namespace junban::ui
