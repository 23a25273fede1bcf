#pragma once

#include "core/base/reason.h"

namespace junban::redis {

// The reason of the catalogue that has this sentence of a script's check. The scripts word what they find, so this is the one place that
// goes by sentences. A sentence that the catalogue does not have, of a newer script, is a reason without a name.
Reason fsckReason(QByteArrayView sentence);

} // namespace junban::redis
