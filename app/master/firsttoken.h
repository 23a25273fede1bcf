#pragma once

#include "core/access/pepper.h"
#include "core/access/token.h"
#include "core/store/tokenstore.h"

#include <QString>

namespace junban::app {

// The text of the first token, an administrator's, from a file: a secret that was put there, or one that is made and written into it, for
// its owner alone to read. Errors: InvalidField when the file holds no token's text, or can be neither read nor made.
Result<QByteArray> firstTokenText(const QString &path);

// What is to be saved for it. Masters that start together with the same file make the same token.
TokenStore::Save firstToken(const Pepper &pepper, const QByteArray &text, qint64 now_ms);

} // namespace junban::app
