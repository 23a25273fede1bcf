#pragma once

#include "core/msgpack/fieldtable.h"

namespace junban {

// An RFC 9457 problem document (openapi/master.yaml, "Errors").
struct Problem {
    QByteArray type = {};
    QByteArray title = {};
    int status = 0;
    QByteArray code = {};            // errorWord()
    Reason reason = {};              // its sentence is `detail`
    QByteArray field = {};           // path of the field at fault; empty when no field is
    double retryAfter_s = 0;         // 0: no time to wait is given
};
extern const TableOf<Problem> problemTable;

} // namespace junban
