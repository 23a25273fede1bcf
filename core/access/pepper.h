#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QString>

namespace junban {

// The secret that is not in Redis: without it nobody makes a token, changes what one may do, or tries one out, whatever Redis holds.
// Every master of a namespace has the same. Namespaces with the same file have different peppers, so that a record that is copied from one
// to another is of no use there. A value; safe to share between threads.
class Pepper
{
public:
    // Errors: InvalidField when the file cannot be read, is open to others than its owner (one of another
    // user may be readable by the group), or is too short.
    static Result<Pepper> read(const QString &path, const QByteArray &namespaceName);
    // The same of the file `pepper` in a directory, which is made when it is not there.
    static Result<Pepper> ofDirectory(const QString &directory, const QByteArray &namespaceName);

    // What is kept of a token's text.
    QByteArray hash(QByteArrayView token) const;
    // What shows that a record was written by someone with this pepper.
    QByteArray seal(QByteArrayView record) const;
    // Tells one pepper from another.
    QByteArray mark() const;

private:
    explicit Pepper(QByteArray secret) : m_secret(std::move(secret)) {}
    QByteArray m_secret;
};

} // namespace junban
