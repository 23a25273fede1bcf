#include "core/operators/auditor.h"

#include "core/base/reasons/api.h"
#include "core/limits.h"
#include "core/msgpack/msgpackwriter.h"

#include <QPointer>
#include <algorithm>
#include <utility>

namespace junban {

namespace {

// An entry that a script wrote: the actor, what it did, and a few fields of its own.
AuditEntry entryOf(const AuditStore::Row &row)
{
    if (!row.packed.isEmpty()) {
        const Result<AuditEntry> read = unpackAnswer(auditEntryTable, row.packed);
        return read.ok() ? *read : AuditEntry{row.at_ms, "unknown"};
    }
    AuditEntry entry{row.at_ms};
    QList<QPair<QByteArray, QByteArray>> rest;
    for (const auto &[name, value] : row.fields) {
        if (name == "actor")
            entry.actor = value;
        else if (name == "what")
            entry.action = value;
        else if (entry.target.isEmpty())
            entry.target = value;
        else
            rest.append({name, value});
    }
    MsgpackWriter after;
    after.map(rest.size());
    for (const auto &[name, value] : std::as_const(rest))
        after.text(name).text(shown(value, limits::audit_text_bytes_max));
    entry.after = rest.isEmpty() ? QByteArray() : after.take();
    return entry;
}

bool fits(const Auditor::Query &query, const AuditEntry &entry)
{
    return entry.at_ms >= query.since_ms && (query.actor.isEmpty() || query.actor == entry.actor || query.actor == entry.note)
        && (query.action.isEmpty() || query.action == entry.action) && (query.target.isEmpty() || query.target == entry.target);
}

bool isCursor(const QByteArray &cursor)
{
    const qsizetype dash = cursor.indexOf('-');
    bool first = false, second = false;
    cursor.first(std::max<qsizetype>(0, dash)).toULongLong(&first);
    cursor.sliced(dash + 1).toULongLong(&second);
    const bool plain = std::all_of(cursor.begin(), cursor.end(), [](char c) { return c == '-' || (c >= '0' && c <= '9'); });
    return dash > 0 && first && second && plain;
}

} // namespace

struct Auditor::Listing {
    Query query;
    Callback<AuditPage> callback;
    AuditPage page = {};
    int scanned = 0;

    // How many rows to ask for at once.
    int rows() const
    {
        const bool filters = !query.actor.isEmpty() || !query.action.isEmpty() || !query.target.isEmpty();
        return filters ? limits::page_rows_max : std::min(query.limit + 1, limits::page_rows_max);
    }
};

Auditor::Auditor(AuditStore &store, const Clock &clock, std::shared_ptr<AuditFile> file, QObject *parent)
    : QObject(parent)
    , m_store(store)
    , m_clock(clock)
    , m_file(std::move(file))
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(limits::audit_again_ms);
    connect(&m_timer, &QTimer::timeout, this, &Auditor::send);
}

void Auditor::note(AuditEntry entry)
{
    entry.at_ms = m_clock.now_ms();
    const AuditEntry fit = fitForAudit(std::move(entry));
    if (m_file)
        m_file->append(fit);
    m_waiting.append(fit);
    dropOldest();
    if (!m_timer.isActive())
        send();
}

void Auditor::dropOldest()
{
    const qsizetype many = std::max<qsizetype>(0, m_waiting.size() - limits::audit_waiting_max);
    m_waiting.remove(0, many);
    m_lost += many;
}

void Auditor::send()
{
    if (m_sending || m_waiting.isEmpty())
        return;
    QList<AuditEntry> entries = m_waiting.mid(0, limits::script_items_max - 1);
    m_waiting.remove(0, entries.size());
    const qsizetype lost = std::exchange(m_lost, 0);
    QList<QByteArray> packed;
    if (lost > 0) {
        AuditEntry told{entries.first().at_ms, "master"};
        told.action = "lostAuditEntries";
        told.after = MsgpackWriter().map(1).text("entries").integer(lost).take();
        packed.append(pack(auditEntryTable, told));
    }
    for (const AuditEntry &entry : std::as_const(entries))
        packed.append(pack(auditEntryTable, entry));
    m_sending = true;
    m_store.append(packed, [this, entries, lost, self = QPointer<Auditor>(this)](const Result<Done> &appended) {
        if (!self)
            return;
        m_sending = false;
        if (appended.ok()) {
            send();
        } else {
            m_waiting = entries + m_waiting;
            m_lost += lost;
            dropOldest();
            m_timer.start();
        }
        for (const auto &listing : m_sending ? QList<std::shared_ptr<Listing>>() : std::exchange(m_listings, {}))
            look(listing);
    });
}

void Auditor::list(Query query, Callback<AuditPage> callback)
{
    auto listing = std::make_shared<Listing>(Listing{std::move(query), std::move(callback)});
    if (!listing->query.cursor.isEmpty() && !isCursor(listing->query.cursor)) {
        QMetaObject::invokeMethod(this, [listing] {
            listing->callback(reasons::cursorUnknown("cursor"));
        }, Qt::QueuedConnection);
        return;
    }
    if (m_sending) // so that a caller finds what it did just before
        m_listings.append(listing);
    else
        look(listing);
}

void Auditor::look(const std::shared_ptr<Listing> &listing)
{
    m_store.page(listing->query.cursor, listing->query.since_ms, listing->rows(),
        [this, listing, self = QPointer<Auditor>(this)](const Result<QList<AuditStore::Row>> &rows) {
            if (!self)
                return;
            if (rows.ok())
                looked(listing, *rows);
            else
                listing->callback(rows.error());
        });
}

void Auditor::looked(const std::shared_ptr<Listing> &listing, const QList<AuditStore::Row> &rows)
{
    AuditPage &page = listing->page;
    for (const AuditStore::Row &row : rows) {
        if (page.entries.size() == listing->query.limit) {
            page.next = listing->query.cursor;
            listing->callback(page);
            return;
        }
        listing->query.cursor = row.id;
        AuditEntry entry = entryOf(row);
        if (fits(listing->query, entry))
            page.entries.append(std::move(entry));
    }
    listing->scanned += int(rows.size());
    const bool isLast = rows.size() < listing->rows();
    if (!isLast && listing->scanned < limits::audit_scan_max && page.entries.size() < listing->query.limit) {
        look(listing);
        return;
    }
    page.next = isLast ? QByteArray() : listing->query.cursor;
    listing->callback(page);
}

} // namespace junban
