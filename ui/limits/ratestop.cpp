#include "ui/limits/ratestop.h"

#include "core/limits/ratestop.h"
#include "ui/limits/constrainttexts.h"

#include <algorithm>
#include <memory>

namespace junban::ui {

namespace {

constexpr int constraintsAtOnce = 100;

struct Reading {
    QList<std::pair<Constraint, Constraint>> lowered; // before and after
    qint64 stop_ms = 0;
    std::function<void(qint64)> told;
};

QList<std::pair<Constraint, Constraint>> loweredRates(const JobMatcher &before, const JobMatcher &after)
{
    QList<std::pair<Constraint, Constraint>> lowered;
    for (const Constraint &now : before.enabled && after.enabled ? after.constraints : QList<Constraint>()) {
        const auto was = std::find_if(before.constraints.begin(), before.constraints.end(),
                                      [&now](const Constraint &each) { return !now.id.isEmpty() && each.id == now.id; });
        if (was == before.constraints.end())
            continue;
        if (isLoweredRate(*was, now))
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
