#pragma once

#include <QList>
#include <QString>
#include <QUrl>
#include <utility>

namespace junban::ui {

// The state of a screen as the web console has it in its address, behind the '#': `#/jobs?state=failed&filter=mail.*&job=ID`. The window
// makes such addresses and opens them.
struct Address {
    QString screen = {};           // "jobs"; empty: the overview
    QString id = {};               // what the screen shows alone; empty: all
    QList<std::pair<QString, QString>> parameters = {};

    QString parameter(const char *key) const;
    // Adds a parameter, unless it is empty.
    void add(const char *key, const QString &value);
    void add(const char *key, const QByteArray &value) { add(key, QString::fromUtf8(value)); }

    bool operator==(const Address &) const = default;
};

Address readAddress(const QUrl &url);
// The address at the web console of this master. User and query of the URL are left out.
QUrl urlOf(const Address &address, QUrl master);
// The master whose web console has this address: the URL without what is behind the '#'.
QUrl masterOf(QUrl url);

} // namespace junban::ui
