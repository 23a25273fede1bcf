#pragma once

#include "core/msgpack/fieldtable.h"

namespace junban {

namespace codecs {
extern const Codec reasonValues; // the values of a Reason, as a map
}

// The fields `reason` and `values`, beside others. The English sentence is there too, in `detail` or in `message`; reasonTable is for
// places where it is in another field, and where there may be no reason.
extern const TableOf<Reason> reasonTable, reasonWithDetailTable, reasonWithMessageTable;
// The same as a map of its own, where an explanation is the value of a field.
extern const TableOf<Reason> explainedTable;

} // namespace junban
