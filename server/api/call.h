#pragma once

#include "core/base/result.h"
#include "core/jobs/jobcalls.h"
#include "server/api/auth.h"
#include "server/api/router.h"
#include "server/http/exchange.h"

#include <QByteArray>
#include <QHash>
#include <memory>

namespace junban::api {

enum class Encoding { Msgpack, Json };

// What a request says about the encoding of its answer, by Accept or else by the type of its body.
enum class Wanted { Msgpack, Json, Any, Neither };

class AuditRecord;

// One request as a handler sees it: its route is found, its caller may make it, and its body is MessagePack, also when it came as JSON.
// Copies share the exchange.
class Call
{
public:
    // `unsavedReads`, if given, counts the reads that were told although Redis does not have all of what they tell. An answer to a read is
    // marked when there were any meanwhile.
    Call(http::Exchange exchange, Match match, Wanted wanted, const quint64 *unsavedReads = nullptr);

    const http::Exchange &exchange() const { return m_exchange; }
    const Match &match() const { return m_match; }
    Wanted wanted() const { return m_wanted; }
    Caller caller;
    QByteArray body;                               // MessagePack
    QHash<QByteArray, QByteArray> query;
    std::shared_ptr<AuditRecord> record;           // none: the audit does not keep this call
    QByteArray reason;                             // why it is made, if that was said
    // Who changes a job by it and why, for the job's history.
    QByteArray changedBy() const { return junban::changedBy(caller.name(), reason); }

    // The answer, in MessagePack; it is sent in the encoding that was asked for, and as JSON where any will do. Returns whether the client
    // is still there.
    bool reply(int status, QByteArray msgpack, QList<QPair<QByteArray, QByteArray>> fields = {}) const;
    bool fail(const Error &error) const;
    bool problem(const Reason &reason, QList<QPair<QByteArray, QByteArray>> fields = {}) const;

    // 204.
    bool replyEmpty(QList<QPair<QByteArray, QByteArray>> fields = {}) const;

    // What the audit is told; nothing happens when it does not keep this call. It has the parameters of the path as its target by itself.
    // `before` and `after` are MessagePack maps; arguments and results in them are left out.
    void auditTarget(const QByteArray &target) const;
    void auditBefore(const QByteArray &map) const;
    void auditAfter(const QByteArray &map) const;
    // Nothing was changed, so there is nothing to keep.
    void leaveOutOfAudit() const;

    // A query parameter as a number of seconds; InvalidField when it is no number or out of range.
    Result<qint64> duration_ms(const QByteArray &key, double max_s) const;
    // As a time; 0 when it is left out.
    Result<qint64> time_ms(const QByteArray &key) const;
    Result<int> integer(const QByteArray &key, int min, int max, int otherwise) const;
    Result<bool> flag(const QByteArray &key) const;
    Result<QByteArray> name(const QByteArray &key) const;
    // Whether it is UTF-8 of the right length without control characters; and whether it can be a name (core/base/text.h), too. `key` is
    // the field that an error names.
    static Result<Done> validText(const QByteArray &key, const QByteArray &value);
    static Result<Done> validName(const QByteArray &key, const QByteArray &value);

    // The name in the path (not a job's id): 1 to 200 bytes of UTF-8 without control characters; answers 400 when it is anything else.
    std::optional<QByteArray> pathName(const char *field) const;

private:
    bool tellsUnsaved() const;

    http::Exchange m_exchange;
    Match m_match;
    Wanted m_wanted;
    const quint64 *m_unsavedReads;
    quint64 m_unsavedBefore;
};

Wanted wantedEncoding(const http::Request &request);
// The encoding of the body; nothing when it is another (415).
std::optional<Encoding> bodyEncoding(const http::Request &request);

} // namespace junban::api
