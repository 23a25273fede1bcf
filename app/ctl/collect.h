#pragma once

#include "app/ctl/session.h"

namespace junban::app {

// What is done with the outcome of a job: `push --wait` and `result`.
struct Collection {
    JobId id;
    qint64 wait_ms = 0;              // for the end of the job
    bool untilItEnds = false;        // waits again and again
    bool consumes = true;            // else it only looks
    client::Reveal reveal = client::Reveal::No;
};

// Prints the result of a success as JSON, says how another job ended, and ends the program with the exit status for it (app/ctl/exits.h).
// The outcome is consumed only after it was written to its last byte.
void collect(Session &session, const Collection &collection);

} // namespace junban::app
