#include "ui/shell/stateitems.h"

#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/limits/constrainttexts.h"

namespace junban::ui {

namespace {

QString between(const QStringList &parts)
{
    return parts.join(QStringLiteral(" · "));
}

QString titleOf(const QByteArray &title, const QByteArray &id)
{
    return shown(title.isEmpty() ? id : title);
}

int clampedCount(qint64 count)
{
    return int(std::min<qint64>(count, std::numeric_limits<int>::max()));
}

} // namespace

StateItems::StateItems(const Overview &overview, const QList<Worker> &lost, const Format &format, const StatePlaces &places)
    : m_overview(overview)
    , m_lost(lost)
    , m_format(format)
    , m_places(places)
{
    addServer();
    addPauses();
    addBreakers();
    addBacklogs();
    addUnreadable();
    addHeld();
    addReading();
    addUnasked();
    addLost();
}

void StateItems::addPauses()
{
    const QList<Pause> &pauses = m_overview.pauses;
    const qsizetype each = pauses.size() > pauses_max ? pauses_max - 1 : pauses.size();
    for (const Pause &pause : pauses.first(each)) {
        const QString what = pause.match.isEmpty() ? tr("All jobs are paused") : tr("Paused: %1", "an expression").arg(shown(pause.match));
        const QString until = pause.until_ms > 0 ? tr("until %1").arg(m_format.timeToday(pause.until_ms, m_overview.now_ms))
                                                 : tr("until resumed");
        const QString since = tr("since %1 by %2").arg(m_format.timeToday(pause.since_ms, m_overview.now_ms), Look::actor(pause.by));
        StateItem item{"pause " + pause.id, Icon::Pause, between({what, shown(pause.reason), since, until})};
        item.open = [open = m_places.constraint, id = pause.id] { open(id, {}); };
        item.action = tr("Resume");
        item.act = [resume = m_places.resume, id = pause.id] { resume(id); };
        m_items.append(item);
    }
    if (each < pauses.size()) {
        StateItem more{"pauses", Icon::Pause, tr("%Ln more pause(s)", nullptr, int(pauses.size() - each))};
        more.open = [open = m_places.constraint, id = pauses[each].id] { open(id, {}); };
        m_items.append(more);
    }
}

void StateItems::addBreakers()
{
    const QList<OpenBreaker> &breakers = m_overview.breakers;
    if (breakers.isEmpty())
        return;
    QStringList each;
    for (const OpenBreaker &breaker : breakers) {
        QString text = titleOf(breaker.title, breaker.matcher);
        if (breaker.opensAt_ms > 0)
            text = tr("%1 (next attempt %2)", "a breaker's title, a time")
                       .arg(text, m_format.timeToday(breaker.opensAt_ms, m_overview.now_ms));
        each.append(text);
    }
    const QString all = listed(each);
    StateItem item{"breakers", Icon::Warning, breakers.size() == 1 ? tr("A breaker has tripped: %1").arg(all)
                       : tr("%Ln breakers have tripped: %1", nullptr, int(breakers.size())).arg(all)};
    item.open = [open = m_places.constraint, first = breakers.first()] { open(first.matcher, first.constraint); };
    m_items.append(item);
}

void StateItems::addBacklogs()
{
    const QList<FullBacklog> &backlogs = m_overview.backlogs;
    if (backlogs.isEmpty())
        return;
    QStringList titles, each;
    for (const FullBacklog &backlog : backlogs) {
        titles.append(titleOf(backlog.title, backlog.matcher));
        each.append(between({titles.last(), tr("%Ln ready job(s)", nullptr, clampedCount(backlog.jobs)), overflowText(backlog.overflow)}));
    }
    StateItem item{"backlogs", Icon::Warning, backlogs.size() == 1
        ? between({tr("A backlog is full: %1").arg(titles.first()), overflowText(backlogs.first().overflow)})
        : tr("%Ln backlogs are full: %1", nullptr, int(backlogs.size())).arg(listed(titles))};
    item.tip = item.text + QLatin1Char('\n') + each.join(QLatin1Char('\n'));
    item.open = [open = m_places.constraint, first = backlogs.first()] { open(first.matcher, first.constraint); };
    m_items.append(item);
}

// Each of them is held until somebody mends it.
void StateItems::addUnreadable()
{
    const QList<UnreadableNow> &unreadable = m_overview.unreadable;
    if (unreadable.isEmpty())
        return;
    QStringList each;
    for (const UnreadableNow &record : unreadable)
        each.append(between({shown(record.what) + QLatin1Char(' ') + shown(record.id), reasonText(record.why)}));
    StateItem item{"unreadable", Icon::Warning,
        tr("%Ln stored record(s) cannot be read any more: %1", nullptr, int(unreadable.size())).arg(shown(unreadable.first().id))};
    item.tip = each.join(QLatin1Char('\n'));
    item.open = m_places.held;
    m_items.append(item);
}

void StateItems::addHeld()
{
    const HeldNow &held = m_overview.held;
    if (held.by.isEmpty() || held.jobs == 0)
        return;
    QStringList each;
    for (const HeldBy &by : held.by)
        each.append(tr("%1 by %2 (%3)", "jobs, a JobMatcher, a kind of limit")
                        .arg(m_format.count(by.jobs), titleOf(by.title, by.matcher), kindName(by.kind)));
    StateItem item{"held", Icon::Hourglass, heldText(held, m_format)};
    item.level = StateItem::Level::Calm;
    item.tip = item.text + QLatin1Char('\n') + each.join(QLatin1Char('\n'));
    item.open = m_places.held;
    m_items.append(item);
}

// Until they are read, limits do not count them.
void StateItems::addReading()
{
    const qint64 reading = m_overview.held.reading;
    if (reading < readingMany)
        return;
    StateItem item{"reading", Icon::Hourglass,
                   tr("Rechecking %Ln ready job(s) after the last change", nullptr, clampedCount(reading))};
    item.level = StateItem::Level::Calm;
    item.tip = item.text + QLatin1Char('\n') + tr("Until then they do not count as held. Each is read before it starts.");
    item.open = m_places.held;
    m_items.append(item);
}

void StateItems::addLost()
{
    if (m_lost.isEmpty())
        return;
    QStringList names, each;
    for (const Worker &worker : m_lost) {
        names.append(shown(worker.worker));
        each.append(tr("%1: nothing heard since %2", "a worker, a time")
                        .arg(names.last(), m_format.timeToday(worker.lastContact_ms, m_overview.now_ms)));
    }
    const QString some = listed(names.mid(0, lost_max)) + (names.size() > lost_max ? QStringLiteral(" …") : QString());
    StateItem item{"lost", Icon::Workers, between({tr("%Ln worker(s) lost", nullptr, int(m_lost.size())), some})};
    item.tip = item.text + QLatin1Char('\n') + each.mid(0, 20).join(QLatin1Char('\n'));
    item.open = [open = m_places.worker, worker = m_lost.first().worker] { open(worker); };
    m_items.append(item);
}

void StateItems::addUnasked()
{
    const UnaskedNow &unasked = m_overview.unasked;
    if (unasked.names.isEmpty())
        return;
    QStringList each;
    QList<QByteArray> all;
    for (const UnaskedName &name : unasked.names) {
        all.append(name.name);
        const QString jobs = tr("%Ln ready job(s)", nullptr, clampedCount(name.jobs));
        const QString last = name.askedAt_ms > 0 ? tr("last asked for %1").arg(m_format.timeToday(name.askedAt_ms, m_overview.now_ms))
                                                 : tr("never requested");
        each.append(between({shown(name.name), jobs, last}));
    }
    // The tip has all names. Here they would leave no room for how many jobs there are.
    QString names = shown(unasked.names.first().name);
    if (unasked.names.size() > 1)
        names = tr("%1 and %Ln more name(s)", nullptr, int(unasked.names.size()) - 1).arg(names);
    StateItem item{"unasked", Icon::Warning, tr("No worker asks for %1").arg(names)};
    item.text = between({item.text, tr("%Ln ready job(s)", nullptr, clampedCount(unasked.jobs))});
    item.tip = item.text + QLatin1Char('\n') + each.join(QLatin1Char('\n'));
    item.open = [open = m_places.unasked, all] { open(all); };
    m_items.append(item);
}

void StateItems::addServer()
{
    const ServerNow &server = m_overview.server;
    const double part = server.maxBytes > 0 ? double(server.usedBytes) / double(server.maxBytes) : 0;
    if (part > memoryNear) {
        const QString percent = m_format.count(qint64(part * 100));
        m_items.append({.key = "memory", .icon = Icon::Warning,
                        .text = tr("Redis uses %1 % of its memory (%2 of %3); at 100 % it refuses new jobs")
                                    .arg(percent, m_format.bytes(server.usedBytes), m_format.bytes(server.maxBytes))});
    }
    if (server.backAt_ms == 0 || m_overview.now_ms - server.backAt_ms > news_ms)
        return;
    const QString at = m_format.timeToday(server.backAt_ms, m_overview.now_ms), away = m_format.duration(server.away_ms);
    QString text = server.restarted ? tr("Redis was restarted: no answer for %1, back at %2").arg(away, at)
                                    : tr("Redis was unreachable for %1, back at %2").arg(away, at);
    // A loss has a banner of its own.
    if (m_overview.rollback.seenAt_ms < server.backAt_ms - server.away_ms)
        text = between({text, tr("no confirmed data lost")});
    m_items.append({.key = "away", .icon = Icon::Plug, .text = text, .level = StateItem::Level::Calm});
}

} // namespace junban::ui
