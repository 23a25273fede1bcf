#pragma once

#include "ui/base/format.h"

#include <QByteArray>
#include <QObject>
#include <QSettings>
#include <QString>

namespace junban::ui {

enum class Appearance { System, Light, Dark };

// What an operator chose for this window on this machine: never the master's configuration. Kept in an INI file of its own.
class Preferences : public QObject
{
    Q_OBJECT

public:
    // `path` empty: the user's own file.
    explicit Preferences(const QString &path = {}, QObject *parent = nullptr);

    Appearance appearance() const;
    void setAppearance(Appearance appearance);
    // A language's code ("ja"); empty: the system's. The window shows a change after its restart.
    QString language() const;
    void setLanguage(const QString &code);
    QLocale locale() const; // of the chosen language; the default QLocale is the one in use
    // The first of these languages that the window has texts in. Numbers and days follow the texts, not what the system has for times.
    static QLocale localeOfTexts(const QStringList &languages);
    TimesIn timesIn() const;
    void setTimesIn(TimesIn timesIn);
    Format format() const;
    bool hasCompactRows() const;
    void setCompactRows(bool compact);

    // The last loss of Redis' history that the operator has seen; 0: none.
    qint64 rollbackSeen_ms() const;
    void setRollbackSeen_ms(qint64 seenAt_ms);

    // The saved state of a window or a table header; empty when there is none of this layout version.
    QByteArray layout(const QString &key) const;
    void setLayout(const QString &key, const QByteArray &state);
    void clearLayout();

    static constexpr int layoutVersion = 2;

Q_SIGNALS:
    void appearanceChanged();
    void formatChanged();

private:
    QString layoutKey(const QString &key) const;

    mutable QSettings m_settings;
};

} // namespace junban::ui
