#pragma once

#include <QByteArray>
#include <functional>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace junban::ui {

class Preferences;

// Each of these opens its dialog over `window` and returns at once. The dialog deletes itself when it is closed.
// `restart`: closes the window and opens it again, in the preferred language.
void showSettings(Preferences &preferences, QWidget *window, std::function<void()> restart);
void showKeys(QWidget *window);
// `masterVersion`: empty when it is not known.
void showAbout(const QByteArray &masterVersion, QWidget *window);

} // namespace junban::ui
