#pragma once

#include <QByteArray>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace junban::ui {

class Preferences;

// Each of these opens its dialog over `window` and returns at once. The dialog deletes itself when it is closed.
void showSettings(Preferences &preferences, QWidget *window);
void showKeys(QWidget *window);
// `masterVersion`: empty when it is not known.
void showAbout(const QByteArray &masterVersion, QWidget *window);

} // namespace junban::ui
