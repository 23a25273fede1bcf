#pragma once

#include "core/base/clock.h"
#include "core/limits/forecast.h"
#include "core/limits/limitanswers.h"
#include "core/limits/limitrequests.h"
#include "core/operators/masker.h"
#include "core/operators/matchers.h"
#include "core/store/store.h"

#include <QList>
#include <memory>

namespace junban {

// Shows what a matcher would do before it is saved (docs/constraints.md): which jobs it matches now, how they spread over its buckets, and
// for which jobs its expression fails. It changes nothing. It looks at jobs for limits::preview_s_max, ready and running ones first.
// Threads: the engine's. Callbacks that are still due when it is destroyed are dropped. Errors as for Store.
class Previewer
{
public:
    // All must outlive it.
    Previewer(Store &store, Matchers &matchers, Clock &clock);

    struct Preview {
        QList<ExpressionProblem> problems; // not empty: the rest is empty
        answers::MatcherPreview answer;
    };
    // The matcher is compared with the saved one of the same id, if there is one. NotFound, with the field's name, when the job to try it
    // on does not exist. `mask`: the expressions see what it leaves of the jobs, and it must outlive the call; none: they see all.
    void preview(PreviewQuery query, const Masker *mask, Callback<Preview> callback);

private:
    struct Look;
    using LookPtr = std::shared_ptr<Look>;
    void load(const LookPtr &look);
    void begin(const LookPtr &look);
    void nextState(const LookPtr &look);
    void nextPage(const LookPtr &look);
    void take(Look &look, const Page &page) const;
    void judge(Look &look, const Job &job) const;
    void remember(Look &look, const Job &job, const Classification &matched, const Classification &all) const;
    void reckon(Look &look) const;
    static qsizetype firstCovered(const Look &look);
    BacklogSeen backlogOf(const Look &look, double starts, double seen_s, double meanRun_s) const;
    void summarise(Look &look) const;

    Store &m_store;
    Matchers &m_matchers;
    Clock &m_clock;
    std::shared_ptr<int> m_life = std::make_shared<int>();
};

} // namespace junban
