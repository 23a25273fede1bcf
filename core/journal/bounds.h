#pragma once

#include <QtGlobal>

// The bounds of the protocol (core/journal/protocol.h). No client meets them and no option changes them. The last part of a name is its
// unit.
namespace junban::journal::bounds {

inline constexpr int look_ms = 500;                    // how often `lead` is read by a master that does not lead
inline constexpr int alike_reads = 4;                  // so many reads in a row that show the same …
inline constexpr int alike_ms = 2'000;                 // … over at least this time end a leadership
inline constexpr int refusing_reads = 2;               // the same where the leader's address refuses connections
inline constexpr int refusing_ms = 500;
inline constexpr int read_gap_ms_max = 1'000;          // a longer pause between two reads begins the count anew
inline constexpr int beat_ms = 500;                    // how often a leader without a write shows that it lives
inline constexpr int proof_ms_max = 1'000;             // how old the proof of leadership may be for an answer that nothing new is behind
inline constexpr int under_way_max = 64;               // batches that are decided and not confirmed
inline constexpr qint64 under_way_bytes_max = 16 * 1024 * 1024;
inline constexpr qint64 batch_bytes_max = 1024 * 1024; // a pass of the event loop that has decided more is written before it ends
inline constexpr int batch_writes_max = 2'000;
inline constexpr int group_fields_max = 1'000;         // of one command of a batch; Lua's unpack() takes fewer than 8,000 words
inline constexpr qint64 ring_bytes_max = 256 * 1024 * 1024;
inline constexpr int ring_ms = 60'000;                 // how long a batch is kept after it was sent last, if nothing tells more
inline constexpr int pause_ms = 100;                   // after a refusal, before Redis is asked again
inline constexpr int patience_ms = 2'000;              // how long a reply waits for a Redis that is away
inline constexpr int note_ms = 1'000;                  // how often the last batch is noted in a file
inline constexpr int reads_max = 32;                   // keys of a load that are read at a time; beats go between them
inline constexpr double full_share = 0.95;             // of Redis' memory: no new job above it

} // namespace junban::journal::bounds
