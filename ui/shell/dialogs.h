#pragma once

#include <QByteArray>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace junban::ui {

class Preferences;

// Each opens its dialog over `window` and returns at once; the dialog owns itself.
void showSettings(Preferences &preferences, QWidget *window);
void showKeys(QWidget *window);
// `masterVersion`: empty when it is not known.
void showAbout(const QByteArray &masterVersion, QWidget *window);

} // namespace junban::ui
