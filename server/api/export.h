#pragma once

#include "core/operators/freezer.h"
#include "core/operators/masker.h"
#include "server/http/message.h"

namespace junban::api {

enum class ExportFormat { Csv, Ndjson, Msgpack };
// Whether a CSV begins with U+FEFF: spreadsheets read it as UTF-8 then.
enum class ExportMark { None, Bom };

// The jobs of a frozen view as a body in parts: a page of them at a time is in memory, however many there are. A job that was
// purged since, or has left the scope, is left out. When Redis is away it waits for a moment; what cannot be completed, or whose reader may
// not read any more, breaks off, and the log says why.
class ViewExport final : public http::BodyParts, public std::enable_shared_from_this<ViewExport>
{
public:
    // Who reads it. `mayRead` says whether he still may, while he reads.
    struct Reader {
        std::shared_ptr<const Scope> scope;
        std::function<bool()> mayRead;
        std::shared_ptr<void> hold;      // of the view (Freezer::holding())
    };
    // Freezer and masker must outlive it, or drop what they owe it.
    ViewExport(Freezer &freezer, const Masker &masker, Reader reader, QByteArray view, ExportFormat format, ExportMark mark);

    static QByteArray contentType(ExportFormat format);
    void next(std::function<void(std::optional<QByteArray>)> take) override;
    bool mayGoOn() override;

private:
    using Take = std::function<void(std::optional<QByteArray>)>;
    void took(Result<ViewPage> page, const Take &take);
    void tellBroken(const QByteArray &why) const;
    QByteArray part(const QList<Job> &jobs) const;

    Freezer &m_freezer;
    const Masker &m_masker;
    const Reader m_reader;
    const QByteArray m_view;
    const ExportFormat m_format;
    const ExportMark m_mark;
    qint64 m_offset = 0;
    qint64 m_awaySince_ms = 0;       // Clock::monotonic_ms; 0: Redis answered last
    bool m_begun = false;
};

// A row of CSV (RFC 4180), with a line end. A text that a spreadsheet would take for a formula begins with an apostrophe: one whose
// first character, behind spaces and line ends, is =, +, -, @ or the full-width form of one, or that begins with a tab or a line end.
QByteArray csvRow(const QList<QByteArray> &cells);

} // namespace junban::api
