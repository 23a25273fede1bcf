#include "ui/base/preferences.h"

#include <QStandardPaths>

namespace junban::ui {

namespace {

QString ownPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + QStringLiteral("/junban/console.ini");
}

const QString appearanceKey = QStringLiteral("display/appearance");
const QString languageKey = QStringLiteral("display/language");
const QString rollbackKey = QStringLiteral("notices/rollback");
const QString compactKey = QStringLiteral("display/compact");
const QString timesKey = QStringLiteral("display/times");

bool hasTexts(const QLocale &locale)
{
    return locale.language() == QLocale::English || locale.language() == QLocale::Japanese;
}

} // namespace

Preferences::Preferences(const QString &path, QObject *parent)
    : QObject(parent)
    , m_settings(path.isEmpty() ? ownPath() : path, QSettings::IniFormat)
{
}

Appearance Preferences::appearance() const
{
    const QString word = m_settings.value(appearanceKey).toString();
    if (word == QLatin1String("light"))
        return Appearance::Light;
    return word == QLatin1String("dark") ? Appearance::Dark : Appearance::System;
}

void Preferences::setAppearance(Appearance appearance)
{
    const char *const words[] = {"system", "light", "dark"};
    m_settings.setValue(appearanceKey, QLatin1String(words[size_t(appearance)]));
    Q_EMIT appearanceChanged();
}

QString Preferences::language() const
{
    return m_settings.value(languageKey).toString();
}

void Preferences::setLanguage(const QString &code)
{
    m_settings.setValue(languageKey, code);
}

QLocale Preferences::locale() const
{
    const QString code = language();
    return code.isEmpty() ? localeOfTexts(QLocale::system().uiLanguages()) : QLocale(code);
}

QLocale Preferences::localeOfTexts(const QStringList &languages)
{
    for (const QString &language : languages) {
        if (const QLocale locale(language); hasTexts(locale))
            return locale;
    }
    return QLocale(QStringLiteral("en"));
}

TimesIn Preferences::timesIn() const
{
    return m_settings.value(timesKey).toString() == QLatin1String("utc") ? TimesIn::Utc : TimesIn::Local;
}

void Preferences::setTimesIn(TimesIn timesIn)
{
    m_settings.setValue(timesKey, timesIn == TimesIn::Utc ? QStringLiteral("utc") : QStringLiteral("local"));
    Q_EMIT formatChanged();
}

bool Preferences::hasCompactRows() const
{
    return m_settings.value(compactKey).toBool();
}

void Preferences::setCompactRows(bool compact)
{
    m_settings.setValue(compactKey, compact);
}

Format Preferences::format() const
{
    return Format(QLocale(), timesIn());
}

qint64 Preferences::rollbackSeen_ms() const
{
    return m_settings.value(rollbackKey).toLongLong();
}

void Preferences::setRollbackSeen_ms(qint64 seenAt_ms)
{
    m_settings.setValue(rollbackKey, seenAt_ms);
}

QString Preferences::layoutKey(const QString &key) const
{
    return QStringLiteral("layout%1/%2").arg(layoutVersion).arg(key);
}

QByteArray Preferences::layout(const QString &key) const
{
    return m_settings.value(layoutKey(key)).toByteArray();
}

void Preferences::setLayout(const QString &key, const QByteArray &state)
{
    m_settings.setValue(layoutKey(key), state);
}

void Preferences::clearLayout()
{
    m_settings.remove(QStringLiteral("layout%1").arg(layoutVersion));
}

} // namespace junban::ui
