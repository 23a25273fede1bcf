// One job as it was pushed and as it stands.
#include "client/decoding.h"
#include "core/jobs/jobfields.h"

namespace junban::client {

Result<Job> decodeJob(QByteArrayView body)
{
    return unpackAnswer(jobTable, body);
}

} // namespace junban::client
