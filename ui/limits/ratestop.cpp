#include "ui/limits/ratestop.h"

#include "core/base/durations.h"
#include "ui/limits/constrainttexts.h"

#include <algorithm>
#include <memory>

namespace junban::ui {

namespace {

constexpr int constraintsAtOnce = 100;
constexpr qint64 stop_ms_min = 5'000; // a shorter one is not worth a question

struct Reading {
    QList<std::pair<Constraint, Constraint>> lowered; // before and after
    qint64 stop_ms = 0;
    std::function<void(qint64)> told;
};

const RateParameters *rateOf(const Constraint &constraint)
{
    const auto *rate = std::get_if<RateParameters>(&constraint.parameters);
    return rate && rate->limit > 0 && constraint.mode == ConstraintMode::Enforce ? rate : nullptr;
}

QList<std::pair<Constraint, Constraint>> loweredRates(const JobMatcher &before, const JobMatcher &after)
{
    QList<std::pair<Constraint, Constraint>> lowered;
    for (const Constraint &now : before.enabled && after.enabled ? after.constraints : QList<Constraint>()) {
        const auto was = std::find_if(before.constraints.begin(), before.constraints.end(),
                                      [&now](const Constraint &each) { return !now.id.isEmpty() && each.id == now.id; });
        if (was == before.constraints.end())
            continue;
        const RateParameters *from = rateOf(*was), *to = rateOf(now);
        if (from && to && double(to->limit) / to->period_s < double(from->limit) / from->period_s)
            lowered.append({*was, now});
    }
    return lowered;
}

void read(client::ApiClient &client, QObject *context, const std::shared_ptr<Reading> &reading, const QByteArray &after)
{
    const auto came = [&client, context, reading](const Result<client::ConstraintPage> &page) {
        for (const client::LiveConstraint &live : page.ok() ? page->constraints : QList<client::LiveConstraint>()) {
            for (const auto &[was, now] : std::as_const(reading->lowered)) {
                if (now.id == live.constraint.id)
                    reading->stop_ms = std::max(reading->stop_ms, rateStop_ms(was, now, live.used));
            }
        }
        if (page.ok() && !page->next.isEmpty())
            read(client, context, reading, page->next);
        else
            reading->told(reading->stop_ms);
    };
    client.constraints(constraintsAtOnce, after, client::guarded<client::ConstraintPage>(context, came));
}

} // namespace

// As core/lua/kinds/rate.lua counts, but of a bucket whose jobs have all started just now.
qint64 rateStop_ms(const Constraint &before, const Constraint &after, qint64 used)
{
    const RateParameters *from = rateOf(before), *to = rateOf(after);
    if (!from || !to || used <= 0)
        return 0;
    const double period_ms = to->period_s * second_ms;
    const double step_ms = period_ms / double(to->limit), old_ms = from->period_s * second_ms / double(from->limit);
    if (step_ms <= old_ms)
        return 0;
    double stop_ms = 0;
    if (to->algorithm == RateAlgorithm::Gcra) {
        const double burst_ms = double(to->burst - 1) * step_ms;
        const double closest_ms = double(from->burst - 1) * old_ms + (1 - old_ms / step_ms) * (period_ms + burst_ms);
        stop_ms = std::min(closest_ms, double(used - 1) * step_ms) - burst_ms;
    } else if (used >= to->limit) {
        stop_ms = period_ms;
    }
    return stop_ms < stop_ms_min ? 0 : qint64(stop_ms);
}

void readRateStop(client::ApiClient &client, QObject *context, const JobMatcher &before, const JobMatcher &after,
                  std::function<void(qint64 stop_ms)> told)
{
    const auto reading = std::make_shared<Reading>(Reading{loweredRates(before, after), 0, std::move(told)});
    if (reading->lowered.isEmpty())
        reading->told(0);
    else
        read(client, context, reading, {});
}

QString rateStopText(const QString &duration)
{
    return ConstraintTexts::tr("Its jobs may not start for up to %1: those that started at the higher rate count at the lower one.")
        .arg(duration);
}

} // namespace junban::ui
