#pragma once

#include "core/jobs/job.h"
#include "core/msgpack/fieldtable.h"
#include "core/msgpack/msgpackwriter.h"

#include <array>
#include <limits>

// A number for each state, by the state's word: the codec of such a field.
namespace junban::codecs {

using States = std::array<qint64, 9>; // by JobState's value
inline constexpr int states_first = int(JobState::Scheduled), states_last = int(JobState::Cancelled);

inline bool readStates(Decoder &in, const PackedValue &value, void *member, const Field &)
{
    return in.map(value, [&](QByteArrayView word, const PackedValue &count) {
        const std::optional<JobState> state = stateFromWord(word);
        return state && in.integer(count, (*static_cast<States *>(member))[size_t(*state)], 0, std::numeric_limits<qint64>::max());
    });
}

inline void writeStates(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.map(states_last - states_first + 1);
    for (int state = states_first; state <= states_last; ++state)
        out.text(stateWord(JobState(state))).integer((*static_cast<const States *>(member))[size_t(state)]);
}

inline constexpr Codec states{readStates, writeStates, same<States>, "object"};

} // namespace junban::codecs
