#pragma once

#include "core/msgpack/fieldtable.h"

#include <QByteArray>
#include <QList>

namespace junban {

namespace limits {
inline constexpr int filters_max = 256;                      // of a namespace
inline constexpr int filter_text_bytes_max = 4096;
} // namespace limits

enum class FilterScreen { Jobs, Failures, Results, Schedules, Matchers, Constraints, Workers, Operations, Trash, Audit, Tokens };
enum class FilterKind { Text, Pattern, Expression };

// What is sent to save a filter. The text is kept as it is: nothing compiles it.
struct FilterBody {
    FilterScreen screen = FilterScreen::Jobs;
    FilterKind kind = FilterKind::Text;
    QByteArray text = {};          // UTF-8
};

struct SavedFilter {
    QByteArray name = {};
    FilterBody body = {};
    QByteArray savedBy = {};       // as the audit has it
    qint64 savedAt_ms = 0;
    qint64 revision = 0;           // the time in ms of the change, or one more than the last change's; no two changes have the same
};

struct FilterList {
    QList<SavedFilter> filters = {}; // by name
};

extern const TableOf<FilterBody> filterBodyTable;
extern const TableOf<SavedFilter> savedFilterTable;
extern const TableOf<FilterList> filterListTable;

} // namespace junban
