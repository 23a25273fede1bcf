#pragma once

#include <QString>
#include <functional>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace junban::ui {

// Asks where a value is to be saved, as JSON or as MessagePack: the path that is chosen ends with .json or .msgpack, unless the operator
// typed another suffix.
void askWhereToSave(QWidget *window, const QString &title, const QString &name, std::function<void(const QString &path)> save);

} // namespace junban::ui
