#include "core/jobs/administration.h"

#include "core/jobs/statescodec.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/reasonfields.h"

namespace junban {

namespace {

constexpr Field totalsFields[] = {
    field::integer<&Totals::enqueued>("enqueued"),
    field::integer<&Totals::started>("started"),
    field::integer<&Totals::succeeded>("succeeded"),
    field::integer<&Totals::failed>("failed"),
    field::integer<&Totals::failures>("failures"),
    field::integer<&Totals::retried>("retried"),
    field::integer<&Totals::expired>("expired"),
    field::integer<&Totals::cancelled>("cancelled"),
    field::integer<&Totals::deleted>("deleted"),
};
constexpr TableOf<Totals> totalsTable{nullptr, totalsFields};

constexpr Field ratesFields[] = {
    field::real<&Rates::enqueued>("enqueued"),
    field::real<&Rates::started>("started"),
    field::real<&Rates::succeeded>("succeeded"),
    field::real<&Rates::failures>("failures"),
};
constexpr TableOf<Rates> ratesTable{nullptr, ratesFields};

constexpr Field rollbackFields[] = {
    field::time<&Rollback::seenAt_ms>("seen_at"),
    field::integer<&Rollback::transactionsLost>("transactions_lost", 1),
};
constexpr TableOf<Rollback> rollbackTable{"Overview.rollback", rollbackFields};
bool wasRolledBack(const void *object)
{
    return static_cast<const Overview *>(object)->rollback.seenAt_ms > 0;
}

constexpr Field pauseAnswerFields[] = {
    field::text<&Pause::id>("id").needed(),
    field::text<&Pause::match>("match").rare(),
    field::time<&Pause::until_ms>("until").rare(),
    field::text<&Pause::reason>("reason"),
    field::time<&Pause::since_ms>("since"),
    field::text<&Pause::by>("by"),
};

constexpr Field heldByFields[] = {
    field::text<&HeldBy::matcher>("matcher").rare(),
    field::text<&HeldBy::title>("title").rare(),
    field::text<&HeldBy::constraint>("constraint").rare(),
    field::text<&HeldBy::kind>("kind"),
    field::integer<&HeldBy::jobs>("jobs", 0),
    field::integer<&HeldBy::keys>("keys", 1),
    field::time<&HeldBy::opensAt_ms>("opens_at").rare(),
};
constexpr TableOf<HeldBy> heldByTable{"HeldNow.by", heldByFields};
constexpr Field heldNowFields[] = {
    field::integer<&HeldNow::jobs>("jobs", 0),
    field::list<&HeldNow::by>("by", heldByTable).needed(),
    field::boolean<&HeldNow::complete>("complete"),
    field::integer<&HeldNow::reading>("reading", 0),
};
constexpr TableOf<HeldNow> heldNowTable{"HeldNow", heldNowFields};
constexpr Field openBreakerFields[] = {
    field::text<&OpenBreaker::matcher>("matcher").needed(),
    field::text<&OpenBreaker::title>("title").rare(),
    field::text<&OpenBreaker::constraint>("constraint").needed(),
    field::integer<&OpenBreaker::keys>("keys", 1),
    field::time<&OpenBreaker::opensAt_ms>("opens_at").rare(),
};
constexpr TableOf<OpenBreaker> openBreakerTable{"OpenBreaker", openBreakerFields};
constexpr Field fullBacklogFields[] = {
    field::text<&FullBacklog::matcher>("matcher").needed(),
    field::text<&FullBacklog::title>("title").rare(),
    field::text<&FullBacklog::constraint>("constraint").needed(),
    field::text<&FullBacklog::overflow>("overflow").needed(),
    field::integer<&FullBacklog::keys>("keys", 1),
    field::integer<&FullBacklog::jobs>("jobs", 0),
};
constexpr TableOf<FullBacklog> fullBacklogTable{"FullBacklog", fullBacklogFields};

constexpr Field priorityNowFields[] = {
    field::integer<&PriorityNow::priority>("priority").needed(),
    field::integer<&PriorityNow::jobs>("jobs", 1),
    field::time<&PriorityNow::oldestAt_ms>("oldest_at"),
};
constexpr TableOf<PriorityNow> priorityNowTable{"Overview.priorities", priorityNowFields};
constexpr Field unaskedNameFields[] = {
    field::text<&UnaskedName::name>("name").needed(),
    field::integer<&UnaskedName::jobs>("jobs", 1),
    field::time<&UnaskedName::askedAt_ms>("asked_at").rare(),
};
constexpr TableOf<UnaskedName> unaskedNameTable{"UnaskedNow.names", unaskedNameFields};
constexpr Field unaskedNowFields[] = {
    field::integer<&UnaskedNow::jobs>("jobs", 0),
    field::list<&UnaskedNow::names>("names", unaskedNameTable).needed(),
    field::boolean<&UnaskedNow::complete>("complete"),
};
constexpr TableOf<UnaskedNow> unaskedNowTable{"UnaskedNow", unaskedNowFields};

constexpr Field unreadableFields[] = {
    field::text<&UnreadableNow::what>("what").needed(),
    field::text<&UnreadableNow::id>("id").needed(),
    field::object<&UnreadableNow::why>("why", explainedTable),
};
constexpr TableOf<UnreadableNow> unreadableTable{"Unreadable", unreadableFields};

bool wasAway(const void *object)
{
    return static_cast<const ServerNow *>(object)->backAt_ms > 0;
}
constexpr Field serverFields[] = {
    field::time<&ServerNow::startedAt_ms>("started_at"),
    field::integer<&ServerNow::usedBytes>("used_bytes", 0),
    field::integer<&ServerNow::maxBytes>("max_bytes", 0).rare(),
    field::time<&ServerNow::backAt_ms>("back_at").rare(),
    field::duration<&ServerNow::away_ms>("away", 0, limits::server_away_s_max).onlyIf(wasAway),
    field::boolean<&ServerNow::restarted>("restarted").onlyIf(wasAway),
};
constexpr TableOf<ServerNow> serverTable{"Server", serverFields};
bool knowsServer(const void *object)
{
    return static_cast<const Overview *>(object)->server.startedAt_ms > 0;
}

constexpr Field overviewFields[] = {
    field::time<&Overview::now_ms>("now"),
    field::of<&Overview::byState, codecs::states>("states").needed(),
    field::integer<&Overview::resultsKept>("results_kept"),
    field::object<&Overview::totals>("totals", totalsTable),
    field::object<&Overview::rates>("rates", ratesTable),
    field::time<&Overview::oldestReadyAt_ms>("oldest_ready_at").rare(),
    field::object<&Overview::rollback>("rollback", rollbackTable).onlyIf(wasRolledBack),
    field::list<&Overview::pauses>("pauses", pauseAnswerTable),
    field::object<&Overview::held>("held", heldNowTable),
    field::list<&Overview::breakers>("breakers", openBreakerTable),
    field::list<&Overview::backlogs>("backlogs", fullBacklogTable),
    field::list<&Overview::priorities>("priorities", priorityNowTable),
    field::object<&Overview::unasked>("unasked", unaskedNowTable),
    field::list<&Overview::unreadable>("unreadable", unreadableTable).atMost(limits::unreadable_shown_max).rare(),
    field::object<&Overview::server>("redis", serverTable).onlyIf(knowsServer),
    field::text<&Overview::version>("version"),
};

// For a single name fewer totals are counted.
constexpr Field nameTotalsFields[] = {
    field::integer<&Totals::enqueued>("enqueued"),
    field::integer<&Totals::succeeded>("succeeded"),
    field::integer<&Totals::failed>("failed"),
    field::integer<&Totals::failures>("failures"),
};
constexpr TableOf<Totals> nameTotalsTable{nullptr, nameTotalsFields};
constexpr Field nameRowFields[] = {
    field::name<&NameRow::name>("name", limits::name_bytes_max).needed(),
    field::integer<&NameRow::ready>("ready"),
    field::integer<&NameRow::failed>("failed"),
    field::object<&NameRow::totals>("totals", nameTotalsTable),
};
constexpr TableOf<NameRow> nameRowTable{"NameList.names", nameRowFields};
constexpr Field namePageFields[] = {
    field::list<&NamePage::names>("names", nameRowTable).needed(),
    field::text<&NamePage::next>("next").rare(),
    field::boolean<&NamePage::complete>("complete"),
};

constexpr Field changedField()
{
    Field field = field::listOf<&News::changed, codecs::word<Topic>>("changed").atMost(int(topicWords.size())).needed();
    field.words = topicWords;
    return field;
}
constexpr Field newsFields[] = {
    field::integer<&News::revision>("revision", 0).needed(),
    changedField(),
};
constexpr Field sinceFields[] = {field::integer<&SinceBody::since>("since", 0).needed()};

constexpr Field findingFields[] = {
    field::word<&Finding::severity>("severity", severityWords),
    field::text<&Finding::word>("word"),
    field::beside<&Finding::reason>(reasonWithMessageTable),
};
constexpr TableOf<Finding> findingTable{"Findings.findings", findingFields};
constexpr Field findingsFields[] = {field::list<&Findings::findings>("findings", findingTable).needed()};

constexpr Field fsckBodyFields[] = {
    field::boolean<&FsckBody::repair>("repair"),
    field::text<&FsckBody::cursor>("cursor", limits::fsck_cursor_bytes_max),
};
constexpr Field violationTextFields[] = {field::text<&Reason::text>("text"), field::beside(reasonTable)};
constexpr TableOf<Reason> violationTextTable{nullptr, violationTextFields};
constexpr Field violationFields[] = {
    field::text<&Violation::invariant>("invariant"),
    field::text<&Violation::key>("key"),
    field::beside<&Violation::reason>(violationTextTable),
    field::boolean<&Violation::repaired>("repaired"),
};
constexpr TableOf<Violation> violationTable{"FsckReport.violations", violationFields};
constexpr Field fsckReportFields[] = {
    field::integer<&FsckReport::checked>("checked"),
    field::integer<&FsckReport::found>("found"),
    field::integer<&FsckReport::repaired>("repaired"),
    field::list<&FsckReport::violations>("violations", violationTable).atMost(limits::fsck_violations_max).needed(),
    field::text<&FsckReport::next>("next").rare(),
};

} // namespace

constinit const TableOf<Overview> overviewTable{"Overview", overviewFields};
constinit const TableOf<Pause> pauseAnswerTable{"Pause", pauseAnswerFields};
constinit const TableOf<NamePage> namePageTable{"NameList", namePageFields};
constinit const TableOf<News> newsTable{"News", newsFields};
constinit const TableOf<SinceBody> sinceBodyTable{"SinceBody", sinceFields};
constinit const TableOf<Findings> findingsTable{"Findings", findingsFields};
constinit const TableOf<FsckBody> fsckBodyTable{"FsckBody", fsckBodyFields};
constinit const TableOf<FsckReport> fsckReportTable{"FsckReport", fsckReportFields};

} // namespace junban
