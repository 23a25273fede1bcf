#include "core/operators/rereader.h"

#include "core/base/reasons/store.h"

#include <QPointer>
#include <QRandomGenerator>
#include <algorithm>
#include <utility>

namespace junban {

namespace {

// The master that made a change recharges the running jobs. The others do it only after this many looks, in case that master has died.
constexpr int uncharged_looks_max = 3;
// A pause between two pieces of jobs, in which other work gets its turn. A million jobs take about a minute then, under full load.
constexpr int pause_ms = 1;

} // namespace

Rereader::Rereader(ConstraintStore &store, Classifier &classifier, QObject *parent)
    : QObject(parent)
    , m_store(store)
    , m_classifier(classifier)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Rereader::look);
}

void Rereader::start()
{
    m_running = true;
    look();
}

void Rereader::stop()
{
    m_running = false;
    m_timer.stop();
}

void Rereader::hurry()
{
    m_hurried = m_looking; // a look that has begun may miss these jobs, so another one follows
    if (!m_looking)
        lookIn(0);
}

qint64 Rereader::left() const
{
    return m_epoch == m_classifier.epoch() ? m_left : std::max<qint64>(m_left, 1);
}

void Rereader::lookIn(int ms)
{
    if (m_running)
        m_timer.start(ms);
}

QList<JobBuckets> Rereader::read(const QList<StoredJob> &jobs) const
{
    QList<JobBuckets> buckets;
    for (const StoredJob &job : jobs)
        buckets.append(readAgain(m_classifier, job));
    return buckets;
}

void Rereader::recharge(qint64 epoch, Callback<Done> callback)
{
    auto charging = std::make_shared<Charging>();
    charging->epoch = epoch;
    charging->callback = std::move(callback);
    charge(charging);
}

void Rereader::charge(const ChargingPtr &charging)
{
    m_store.unread(charging->which, charging->cursor,
        [this, charging, self = QPointer<Rereader>(this)](const Result<ConstraintStore::Unread> &page) {
            if (!self)
                return;
            if (!page.ok()) {
                charging->callback(page.error());
            } else if (page->epoch != m_classifier.epoch() || page->epoch < charging->epoch) {
                chargeAgain(charging, reasons::matchersChanged());
            } else {
                charging->epoch = page->epoch;
                chargePage(charging, *page);
            }
        });
}

void Rereader::chargePage(const ChargingPtr &charging, const ConstraintStore::Unread &page)
{
    const bool last = page.end && charging->which == ConstraintStore::WhichJobs::Awaiting;
    m_store.recharge(page.epoch, read(page.jobs), last ? ConstraintStore::Recharged::All : ConstraintStore::Recharged::Some,
        [this, charging, page, self = QPointer<Rereader>(this)](const Result<Done> &done) {
            if (self)
                charged(charging, page, done);
        });
}

void Rereader::charged(const ChargingPtr &charging, const ConstraintStore::Unread &page, const Result<Done> &done)
{
    if (!done.ok()) {
        if (done.error().code == ErrorCode::RevisionMismatch)
            chargeAgain(charging, done.error());
        else
            charging->callback(done.error());
        return;
    }
    charging->cursor = page.end ? 0 : page.next;
    if (page.end && charging->which == ConstraintStore::WhichJobs::Awaiting) {
        charging->callback(Done{});
        return;
    }
    if (page.end)
        charging->which = ConstraintStore::WhichJobs::Awaiting;
    charge(charging);
}

// There was another change: starts again, with its matchers.
void Rereader::chargeAgain(const ChargingPtr &charging, const Error &error)
{
    if (--charging->tries <= 0) {
        charging->callback(error);
        return;
    }
    m_classifier.reload([this, charging, self = QPointer<Rereader>(this)](const Result<Done> &loaded) {
        if (!self)
            return;
        if (!loaded.ok()) {
            charging->callback(loaded.error());
            return;
        }
        charging->which = ConstraintStore::WhichJobs::Running;
        charging->cursor = 0;
        charge(charging);
    });
}

void Rereader::look()
{
    if (!m_running || m_looking)
        return;
    m_looking = true;
    m_store.stale([this, self = QPointer<Rereader>(this)](const Result<ConstraintStore::Stale> &stale) {
        if (self)
            looked(stale);
    });
}

void Rereader::looked(const Result<ConstraintStore::Stale> &stale)
{
    m_looking = false;
    lookIn(std::exchange(m_hurried, false) ? 0 : limits::reread_ms + QRandomGenerator::global()->bounded(limits::sweep_jitter_ms));
    if (!m_running || !stale.ok())
        return;
    m_left = stale->left;
    m_epoch = stale->epoch;
    if (stale->epoch != m_classifier.epoch()) {
        m_looking = true;
        m_classifier.reload([this, self = QPointer<Rereader>(this)](const Result<Done> &loaded) {
            if (!self)
                return;
            m_looking = false;
            lookIn(loaded.ok() ? 0 : limits::reread_ms);
        });
        return;
    }
    m_uncharged = stale->recharged < stale->epoch ? m_uncharged + 1 : 0;
    if (m_uncharged > uncharged_looks_max) {
        m_uncharged = 0;
        recharge(stale->epoch, [](const Result<Done> &) {});
    }
    if (!stale->lanes.isEmpty())
        relane(*stale);
}

void Rereader::relane(const ConstraintStore::Stale &stale)
{
    m_looking = true;
    m_store.relane(stale.epoch, readAgain(m_classifier, stale.lanes), [this, self = QPointer<Rereader>(this)](const Result<Done> &moved) {
        if (!self)
            return;
        m_looking = false;
        const bool more = moved.ok() || moved.error().code == ErrorCode::RevisionMismatch;
        lookIn(more ? pause_ms : limits::reread_ms);
    });
}

} // namespace junban
