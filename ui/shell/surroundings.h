#pragma once

#include "ui/base/preferences.h"

#include <QObject>
#include <QTranslator>

QT_BEGIN_NAMESPACE
class QApplication;
QT_END_NAMESPACE

namespace junban::ui {

class SystemAppearance;

// The language and the appearance of the application, as the operator prefers them. Threads: the main one.
class Surroundings : public QObject
{
    Q_OBJECT

public:
    explicit Surroundings(Preferences &preferences, QObject *parent = nullptr);
    ~Surroundings() override;

    // Loads the texts of the preferred language. Windows that exist already keep theirs.
    void translate();

private:
    void dress();

    Preferences &m_preferences;
    SystemAppearance *m_system;
    QTranslator m_own, m_qt;
};

} // namespace junban::ui
