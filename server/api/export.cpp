#include "server/api/export.h"

#include "core/jobs/jobfields.h"
#include "core/limits.h"
#include "core/msgpack/json.h"

#include <QTimer>
#include <array>
#include <nlohmann/json.hpp>

namespace junban::api {

namespace {

constexpr std::array<const char *, 24> columns = {"id", "name", "state", "priority", "attempt", "failures", "max_retry", "timeout",
    "created_at", "run_at", "expires_at", "started_at", "finished_at", "deleted_at", "worker", "pusher", "reason", "message", "tags",
    "group", "trace", "tracked", "argument_bytes", "argument"};

QByteArray cell(const nlohmann::json &row, const char *column)
{
    const auto found = row.find(column);
    if (found == row.end() || found->is_null())
        return {};
    return QByteArray::fromStdString(found->is_string() ? found->get_ref<const std::string &>() : found->dump());
}

QByteArray csvOf(const Job &job)
{
    const QByteArray text = json::fromMsgpack(pack(jobRowTable, job));
    const nlohmann::json row = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
    QList<QByteArray> cells;
    for (const char *column : columns)
        cells.append(cell(row, column));
    return csvRow(cells);
}

} // namespace

namespace {

// Programs trim what they show before they look at it, and take full-width signs for the plain ones.
bool looksLikeFormula(const QByteArray &utf8)
{
    const QString text = QString::fromUtf8(utf8);
    if (text.startsWith(u'\t') || text.startsWith(u'\r') || text.startsWith(u'\n'))
        return true;
    const QString shown = text.trimmed().remove(QChar::ByteOrderMark).normalized(QString::NormalizationForm_KC).trimmed();
    bool isNumber = false;
    (void)utf8.toDouble(&isNumber);
    return !isNumber && !shown.isEmpty() && QStringLiteral("=+-@").contains(shown.front());
}

} // namespace

QByteArray csvRow(const QList<QByteArray> &cells)
{
    QByteArray out;
    for (QByteArray text : cells) {
        if (looksLikeFormula(text))
            text.prepend('\'');
        if (text.contains('"') || text.contains(',') || text.contains('\n') || text.contains('\r'))
            text = '"' + text.replace('"', "\"\"") + '"';
        out += (out.isEmpty() ? "" : ",") + text;
    }
    return out + "\r\n";
}

ViewExport::ViewExport(Freezer &freezer, const Masker &masker, Reader reader, QByteArray view, ExportFormat format, ExportMark mark)
    : m_freezer(freezer)
    , m_masker(masker)
    , m_reader(std::move(reader))
    , m_view(std::move(view))
    , m_format(format)
    , m_mark(mark)
{
}

QByteArray ViewExport::contentType(ExportFormat format)
{
    static constexpr const char *types[] = {"text/csv; charset=utf-8; header=present", "application/x-ndjson", "application/vnd.msgpack"};
    return types[int(format)];
}

QByteArray ViewExport::part(const QList<Job> &jobs) const
{
    QByteArray out;
    for (const Job &job : jobs) {
        switch (m_format) {
        case ExportFormat::Csv: out += csvOf(job); break;
        case ExportFormat::Ndjson: out += json::fromMsgpack(pack(jobRowTable, job)) + '\n'; break;
        case ExportFormat::Msgpack: out += pack(jobRowTable, job); break;
        }
    }
    return out;
}

void ViewExport::next(std::function<void(std::optional<QByteArray>)> take)
{
    m_freezer.view(m_view, m_offset, limits::view_page_max, m_reader.scope,
        [self = shared_from_this(), take = std::move(take)](Result<ViewPage> page) { self->took(std::move(page), take); });
}

void ViewExport::took(Result<ViewPage> page, const Take &take)
{
    const bool isAway = !page.ok() && page.error().code == ErrorCode::StoreUnavailable;
    const qint64 now_ms = Clock::monotonic_ms();
    if (isAway && m_awaySince_ms == 0)
        m_awaySince_ms = now_ms;
    if (isAway && now_ms - m_awaySince_ms < limits::export_patience_ms) {
        QTimer::singleShot(limits::export_try_ms, [self = weak_from_this(), take] {
            if (const auto its = self.lock()) // the client is still there
                its->next(take);
        });
        return;
    }
    if (!page.ok() || (page->ids.isEmpty() && m_offset < page->view.count)) {
        tellBroken(page.ok() ? QByteArray("its ids have expired") : page.error().message());
        take(std::nullopt);
        return;
    }
    m_awaySince_ms = 0;
    for (Job &job : page->jobs)
        m_masker.hide(job);
    QByteArray out;
    if (!std::exchange(m_begun, true) && m_format == ExportFormat::Csv)
        out = QByteArray(m_mark == ExportMark::Bom ? "\xef\xbb\xbf" : "") + csvRow(QList<QByteArray>(columns.begin(), columns.end()));
    out += part(page->jobs);
    m_offset += page->ids.size();
    if (out.isEmpty() && !page->ids.isEmpty())
        next(take); // all of these are gone
    else
        take(out);
}

bool ViewExport::mayGoOn()
{
    if (m_reader.mayRead())
        return true;
    tellBroken("its reader's token is revoked or expired, or one is needed now");
    return false;
}

void ViewExport::tellBroken(const QByteArray &why) const
{
    qWarning("export: view %s broke off after %lld jobs: %s", m_view.constData(), static_cast<long long>(m_offset), why.constData());
}

} // namespace junban::api
