#pragma once

namespace junban::app {

// From now on a crash of this process, or of one that it starts, leaves no core: memory has tokens, arguments and results in it.
void leaveNoCores();

} // namespace junban::app
