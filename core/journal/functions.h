#pragma once

#include <QByteArray>

// The two functions that Redis has for a journal: all that changes a namespace goes through them. Each compares and writes in one step.
//   take(seen id, seen n, seen beat, id, layout, address, certificate, secret): step 3. If `lead` shows what was seen and no newer
//     layout, writes the new id. Reply: "TAKEN" or "FENCED", Redis' time in ms, the fields of `lead` (Lead::fields()).
//   apply(id, n, m, at, words…): step 8. If `lead` is not (id, n), changes nothing; reply: "FENCED", Redis' time, the fields of `lead`.
//     Otherwise the reply is Redis' time. m = n is a beat (step 12): writes it, and `at` is its number. m = n + 1 is a batch: carries out
//     the words (wordsOf() in core/journal/batch.h), then writes m and `at`.
namespace junban::journal::functions {

enum class Name { Take, Apply };

// The library, for FUNCTION LOAD, and what FCALL calls. They have a hash of the text in their names, so versions can live side by side.
const QByteArray &library();
QByteArray called(Name name);
// The same function for EVAL, for a server that has no functions or no memory left for them.
QByteArray script(Name name);

} // namespace junban::journal::functions
