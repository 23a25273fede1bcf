#pragma once

#include "core/msgpack/fieldtable.h"

namespace junban {

namespace codecs {
extern const Codec reasonValues; // the values of a Reason, as a map
}

// The fields `reason` and `values`, beside others. The English sentence is there too: in `detail`, in `message`, or in another field of
// the table that has reasonTable.
extern const TableOf<Reason> reasonTable, reasonWithDetailTable, reasonWithMessageTable;

} // namespace junban
