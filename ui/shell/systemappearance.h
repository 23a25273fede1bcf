#pragma once

#include <QDBusVariant>
#include <QObject>
#include <QPalette>

namespace junban::ui {

// Whether the desktop is dark. Qt 6.4 cannot say, but the desktop portal can (org.freedesktop.appearance, color-scheme); where there is no
// portal, the platform's palette decides. The constructor does not wait for the portal's answer: `changed` is emitted if it differs.
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
    // Receives the portal's signal. It is a slot because QtDBus connects only by a slot's name.
    void settingChanged(const QString &group, const QString &key, const QDBusVariant &value);

private:
    void ask();
    void heard(const QVariant &value);

    bool m_dark = false;
    bool m_platformDark = false;
};

} // namespace junban::ui
