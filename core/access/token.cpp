#include "core/access/token.h"

#include <QRandomGenerator>

namespace junban {

namespace {

QByteArray randomBytes(int count)
{
    QByteArray bytes(count, Qt::Uninitialized);
    for (char &byte : bytes)
        byte = char(QRandomGenerator::system()->bounded(256));
    return bytes;
}

} // namespace

QByteArray makeTokenText()
{
    return "jt_" + randomBytes(32).toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
}

QByteArray makeTokenId()
{
    return randomBytes(8).toHex();
}

bool sameSecret(QByteArrayView a, QByteArrayView b)
{
    int difference = a.size() == b.size() ? 0 : 1;
    for (qsizetype i = 0; i < a.size(); ++i)
        difference |= a[i] ^ (i < b.size() ? b[i] : 0);
    return difference == 0;
}

} // namespace junban
