#pragma once

#include "core/access/token.h"
#include "core/msgpack/fieldtable.h"

namespace junban {

extern const TableOf<TokenSpec> newTokenTable;
extern const TableOf<Token> tokenTable;
extern const TableOf<CreatedToken> createdTokenTable;
extern const TableOf<TokenList> tokenListTable;

} // namespace junban
