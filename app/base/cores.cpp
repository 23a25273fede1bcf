#include "app/base/cores.h"

#include <sys/resource.h>

namespace junban::app {

void leaveNoCores()
{
    rlimit limit = {};
    getrlimit(RLIMIT_CORE, &limit);
    limit.rlim_cur = 0; // what a command of `junbanctl work` needs it can raise again
    setrlimit(RLIMIT_CORE, &limit);
}

} // namespace junban::app
