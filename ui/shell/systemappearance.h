#pragma once

#include <QDBusVariant>
#include <QObject>
#include <QPalette>

namespace junban::ui {

// Whether the desktop is dark. Qt 6.4 does not say. The desktop portal does (org.freedesktop.appearance, color-scheme); where there is
// none, the platform's palette decides. The constructor does not wait for the answer: `changed` comes when it differs.
class SystemAppearance : public QObject
{
    Q_OBJECT

public:
    // `platform`: the palette before the application has set one.
    explicit SystemAppearance(const QPalette &platform, QObject *parent = nullptr);

    bool isDark() const { return m_dark; }

Q_SIGNALS:
    void changed();

private Q_SLOTS:
    // The portal's signal; the name of a slot is all that QtDBus can connect.
    void settingChanged(const QString &group, const QString &key, const QDBusVariant &value);

private:
    void ask();
    void heard(const QVariant &value);

    bool m_dark = false;
    bool m_platformDark = false;
};

} // namespace junban::ui
