#pragma once

#include "core/msgpack/fieldtable.h"

namespace junban {

// An RFC 9457 problem document (openapi/master.yaml, "Errors").
struct Problem {
    QByteArray type = {};
    QByteArray title = {};
    int status = 0;
    QByteArray code = {};            // errorWord()
    QByteArray detail = {};
    QByteArray field = {};           // empty: none is at fault
    double retryAfter_s = 0;         // 0: nothing is said
};
extern const TableOf<Problem> problemTable;

} // namespace junban
