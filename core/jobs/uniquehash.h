#pragma once

#include "core/jobs/job.h"

namespace junban {

// A hash of a job's name and its unique key, 40 hexadecimal digits. Without a key the argument is the key. Precondition: the job is unique.
QByteArray uniqueHash(const JobSpec &spec);

} // namespace junban
